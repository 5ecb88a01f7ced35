import assert from "node:assert/strict";
import { test } from "node:test";
import { countdown, standing } from "../../../web/static/countdown.js";

const S = 1e6;

test("whole seconds that are still left, to the microsecond", () => {
  assert.deepEqual(countdown(10 * S, 0, true), { text: "10", mood: "run" });
  assert.deepEqual(countdown(10 * S, 1, true), { text: "10", mood: "run" });
  assert.deepEqual(countdown(10 * S, 6 * S, true), { text: "4", mood: "run" });
  assert.deepEqual(countdown(10 * S, 7 * S, true), { text: "3", mood: "soon" });
  assert.deepEqual(countdown(10 * S, 10 * S - 1, true), { text: "1", mood: "soon" });
});

test("at zero and after it waits for the server's word", () => {
  assert.deepEqual(countdown(10 * S, 10 * S, true), { text: "0", mood: "checking" });
  assert.deepEqual(countdown(10 * S, 90 * S, true), { text: "0", mood: "checking" });
});

test("at zero nothing is shown where people are asked: it waits for them", () => {
  assert.deepEqual(countdown(10 * S, 10 * S, true, true), { text: "", mood: "none" });
  assert.equal(countdown(10 * S, 9 * S, true, true).text, "1");
});

test("H9: after 40 s in the background the very next picture is right", () => {
  let shown = countdown(60 * S, 1 * S, true).text;
  assert.equal(shown, "59");
  shown = countdown(60 * S, 41 * S, true).text; // no tick came in between
  assert.equal(shown, "19");
});

test("never a running clock on stale data, none without a deadline", () => {
  assert.equal(countdown(10 * S, 5 * S, false).text, "–");
  assert.equal(countdown(10 * S, null, true).mood, "unknown");
  assert.deepEqual(countdown(null, 5 * S, true), { text: "", mood: "none" });
});

test("the clock stands while a ruling is doubted", () => {
  assert.equal(standing({ dispute: { since_us: 3 * S } }, 60 * S), 3 * S);
  assert.equal(standing({ dispute: null }, 60 * S), 60 * S);
});
