// From a view's codes to the words of this phone's language.

export function namesOf(view) {
  const names = {};
  for (const player of view.players) names[player.id] = player.name;
  return names;
}

// What the head of the page says: {player, title, line, hint}. player: whose sign stands beside it, or null.
export function stateWords(view, t) {
  const names = namesOf(view);
  const turn = names[view.turn] || "";
  const next = names[view.next] || "";
  if (view.phase === "game_end" || view.phase === "round_end") {
    const won = view.winners.map((id) => names[id]).join(", ");
    const title = won ? t(view.phase === "game_end" ? "won_game" : "won_round", { name: won }) : t("no_winner");
    return { player: view.winners.length === 1 ? view.winners[0] : null, title, line: t("round_n", { n: view.round }), hint: "" };
  }
  if (view.remove) {
    const name = names[view.remove.player] || "";
    const key = view.remove.why === "penalty" ? "take_penalty" : "take";
    const line = t(key, { n: view.remove.left });
    return { player: view.remove.player, title: name, line, hint: line };
  }
  if (view.phase === "unseen") return { player: view.turn, title: turn, line: t("line_unseen"), hint: "" };
  if (view.phase === "question") return { player: view.turn, title: turn, line: t("line_question"), hint: "" };
  if (view.phase === "countdown") {
    const line = view.last_stone ? t("line_last_stone") : t("line_countdown");
    return { player: view.turn, title: turn, line, hint: t("then", { name: next }) };
  }
  return { player: view.turn, title: turn, line: t("line_turn"), hint: t("then", { name: next }) };
}

const CALLS = { collapse: "fault", fell_off: "fault", call_missed: "fault", call_said: "call", round_end: "win",
  game_end: "win", placed: "", turn_end: "", wait: "call", not_in_turn: "call", unseen: "fault" };
const SOUNDS = { fault: "fault", call: "call", win: "win" };

// A ruling in words: {text, call, sound}; call is the look of a word that all should see, "" where none is due.
export function rulingWords(view, ruling, t) {
  const names = namesOf(view);
  const values = { n: 0, ...ruling.data };
  if (values.n === 0 && typeof ruling.data.count === "number") values.n = ruling.data.count;
  values.name = names[ruling.player] || "";
  let key = "ruling_" + ruling.kind;
  if (ruling.kind === "turn_end") key += "_" + ruling.data.reason;
  let text;
  try {
    text = t(key, values);
  } catch (error) {
    text = t("ruling_other", values); // a newer referee than this page
  }
  const call = CALLS[ruling.kind] || "";
  return { text, call, sound: SOUNDS[call] };
}
