// The line of tikis as a page needs it: groups, lining up, what may be played. Pure: codes in, codes out.

// T02: three groups of three.
export const GROUPS = [["nani", "wikiwiki", "huhu"], ["nui", "lokahi", "akamai"], ["eepo", "hookipa", "kapu"]];
export const TIKIS = GROUPS[0].concat(GROUPS[1], GROUPS[2]);
export const CARDS = ["up_1", "up_2", "up_3", "topple", "toast"];

// The tikis that may come next in a line that is being made (T03: a group stays together).
export function mayFollow(order) {
  const begun = order.length % 3 ? GROUPS.find((group) => group.includes(order[order.length - 1])) : TIKIS;
  return begun.filter((tiki) => !order.includes(tiki));
}

// A tap on a tiki while the line is made: it comes next, or it and all after it are taken out again.
export function tapped(order, tiki, most) {
  if (order.includes(tiki)) return order.slice(0, order.indexOf(tiki));
  const allowed = most === TIKIS.length ? mayFollow(order) : TIKIS;
  return order.length < most && allowed.includes(tiki) ? order.concat(tiki) : order;
}

// The tikis that a card may move now.
export function tikisFor(view, card) {
  const held = view.held.find((each) => each.card === card);
  return held ? held.tikis : [];
}

// One more of a card among those played, or none of it where all are.
export function playedOneMore(played, card, whole) {
  const count = played.filter((each) => each === card).length;
  return count < whole ? played.concat(card) : played.filter((each) => each !== card);
}

// The code that says why a card may not be played now, or not on that tiki; "" where it may.
export function whyNot(view, card, tiki) {
  const found = view.held.find((each) => each.card === card).not.find(([, tikis]) => !tiki || tikis.includes(tiki));
  return found ? found[0] : "";
}
