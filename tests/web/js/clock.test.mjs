import assert from "node:assert/strict";
import { test } from "node:test";
import { ServerClock, sampleClock } from "../../../web/static/clock.js";

// A server whose clock is ahead of the page's performance clock by OFFSET ms.
const OFFSET = 123456.5;
const serverUs = (pageMs) => Math.round((pageMs + OFFSET) * 1000);

test("the true offset lies within the proven bound, whatever the delays", () => {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let run = 0; run < 200; run += 1) {
    const clock = new ServerClock();
    let t = 1000;
    for (let k = 0; k < 8; k += 1) {
      const up = random() * 60;
      const down = random() < 0.1 ? 300 : random() * 60;
      clock.sample(t, t + up + down, serverUs(t + up), 1);
      t += up + down + 5;
      clock.push(t + down, serverUs(t), 1);
      t += down;
    }
    const error = Math.abs(clock.serverUs(t) / 1000 - (t + OFFSET));
    assert.ok(error <= clock.boundMs() + 0.01, `${error} > ${clock.boundMs()}`);
  }
});

test("the interval is intersected: one quick answer among slow ones decides", () => {
  const clock = new ServerClock();
  clock.sample(0, 400, serverUs(300), 1);
  assert.equal(clock.boundMs(), 200);
  clock.sample(500, 504, serverUs(502), 1);
  assert.ok(clock.boundMs() < 2.1);
  clock.sample(600, 900, serverUs(700), 1);
  assert.ok(clock.boundMs() < 2.2);
  assert.ok(Math.abs(clock.serverUs(900) - serverUs(900)) < 100);
});

test("nothing is shown before the first round trip", () => {
  const clock = new ServerClock();
  assert.equal(clock.serverUs(10), null);
  clock.push(10, serverUs(8), 1);
  assert.equal(clock.serverUs(10), null);
  assert.equal(clock.boundMs(), Infinity);
});

test("the bound grows with time as two quartzes drift", () => {
  const clock = new ServerClock();
  clock.sample(0, 2, serverUs(1), 1);
  const before = clock.boundMs();
  clock.push(100000, serverUs(99000), 1);
  assert.ok(Math.abs(clock.boundMs() - before - 10) < 0.01); // 100 ppm of 100 s
});

test("a clock that jumped is believed at once", () => {
  const clock = new ServerClock();
  clock.sample(0, 2, serverUs(1), 1);
  clock.sample(100, 104, serverUs(102) + 5e6, 1);
  assert.ok(Math.abs(clock.serverUs(104) - serverUs(104) - 5e6) < 3000);
});

test("a replay at 20 times the speed is followed", () => {
  const clock = new ServerClock();
  const fast = (ms) => (ms + 1000) * 1000 * 20;
  clock.sample(0, 4, fast(2), 20);
  assert.equal(clock.boundMs(), 2);
  assert.equal(clock.serverUs(50), fast(50));
  clock.sample(100, 104, serverUs(102), 1);
  assert.equal(clock.serverUs(104), serverUs(104));
});

test("H10: the phone's own date plays no part", () => {
  const right = Date.now;
  Date.now = () => right() + 7 * 60 * 1000;
  try {
    const clock = new ServerClock();
    clock.sample(0, 2, serverUs(1), 1);
    assert.equal(clock.serverUs(2), serverUs(2));
  } finally {
    Date.now = right;
  }
});

test("sampling takes its round trips one after the other and stops where the link fails", async () => {
  const clock = new ServerClock();
  let now = 0;
  let asked = 0;
  const fetchClock = async () => {
    asked += 1;
    now += 10;
    if (asked === 3) throw new Error("no link");
    return { s: serverUs(now - 5), rate: 1 };
  };
  await sampleClock(clock, fetchClock, () => now, 6);
  assert.equal(asked, 3);
  assert.ok(clock.known());
});
