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

const BRIEF = 8; // letters of a name where it stands in one line with more

// A name that leaves room for what is said of it.
export function brief(name) {
  const signs = [...name];
  return signs.length > BRIEF ? signs.slice(0, BRIEF - 1).join("").trimEnd() + "…" : name;
}
