// The copy that a sheet works on, begun from what the view says and begun anew where the game has changed that meanwhile:
// what somebody else said since is never said away unseen.

// at: of the open sheet. read(view) -> a fresh copy. Leaves in `at`: now, the copy; version: of the view that says what
// it was begun from, to be sent with it; moved: it was begun anew. Pure.
export function begunFrom(at, view, read) {
  const begun = JSON.stringify(read(view));
  if (at.begun !== begun) Object.assign(at, { now: read(view), moved: at.begun !== undefined, begun });
  at.version = view.version;
  return at.now;
}
