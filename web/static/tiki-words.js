// Tiki Topple in words: what the page says of a state. Texts by key, never prose.

// Names of the game, the same in every language.
export function tikiName(tiki) {
  return tiki.charAt(0).toUpperCase() + tiki.slice(1);
}

export function whoIs(view, id) {
  const player = view.players.find((p) => p.id === id);
  return player ? player.name : "";
}

// Who is meant now (id or null), and the line under the name.
export function headWords(view, t) {
  const { round, phase } = view;
  if (phase === "over") {
    const names = view.winners.map((id) => whoIs(view, id)).join(", ");
    return { player: view.winners.length === 1 ? view.winners[0] : null, title: names, line: t("head_over", { n: view.winners.length }) };
  }
  const where = round.final ? t("final_round", { n: round.final }) : round.of === null ? t("round_n", { n: round.number }) : t("round_of", { n: round.number, of: round.of });
  const player = phase === "play" ? round.turn : phase === "line_up" ? round.starter : null;
  return { player, title: player === null ? where : whoIs(view, player), line: t("head_" + phase, { where }) };
}
