import assert from "node:assert/strict";
import { test } from "node:test";
import { Sounds } from "../../../web/static/sound.js";

test("H8: a phone that cannot vibrate, or has no sound, misses nothing else", () => {
  for (const scope of [{}, { navigator: {} }, { navigator: { vibrate: "no" } }]) {
    const sounds = new Sounds(scope);
    sounds.allow();
    sounds.play("fault");
  }
});

test("sound begins only once a tap has allowed it", () => {
  const tones = [];
  const node = () => ({ frequency: {}, gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} },
    connect: (next) => next, start: (at) => tones.push(at), stop() {} });
  class AudioContext {
    constructor() {
      this.state = "suspended";
      this.currentTime = 5;
    }
    async resume() {
      this.state = "running";
    }
    createOscillator() {
      return node();
    }
    createGain() {
      return node();
    }
  }
  const vibrated = [];
  const sounds = new Sounds({ AudioContext, navigator: { vibrate: (ms) => vibrated.push(ms) } });
  sounds.play("win");
  assert.deepEqual(tones, []);
  sounds.allow();
  sounds.play("fault");
  assert.equal(tones[0], 5);
  assert.deepEqual(vibrated, [200]);
});
