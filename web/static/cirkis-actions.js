// Which buttons the CirKis page offers, and what it says beside them. Pure: a view in, codes out.

// The two buttons {side, main}, each {key, hold?, off?, quiet?} or null. state: {chosen: spaces, overrule: the table may allow what
// stands against it, stopped: something does, known: what it would do is known, correcting: an earlier piece}.
export function buttonsFor(view, state) {
  const { chosen, overrule, stopped, known, correcting } = state;
  if (correcting) return { side: { key: "leave" }, main: overrule ? { key: "overrule", hold: true } : { key: "change", off: !chosen.length } };
  if (view.dispute && !chosen.length) return { side: null, main: { key: "doubt" } };
  if (view.phase === "over") return { side: { key: "why" }, main: { key: "again" } };
  if (view.phase === "between") return { side: { key: "why" }, main: { key: "next_round" } };
  if (view.phase === "tie") return { side: { key: "why" }, main: { key: "unplayed" } };
  if (view.mode === "quick") {
    if (view.turn !== null) return { side: null, main: { key: "turn_over" } };
    return { side: { key: "stuck", hold: true }, main: { key: "out", quiet: true } };
  }
  if (chosen.length) {
    const main = overrule ? { key: "overrule", hold: true } : { key: "place", off: stopped || !known };
    return { side: { key: "clear" }, main };
  }
  const lose = view.free ? "lapse" : "lose";
  if (isStuck(view)) return { side: null, main: { key: lose } };
  return { side: view.deeds.length ? { key: lose, hold: true } : null, main: { key: "place", off: true } };
}

// Whether the page itself sees that the player in turn cannot place: no space is open, or no piece of the set fits.
function isStuck(view) {
  return !view.open.length || (view.unable !== null && view.unable.includes(view.turn));
}

// The key of what the page says while nothing is foreseen.
export function hintKey(view, { chosen, correcting }) {
  if (correcting) return "correcting";
  if (view.dispute && !chosen.length) return "hint_doubt";
  if (view.phase === "over" && view.result.winners.length) return "won_by_" + view.result.clause;
  if (view.phase !== "play") return "hint_" + view.phase;
  if (view.mode === "quick") return view.turn === null ? "hint_quick" : "hint_stop";
  if (chosen.length) return "looking";
  if (!view.open.length) return view.free ? "no_space_free" : "no_space";
  if (isStuck(view)) return "unable";
  return view.deeds.length ? (view.free ? "hint_free" : "hint_turn") : "hint_first";
}

// The spaces still chosen after the view has changed: those of a piece that somebody has just placed are let go.
export function stillChosen(chosen, before, view) {
  const same = view.phase === "play" && view.turn === before.turn && view.deeds.length === before.deeds.length;
  return same ? chosen : [];
}

// Which deeds are new since another view of the same round, for all to be told.
export function newDeeds(before, view) {
  if (view.round !== before.round || view.undone !== before.undone) return [];
  return view.deeds.slice(before.deeds.length);
}
