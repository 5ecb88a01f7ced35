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
  const key = view.phase === "countdown" && view.last_stone ? "last_stone" : view.phase;
  return { player: view.turn, title: names[view.turn] || "", line: t("line_" + key), hint: t("then", { name: names[view.next] || "" }) };
}

// Which rulings all should see at once, and how: the look of the word and its sound.
const CALLS = { collapse: "fault", fell_off: "fault", call_missed: "fault", unseen: "fault", call_said: "said", wait: "said",
  not_in_turn: "said", extra_stone: "said", round_end: "win", game_end: "win" };

// A ruling in words: {text, call}; call is "" where no word is due.
export function rulingWords(view, ruling, t) {
  const data = ruling.data || {};
  let key = "ruling_" + ruling.kind + (ruling.kind === "turn_end" ? "_" + data.reason : "");
  if (ruling.player === null && t.has(key + "_bag")) key += "_bag"; // nobody takes the stones: they go to the bag (Y33)
  const call = CALLS[ruling.kind] || "";
  const values = { ...data, n: data.count || 0, name: namesOf(view)[ruling.player] || "" };
  return { text: t(t.has(key) ? key : "ruling_other", values), call };
}
