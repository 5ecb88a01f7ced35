// The board's pure parts: the window on it, and its spaces under a finger.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { boardPoint, clamped, moved, REACH, thumbScale, wholeBoard, zoomed } from "../../../web/static/cirkis-window.js";
import { Spaces } from "../../../web/static/cirkis-spaces.js";
import { Taps } from "../../../web/static/cirkis-taps.js";

const drawing = JSON.parse(readFileSync(new URL("../../data/cirkis_drawing.json", import.meta.url)));
const facts = JSON.parse(readFileSync(new URL("../../data/cirkis_spaces.json", import.meta.url)));
const spaces = new Spaces(drawing);
const taps = new Taps(spaces);
const box = { width: 304, height: 214 };
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

test("the whole board fits the box", () => {
  const at = wholeBoard(box);
  for (const [x, y] of spaces.outline) {
    const [left, top] = boardPoint(at, box, 0, 0);
    assert.ok(x > left && x < -left && y > top && y < -top);
  }
});

test("a pixel stays on its point of the board when zooming and pinching, and is dragged along", () => {
  const at = { x: 40, y: -70, scale: 0.6 };
  for (const next of [zoomed(at, box, 1.1, 90, 30), moved(at, box, [[80, 30], [100, 30]], [[70, 30], [110, 30]])]) {
    boardPoint(next, box, 90, 30).forEach((value, axis) => near(value, boardPoint(at, box, 90, 30)[axis]));
  }
  assert.equal(moved(at, box, [[80, 30], [100, 30]], [[70, 30], [110, 30]]).scale, 1.2);
  const dragged = moved(at, box, [[10, 10]], [[25, 4]]);
  boardPoint(dragged, box, 25, 4).forEach((value, axis) => near(value, boardPoint(at, box, 10, 10)[axis]));
});

test("the window never leaves the board and never grows or shrinks without end", () => {
  const most = 0.6;
  for (const wild of [{ x: 9e9, y: -9e9, scale: 1e9 }, { x: 5, y: 5, scale: 0 }, { x: -700, y: 700, scale: 1 }]) {
    const at = clamped(wild, box, most);
    assert.ok(at.scale >= wholeBoard(box).scale && at.scale <= most * 2.5);
    assert.ok(Math.abs(at.x) <= REACH && Math.abs(at.y) <= REACH);
  }
  assert.deepEqual(clamped({ x: 300, y: 9, scale: 0 }, { width: 300, height: 300 }, most), { x: 0, y: 0, scale: 300 / (2 * REACH) });
});

test("at a thumb's scale every kite and dart is at least 44 px wide and high, further in every sliver too", () => {
  const wide = spaces.corners.filter((_, space) => drawing.kinds[space] !== "s");
  const scale = thumbScale(wide);
  assert.ok(thumbScale(spaces.corners) < scale * 2.5);
  for (const corners of wide) {
    for (const axis of [0, 1]) {
      const along = corners.map((corner) => corner[axis]);
      assert.ok((Math.max(...along) - Math.min(...along)) * scale > 43.99);
    }
  }
});

test("spaces that share a side are those of the board's data", () => {
  const counts = (lists) => lists.map((list) => list.length).sort();
  assert.deepEqual(counts(taps.edge), counts(facts.map((space) => space.edge)));
  taps.edge.forEach((list, space) => list.forEach((other) => assert.ok(taps.edge[other].includes(space))));
});

test("a tap inside a space means it, one beside the board the nearest, one far away none", () => {
  spaces.signs.forEach(([x, y], space) => assert.equal(taps.at(x, y, 0), space));
  const sliver = drawing.kinds.indexOf("s");
  const [x, y] = spaces.signs[sliver];
  const out = 1 + 12 / Math.hypot(x, y);
  assert.equal(taps.at(x * out, y * out, 20), sliver);
  assert.equal(taps.at(900, 900, 50), null);
});

test("turned to a seat the spaces keep their numbers", () => {
  const turned = new Spaces(drawing, 5);
  spaces.signs.forEach(([x, y], space) => {
    near(turned.signs[space][0], -x);
    near(turned.signs[space][1], -y);
  });
  assert.deepEqual(new Taps(turned).edge, taps.edge);
});

test("a tap adds a space that adjoins, takes out one chosen, and begins anew elsewhere", () => {
  const [beside] = taps.edge[0];
  const beyond = taps.edge[beside].find((space) => space !== 0 && !taps.edge[0].includes(space));
  assert.deepEqual(taps.chosen([], 0), [0]);
  assert.deepEqual(taps.chosen([0], beside), [0, beside]);
  assert.deepEqual(taps.chosen([0, beside], beyond), [0, beside, beyond]);
  assert.deepEqual(taps.chosen([0, beside, beyond], 164), [164]);
  assert.deepEqual(taps.chosen([0, beside], 0), [beside]);
  assert.deepEqual(taps.chosen([0], 0), []);
  // without the one in the middle the rest hangs together no more: the last part stays
  assert.deepEqual(taps.chosen([0, beside, beyond], beside), [beyond]);
});

test("arrow keys reach every space and come back", () => {
  const ways = [[1, 0], [-1, 0], [0, 1], [0, -1]];
  const reached = [0];
  for (const space of reached) {
    for (const way of ways) {
      const next = taps.beside(space, ...way);
      if (!reached.includes(next)) reached.push(next);
    }
  }
  assert.equal(reached.length, 165);
});

test("the rim of a piece leaves out the side that its spaces share", () => {
  const [beside] = taps.edge[0];
  assert.equal(spaces.rim([0]).length, 4);
  assert.equal(spaces.rim([0, beside]).length, 6);
  assert.equal(spaces.rim(spaces.shapes["star-0"]).length, 10);
});

test("in quick mode a tap finds the star or circle, the ring only where it is played", () => {
  for (const id of Object.keys(spaces.shapes)) {
    if (id !== "ring") for (const space of spaces.shapes[id]) assert.equal(taps.shapeAt(space, true), id);
  }
  const alone = spaces.shapes.ring.find((space) => taps.shapeAt(space, false) === null);
  assert.equal(taps.shapeAt(alone, true), "ring");
  const nowhere = drawing.kinds.indexOf("s");
  assert.equal(taps.shapeAt(nowhere, true), null);
});
