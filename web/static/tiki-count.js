// What cards earn, by the sheet's example, and how many of each a hand has. Pure.

// T13.
export const EXAMPLE = {
  places: ["lokahi", "hookipa", "akamai"],
  cards: { A: ["hookipa", "lokahi", "nani"], B: ["wikiwiki", "hookipa", "akamai"], C: ["lokahi", "wikiwiki", "hookipa"], D: ["akamai", "huhu", "hookipa"] },
};
const VALUES = [[9, 1], [5, 2], [2, 3]]; // T12: points, and the lowest place in which they are given

// What each tiki of a card earns, given the first three of the line.
export function earned(card, places) {
  return card.map((tiki, slot) => (places.includes(tiki) && places.indexOf(tiki) < VALUES[slot][1] ? VALUES[slot][0] : 0));
}

// How many of a card are in a whole hand of so many cards (T01).
export function wholeHand(card, cards) {
  return { up_1: cards - 5, toast: 2 }[card] || 1;
}

// One more of a card among those played, or none of it where all are.
export function playedOneMore(played, card, cards) {
  const count = played.filter((each) => each === card).length;
  return count < wholeHand(card, cards) ? played.concat(card) : played.filter((each) => each !== card);
}
