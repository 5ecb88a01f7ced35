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
