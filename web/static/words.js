// From a view's codes to the words of this phone's language.

export function namesOf(view) {
  const names = {};
  for (const player of view.players) names[player.id] = player.name;
  return names;
}

// What the head of the page says: {player, title, line, hint}. player: whose sign stands beside it, or null.
export function stateWords(view, t) {
  const names = namesOf(view);
  if (view.phase === "game_end" || view.phase === "round_end") {
    const won = view.winners;
    if (!won.length) return { player: null, title: t("no_winner"), line: t("no_winner_line", { n: view.round }), hint: "" };
    const line = t(view.phase === "game_end" ? "won_game" : "won_round", { n: won.length });
    return { player: won.length === 1 ? won[0] : null, title: won.map((id) => names[id]).join(", "), line, hint: "" };
  }
  if (view.remove) {
    const { player, why, left } = view.remove;
    const line = t(player === null ? "take_to_bag" : why === "penalty" ? "take_penalty" : "take", { n: left });
    return { player, title: player === null ? t("everybody") : names[player] || "", line, hint: "" };
  }
  const last = view.phase === "countdown" && view.last_stone;
  return { player: view.turn, title: names[view.turn] || "", line: t("line_" + (last ? "last_stone" : view.phase)),
    hint: last && view.waits ? t("wait_for_last") : t("then", { name: names[view.next] || "" }) };
}
