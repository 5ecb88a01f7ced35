// A line of tikis drawn by lot.
import { GROUPS } from "./tiki-line.js";

// A line by T03 to be set up as it comes; below(n) is a random number from 0 to n - 1.
export function drawnLine(below) {
  const mixed = (list) => {
    const left = list.slice();
    const out = [];
    while (left.length) out.push(left.splice(below(left.length), 1)[0]);
    return out;
  };
  return mixed(GROUPS).reduce((line, group) => line.concat(mixed(group)), []);
}

// A random whole number from 0 to n - 1, for n up to some hundreds.
export function randomBelow(n) {
  return window.crypto.getRandomValues(new Uint32Array(1))[0] % n;
}
