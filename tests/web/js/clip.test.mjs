import assert from "node:assert/strict";
import { test } from "node:test";
import { SLOWER, playClip, stonesAt } from "../../../web/static/clip.js";
import { placed } from "../../../web/static/placed.js";

const frames = [{ ms: -5000, stones: ["a"] }, { ms: -10, stones: ["b"] }, { ms: 40, stones: ["c"] }];

test("a clip shows the newest picture that is not later", () => {
  assert.deepEqual([-6000, -11, -10, 39, 3000].map((ms) => stonesAt(frames, ms)[0]), ["a", "a", "b", "b", "c"]);
  assert.deepEqual(stonesAt([], 0), []);
});

test("a clip is played slowly on the page's board, and then the board is the live one again", async () => {
  let now = 0;
  const steps = [];
  const shown = [];
  const page = { game: "g1", clip: null, draw: () => shown.push(page.clip && page.clip.stones[0]),
    fetchJson: (path) => Promise.resolve(path === "/g/g1/clip/7" ? { from_ms: -5000, to_ms: 3000, frames } : null) };
  const env = { now: () => now, later: (step) => steps.push(step) };
  assert.equal(await playClip(page, 8, env), false);
  assert.equal(await playClip(page, 7, env), true);
  for (const ms of [-9, 100, 3001]) {
    now = (ms + 5000) * SLOWER;
    steps.shift()();
  }
  assert.deepEqual(shown, ["a", "b", "c", null]);
  assert.equal(steps.length, 0);
});

test("standings: most rounds first, fewest points where those count; equal ones as they sit", () => {
  const players = [{ id: 1, wins: 0, points: 4 }, { id: 2, wins: 2, points: 9 }, { id: 3, wins: 0, points: 1 }];
  assert.deepEqual(placed({ players, scoring: "best_of" }).map((p) => p.id), [2, 1, 3]);
  assert.deepEqual(placed({ players, scoring: "points" }).map((p) => p.id), [3, 1, 2]);
});
