// Rulings in words on the page of a game that was played, by the kind of game. Texts by key, never prose.
import { rulingWords } from "./calls.js";
import { shapeWord } from "./cirkis-foreseen.js";
import { rulingText } from "./tiki-rulings.js";
import { whoIs } from "./tiki-words.js";

function cirkisWords(told, ruling, t) {
  const { data = {}, kind, player } = ruling;
  const key = "ruling_" + kind;
  return t(t.has(key) ? key : "ruling_other", { name: whoIs(told, player), n: data.points, shape: data.shape ? shapeWord(data.shape, t) : "" });
}

const WORDS = { yikerz: (told, ruling, t) => rulingWords(told, ruling, t).text, tiki: rulingText, cirkis: cirkisWords };

// A ruling of a game of this kind in a sentence.
export function recordWords(told, ruling, t) {
  return WORDS[told.kind](told, ruling, t);
}

// What the players earned in each round, as [[id, points]], in order; [] where the round brought no points to tell of.
// CirKis tells them with the end of the round, Tiki Topple in the rulings behind it.
export function roundPoints(rulings) {
  const rounds = [];
  for (const { kind, player, data = {} } of rulings) {
    if (kind === "round_end") rounds.push((data.points || []).filter(Array.isArray)); // those of ¡Yikerz! are sums of the game
    else if (kind === "points" && rounds.length && data.total !== undefined) rounds[rounds.length - 1].push([player, data.points]);
  }
  return rounds;
}
