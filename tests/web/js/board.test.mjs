import assert from "node:assert/strict";
import { test } from "node:test";
import { BoardDrawing } from "../../../web/static/board.js";

// As much of an element as the drawing needs.
class Element {
  constructor() {
    this.children = new Set();
  }

  setAttribute() {}

  appendChild(child) {
    child.remove();
    this.children.add(child);
    child.parent = this;
  }

  remove() {
    if (this.parent) this.parent.children.delete(this);
  }

  getBoundingClientRect() {
    return { width: 0, height: 0 };
  }
}

test("a stone that is lost for a moment stays drawn, one that stays away does not", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.document = { createElementNS: () => new Element() };
  const board = new BoardDrawing(new Element());
  const show = (...tracks) => {
    const stones = tracks.map((track) => ({ track, x: 40 * track, y: 0, turn: 0, upright: false, pole: 1 }));
    board.show({ board: { tiles: [], side: 150, stones }, players: [], turn: 0 }, -1, () => "");
    return board.rest.children.size;
  };
  assert.deepEqual([show(1, 2), show(1), show(1, 2)], [2, 2, 2]);
  t.mock.timers.tick(1000);
  assert.equal(board.rest.children.size, 2); // it came back
  assert.deepEqual([show(1), show(1)], [2, 2]);
  t.mock.timers.tick(399);
  assert.equal(board.rest.children.size, 2);
  t.mock.timers.tick(1);
  assert.equal(board.rest.children.size, 1);
  assert.equal(show(1, 2), 2); // another stone, or the same again
});
