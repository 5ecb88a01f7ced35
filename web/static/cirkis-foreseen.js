// What a play would do and why points were given, in the words of this phone's language. Pure.

// "the star", "the circle", "the ring"; "" for going out.
export function shapeWord(shape, t) {
  return shape ? t("shape_" + shape.split("-")[0]) : "";
}

// What a foreseen command would do: {stop: [{text, clause}], overrule, points: [{player, points, text}], more: [texts]}.
export function foreseenWords(foreseen, t) {
  const stop = foreseen.problems.map((problem) => ({ text: problemWord(problem.code, t), clause: problem.clause }));
  const points = [];
  const more = [];
  for (const { kind, player, data } of foreseen.rulings) {
    if (kind === "points") points.push({ player, points: data.points, text: pointsWord(data.shape, data.points, t) });
    else if (kind === "went_out") points.push({ player, points: data.points, text: t("got_out") });
    else if (kind === "most_shared") more.push(t("shared", { shape: shapeWord(data.shape, t) }));
    else if (kind === "free_turn") more.push(t("free_turn") + " " + data.reasons.map((reason) => t("free_" + reason.code)).join(", "));
    else if (kind === "free_lapsed") more.push(t("free_lapses"));
    else if (kind === "round_end") more.push(t("ends_" + data.end));
  }
  return { stop, overrule: foreseen.problems.length > 0 && foreseen.problems.every((problem) => problem.overrule), points, more };
}

// Why points were given: the most of a shape (C10, C16), or having completed it without the most (C11, C16).
export function pointsWord(shape, points, t) {
  if (!shape) return t("got_out");
  return t(points < 10 ? "got_bonus" : "got_most", { shape: shapeWord(shape, t) });
}

export function problemWord(code, t) {
  const key = "refused_" + code;
  return t(t.has(key) ? key : "refused");
}
