import assert from "node:assert/strict";
import { test } from "node:test";
import { LEAD_MS, NEAR_MS, SLOWER, nearOf, playClip, shownAt, stonesAt } from "../../../web/static/clip.js";
import { placed } from "../../../web/static/placed.js";

const stone = (x, track = 1) => ({ track, x, y: 0 });
const frames = [{ ms: -5000, stones: [stone(0)] }, { ms: -100, stones: [stone(10), stone(50, 2)] },
  { ms: 0, stones: [stone(30)] }, { ms: 40, stones: [stone(40)] }];

test("a clip shows the newest picture that is not later, and between two that are near a stone is on its way", () => {
  assert.deepEqual([-6000, -4000, -101, -100, 0, 40, 3000].map((ms) => stonesAt(frames, ms)[0].x), [0, 0, 0, 10, 30, 40, 40]);
  assert.deepEqual([-50, 20].map((ms) => stonesAt(frames, ms)[0].x), [20, 35]);
  assert.equal(stonesAt(frames, -50)[1].x, 50); // not in the next picture: it stays until then
  assert.deepEqual(stonesAt([], 0), []);
});

test("it is slow around the moment alone, never goes back, and passes every moment", () => {
  const times = Array.from({ length: 2000 }, (_, k) => shownAt(-LEAD_MS, k * 10));
  times.slice(1).forEach((ms, k) => {
    const step = ms - times[k];
    const inside = times[k] >= -NEAR_MS && ms <= NEAR_MS;
    assert.ok(inside ? Math.abs(step - 10 / SLOWER) < 1e-6 : step > 0 && step < 10 + 1e-6);
  });
  assert.equal(shownAt(-400, 400 * SLOWER), 0); // kept from later on: slow at once
});

test("the part that is shown holds the stones that it is about", () => {
  assert.equal(nearOf({ frames }, 0), null);
  const near = nearOf({ frames, stones: [1, 2] }, 0);
  for (const x of [10, 30, 40, 50]) assert.ok(Math.abs(x - near.x) + 10 <= near.half);
  assert.ok(nearOf({ frames, stones: [1] }, 90).y < 0); // as the board is turned
});

test("a clip is played on the page's board, the stones glow once it happened, and then the board is the live one again", async () => {
  global.document = { body: { dataset: {} } };
  let now = 0;
  let touch = null;
  const steps = [];
  const shown = [];
  const boxes = [];
  const svg = { addEventListener: (name, f) => (touch = f), removeEventListener: () => {}, getBoundingClientRect: () => ({ width: 200, height: 100 }),
    setAttribute: (name, value) => boxes.push(value) };
  const page = { game: "g1", clip: null, view: { players: [1, 2] }, seat: () => -1, t: (key, values) => key + JSON.stringify(values),
    draw: () => shown.push([page.clip.words, page.clip.stones[0].glow === true]), redraw: () => shown.push(page.clip),
    fetchJson: (path) => Promise.resolve(path === "/g/g1/clip/7" ? { from_ms: -5000, to_ms: 3000, frames, stones: [1] } : null) };
  const env = { now: () => now, later: (step) => steps.push(step), svg };
  assert.equal(await playClip(page, 8, "Snap", env), false);
  const until = (ms) => {
    while (shownAt(-LEAD_MS, now) < ms) now += 5;
    steps.shift()();
  };
  assert.equal(await playClip(page, 7, "Snap", env), true);
  until(50);
  until(3001);
  assert.deepEqual(shown, [['showing_before{"n":3}', false], ['showing_it{"what":"Snap"}', true], null]);
  assert.equal(document.body.dataset.clip, "");
  assert.equal(steps.length, 0);
  assert.equal(boxes.length, 2);
  assert.equal(await playClip(page, 7, "Snap", env), true);
  touch();
  steps.shift()();
  assert.equal(page.clip, null);
});

test("standings: most rounds first, fewest points where those count; equal ones as they sit", () => {
  const players = [{ id: 1, wins: 0, points: 4 }, { id: 2, wins: 2, points: 9 }, { id: 3, wins: 0, points: 1 }];
  assert.deepEqual(placed({ players, scoring: "best_of" }).map((p) => p.id), [2, 1, 3]);
  assert.deepEqual(placed({ players, scoring: "points" }).map((p) => p.id), [3, 1, 2]);
});
