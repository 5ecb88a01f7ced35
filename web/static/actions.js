// Which buttons a phase offers. Pure: view in, codes out; the page draws them and sends them.

// Returns {main, side, last}: main: the one big thing to press next, or null; side: what may go wrong, in pairs; last:
// how the Last Yiker button looks: "due", "said" or "idle". Each button: {key, name, args, count} where count is
// [lowest, highest] when a number is asked first.
export function actionsFor(view, byHand) {
  const none = { main: null, side: [], last: null };
  if (view.phase === "game_over") return none;
  if (view.phase === "round_over") return { ...none, main: { key: "next_round", name: "next_round" } };
  const last = view.call && view.call.state === "said" ? "said" : view.call && view.call.state === "due" ? "due" : "idle";
  const side = byHand ? [
    { key: "collapse", name: "collapse", count: [2, 9] },
    { key: "fell_off", name: "fell_off", count: [1, 9] },
  ] : [];
  if (view.remove) return { main: { key: "taken", name: "taken", args: { count: view.remove.left } }, side, last };
  if (!byHand) return { main: null, side, last };
  if (view.phase === "place" || view.phase === "hand") return { main: { key: "placed", name: "placed" }, side, last };
  if (view.phase === "settle") return { main: { key: "next", name: "next" }, side, last };
  return { main: null, side, last };
}
