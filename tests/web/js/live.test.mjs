import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { LiveView, SILENCE_MS } from "../../../web/static/live.js";

// A world with a hand-driven clock, streams that do what the test says, and a server that may be away.
let world;
function makeWorld() {
  const w = { now: 0, timers: [], streams: [], fetched: 0, server: { seq: 1 }, states: [], views: [] };
  w.later = (f, ms) => {
    const timer = { at: w.now + ms, f };
    w.timers.push(timer);
    return timer;
  };
  w.cancel = (timer) => (w.timers = w.timers.filter((one) => one !== timer));
  w.run = async (ms) => {
    const end = w.now + ms;
    for (;;) {
      await settle();
      const due = w.timers.filter((one) => one.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      w.now = due.at;
      w.cancel(due);
      due.f();
    }
    w.now = end;
    await settle();
  };
  w.EventSource = class {
    constructor(url) {
      this.url = url;
      this.closed = false;
      this.listeners = {};
      w.streams.push(this);
    }
    addEventListener(name, f) {
      this.listeners[name] = f;
    }
    close() {
      this.closed = true;
    }
  };
  w.fetchView = async () => {
    w.fetched += 1;
    if (!w.server) throw new Error("away");
    return w.server;
  };
  w.live = new LiveView("/events?after=", 1, { EventSource: w.EventSource, fetchView: w.fetchView, later: w.later,
    cancel: w.cancel, now: () => w.now }, {
    view: (envelope) => w.views.push(envelope.seq),
    beat: () => {},
    state: (state) => w.states.push(state),
  });
  w.stream = () => w.streams[w.streams.length - 1];
  w.message = (seq) => w.stream().onmessage({ data: JSON.stringify({ seq }) });
  w.beat = () => w.stream().listeners.beat({ data: "{}" });
  w.open = () => w.streams.filter((one) => !one.closed).length;
  return w;
}

async function settle() {
  for (let k = 0; k < 10; k += 1) await Promise.resolve();
}

beforeEach(() => {
  world = makeWorld();
  world.live.start();
});

test("the stream begins behind the view that came with the page, and views come through in order", async () => {
  assert.equal(world.stream().url, "/events?after=1");
  world.message(2);
  world.message(3);
  assert.deepEqual(world.views, [2, 3]);
  assert.deepEqual(world.states, ["live"]);
});

test("beats keep it live for as long as they come", async () => {
  world.beat();
  for (let k = 0; k < 30; k += 1) {
    await world.run(1000);
    world.beat();
  }
  assert.deepEqual(world.states, ["live"]);
  assert.equal(world.streams.length, 1);
});

test("silence is told within 2 s, and the view is fetched before the stream is opened again", async () => {
  world.message(2);
  world.server = null;
  await world.run(SILENCE_MS - 1);
  assert.deepEqual(world.states, ["live"]);
  await world.run(1);
  assert.ok(SILENCE_MS <= 2000);
  assert.deepEqual(world.states, ["live", "lost"]);
  assert.equal(world.open(), 0);
  await world.run(1400);
  assert.equal(world.streams.length, 1); // asks for the view only, until one comes
  world.server = { seq: 9 };
  await world.run(600);
  assert.deepEqual(world.states, ["live", "lost", "live"]);
  assert.deepEqual(world.views, [2, 9]);
  assert.equal(world.stream().url, "/events?after=9");
  assert.equal(world.open(), 1);
});

test("H1: a stream that is dead but says it is open is replaced when the page is shown again", async () => {
  world.message(2);
  const dead = world.stream();
  world.server = { seq: 5 };
  world.live.visibility(false);
  world.live.visibility(true);
  await settle();
  assert.equal(dead.closed, true);
  assert.equal(world.fetched, 1);
  assert.deepEqual(world.views, [2, 5]);
  assert.equal(world.open(), 1);
  dead.onmessage({ data: JSON.stringify({ seq: 3 }) });
  assert.deepEqual(world.views, [2, 5]);
});

test("H3: a page that is hidden for 10 s gives its stream back", async () => {
  world.beat();
  world.live.visibility(false);
  for (let k = 0; k < 9; k += 1) {
    await world.run(1000);
    world.beat();
  }
  assert.equal(world.open(), 1);
  await world.run(1000);
  assert.equal(world.open(), 0);
  await world.run(60000);
  assert.equal(world.open(), 0);
  assert.equal(world.fetched, 0);
  world.live.visibility(true);
  await settle();
  assert.equal(world.open(), 1);
});

test("a full house: the view once a second, the stream again after ten", async () => {
  world.stream().onerror();
  await settle();
  assert.equal(world.fetched, 1);
  assert.equal(world.streams.length, 1);
  await world.run(5000);
  assert.equal(world.fetched, 6);
  assert.equal(world.streams.length, 1);
  assert.deepEqual(world.states, ["live"]);
  await world.run(5000);
  assert.equal(world.streams.length, 2);
});

test("a stream that breaks off is told at once and opened again", async () => {
  world.message(2);
  world.stream().onerror();
  assert.deepEqual(world.states, ["live", "lost"]);
  await settle();
  assert.deepEqual(world.states, ["live", "lost", "live"]);
  assert.equal(world.open(), 1);
});

test("an answer that comes after a newer doubt is dropped", async () => {
  let answer;
  world.live.env.fetchView = () => new Promise((done) => (answer = done));
  world.live.visibility(true);
  const old = answer;
  world.live.visibility(true);
  answer({ seq: 8 });
  await settle();
  old({ seq: 7 });
  await settle();
  assert.deepEqual(world.views, [8]);
});
