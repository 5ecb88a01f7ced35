import assert from "node:assert/strict";
import { test } from "node:test";
import { holdToPress } from "../../../web/static/hold.js";

function makeButton() {
  const listeners = {};
  const classes = new Set();
  return { disabled: false, classList: { add: (name) => classes.add(name), remove: (name) => classes.delete(name) }, classes,
    addEventListener: (name, f) => (listeners[name] = f),
    fire: (name, event = {}) => listeners[name] && listeners[name]({ preventDefault() {}, ...event }) };
}

test("a second of holding counts, less does not", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const button = makeButton();
  const said = [];
  holdToPress(button, 1000, () => said.push("done"), () => said.push("short"));
  button.fire("pointerdown");
  context.mock.timers.tick(999);
  button.fire("pointerup");
  context.mock.timers.tick(5000);
  assert.deepEqual(said, ["short"]);
  button.fire("pointerdown");
  assert.ok(button.classes.has("holding"));
  context.mock.timers.tick(1000);
  button.fire("pointerup");
  assert.deepEqual(said, ["short", "done"]);
  assert.ok(!button.classes.has("holding"));
});

test("keys hold as well, repeats do not begin anew, and leaving lets go", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const button = makeButton();
  const said = [];
  holdToPress(button, 1000, () => said.push("done"), () => said.push("short"));
  for (let k = 0; k < 4; k += 1) {
    button.fire("keydown", { key: "Enter" });
    context.mock.timers.tick(250);
  }
  button.fire("keyup", { key: "Enter" });
  assert.deepEqual(said, ["done"]);
  button.fire("keydown", { key: " " });
  button.fire("blur");
  button.fire("keydown", { key: "a" });
  button.disabled = true;
  button.fire("pointerdown");
  context.mock.timers.tick(5000);
  assert.deepEqual(said, ["done", "short"]);
});
