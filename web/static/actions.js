// Which buttons a phase offers. Pure: a view in, codes out; the page draws them and sends them.

// What may go wrong by hand: no more stones than lie on the board and may still stick together or fall (Y21).
function faults(view) {
  const found = [];
  const most = view.loose + (view.hand ? 1 : 0);
  if (most >= 2) found.push({ key: "collapsed", name: "collapsed", count: [2, most] });
  if (view.loose >= 1) found.push({ key: "fell_off", name: "fell_off", count: [1, view.loose] });
  return found;
}

// Returns {main, side, last}. main: the one big thing to press next, or null; side: what may go wrong; last: how the
// Last Yiker button looks ("due", "said", "missed", "idle", or null where there is none). A button: {key, name, args?,
// count?}, count [lowest, highest] where a number is asked first. byHand: the table has no sensors, or they cannot be
// trusted. Nothing is offered that would be refused: the last stone's 10 s are waited for (Y17).
export function actionsFor(view, byHand) {
  const none = { main: null, side: [], last: null };
  if (view.phase === "lobby") return none;
  if (view.phase === "game_end") return { ...none, main: { key: "again" } };
  if (view.phase === "round_end") return { main: { key: "next_round", name: "next_round" }, side: [], last: null };
  const last = view.phase === "penalty" ? "missed" : view.call ? view.call.state : "idle";
  const side = byHand ? faults(view) : [];
  if (view.remove) return { main: { key: "removed", name: "removed" }, side, last };
  if (!byHand) return { main: null, side, last };
  if (view.phase === "turn") return { main: { key: "placed", name: "placed" }, side, last };
  if (view.phase === "countdown" && !view.waits) return { main: { key: "next_player", name: "next_player" }, side, last };
  return { main: null, side, last };
}

// Which question to put: after an undo, whether the stones lie as they should (its id is "laying"); the oldest one, then a ruling that is doubted (its id is "dispute"); null without any.
export function openQuestion(view) {
  if (view.laying) return { id: "laying", code: "laying", player: null, choices: ["laid", "as_it_lies"] };
  if (view.questions.length) return view.questions[0];
  return view.dispute ? { id: "dispute", code: "dispute", player: null, choices: ["confirm", "reject"] } : null;
}
