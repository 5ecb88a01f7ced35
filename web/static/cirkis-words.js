// From the codes of CirKis to the words of this phone's language. Pure.

const KINDS = { circle: "circle", star: "star", ring: "ring" };

// "the star", "the circle", "the ring"; "" for going out.
export function shapeWord(shape, t) {
  return shape ? t("shape_" + KINDS[shape.split("-")[0]]) : "";
}

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

// What a foreseen command would do: {stop: [{text, clause}], overrule, points: [{player, points, text}], more: [texts]}.
export function foreseenWords(foreseen, t) {
  const stop = foreseen.problems.map((problem) => ({ text: problemWord(problem.code, t), clause: problem.clause }));
  const points = [];
  const more = [];
  for (const { kind, clause, player, data } of foreseen.rulings) {
    if (kind === "points") points.push({ player, points: data.points, text: pointsWord(clause, data.shape, t) });
    else if (kind === "went_out") points.push({ player, points: data.points, text: t("got_out") });
    else if (kind === "most_shared") more.push(t("shared", { shape: shapeWord(data.shape, t) }));
    else if (kind === "free_turn") more.push(t("free_turn") + " " + data.reasons.map((reason) => t("free_" + reason.code)).join(", "));
    else if (kind === "free_lapsed") more.push(t("free_lapses"));
    else if (kind === "round_end") more.push(t("ends_" + data.end));
  }
  return { stop, overrule: foreseen.problems.length > 0 && foreseen.problems.every((problem) => problem.overrule), points, more };
}

// Why points were given: the most of a shape (C10, C16), or having completed it without the most (C11, C16).
export function pointsWord(clause, shape, t) {
  if (!shape) return t("got_out");
  return t(clause === "C11" ? "got_bonus" : "got_most", { shape: shapeWord(shape, t) });
}

export function problemWord(code, t) {
  const key = "refused_" + code;
  return t(t.has(key) ? key : "refused");
}
