// What the head of the CirKis page says, and which shapes are complete. Pure.

// The head of the page: {player, title, line}.
export function headWords(view, t) {
  const named = (id) => view.players.find((p) => p.id === id);
  if (view.phase === "over") {
    const won = view.result.winners.map((id) => named(id).name);
    const line = won.length ? t("won", { n: won.length }) : t("nobody_won_line");
    return { player: won.length === 1 ? view.result.winners[0] : null, title: won.join(", ") || t("nobody_won"), line };
  }
  if (view.phase === "between") return { player: null, title: t("round_over", { n: view.round }), line: t("end_" + view.end) };
  if (view.phase === "tie") return { player: null, title: t("tie"), line: t("tie_line") };
  if (view.mode === "quick") {
    if (view.turn === null) return { player: null, title: t("quick_title"), line: t("quick_line") };
    return { player: view.turn, title: named(view.turn).name, line: t("quick_stop") };
  }
  const first = !view.deeds.some((deed) => deed.d === "piece");
  const line = first ? "line_first" : view.free ? "line_free" : "line_turn";
  return { player: view.turn, title: named(view.turn).name, line: t(line) };
}

// The shapes completed in this round with the id of who took the most, null where it was shared.
export function completedShapes(view) {
  const done = [];
  for (const deed of view.deeds) {
    for (const [shape] of deed.shapes || []) {
      const most = (deed.points || []).find((award) => award[3] === shape && award[1] >= 10);
      done.push({ shape, player: most ? most[0] : null });
    }
  }
  return done;
}
