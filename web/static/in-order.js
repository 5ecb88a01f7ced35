// What is chosen while another choice travels goes after it: a second choice is no double tap, and none is lost.

// press(...) -> Promise; the function returned takes the same and gives the same, one at a time.
export function inOrder(press) {
  let last = Promise.resolve();
  return (...args) => {
    const mine = last.then(() => press(...args));
    last = mine.catch(() => null); // one that fails does not hold up those behind it
    return mine;
  };
}
