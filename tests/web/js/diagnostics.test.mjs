import assert from "node:assert/strict";
import { test } from "node:test";
import { faultWords, history, labelPlaces, linkWords, mapFrame, redBlue, stoneNumbers, zeroWords } from "../../../web/static/diagnostics-drawn.js";

test("the board fills the canvas without being stretched, y upwards", () => {
  const { x, y, scale } = mapFrame([-75, -43, 75, -43, 0, 87], 324, 324);
  assert.equal(scale, 2);
  assert.deepEqual([x(-75), x(75)], [12, 312]);
  assert.ok(y(87) < y(-43));
  assert.ok(Math.abs(y(22) - 162) < 1e-9);
});

test("numbers of stones are not cut at the edge, and none lies over another", () => {
  const [width, height, high] = [640, 520, 26];
  const points = [[635, 100], [632, 103], [3, 4], [320, 516], [322, 514], [324, 512], [326, 510], [637, 518]].map(([x, y]) => ({ x, y, width: 44 }));
  const places = labelPlaces(points, width, height, high);
  places.forEach((at, k) => {
    assert.ok(at.x >= 0 && at.x + 44 <= width && at.y >= high && at.y <= height, JSON.stringify(at));
    for (const other of places.slice(0, k)) assert.ok(Math.abs(at.x - other.x) >= 44 || Math.abs(at.y - other.y) >= high, JSON.stringify([at, other]));
  });
  assert.deepEqual(labelPlaces([{ x: 100, y: 100, width: 44 }], width, height, high), [{ x: 108, y: 92 }]); // where there is room
});

test("no two stones have one number, and each keeps its own while it lies there", () => {
  const first = stoneNumbers([1000, 0, 2000]);
  assert.deepEqual([...first], [[1000, 1], [0, 2], [2000, 3]]);
  const then = stoneNumbers([7, 2000, 1000, 8], first);
  assert.deepEqual([...then], [[7, 2], [2000, 3], [1000, 1], [8, 4]]);
});

test("red is north, blue is south, nothing is pale", () => {
  assert.equal(redBlue(1), "rgb(208,48,48)");
  assert.equal(redBlue(-1), "rgb(48,48,208)");
  assert.equal(redBlue(0), "rgb(238,238,238)");
  assert.equal(redBlue(7), redBlue(1));
  assert.equal(redBlue(0, "dark"), "rgb(74,62,52)");
  assert.equal(redBlue(1, "dark"), "rgb(255,112,96)");
});

test("faults are words, one that is not known is shown as it came", () => {
  const t = (key, values) => `${key}/${Object.values(values).join()}`;
  t.has = (key) => key === "fault_sensor_dead";
  assert.deepEqual(faultWords(["sensor_dead:A17", "odd"], t), ["fault_sensor_dead/A17", "fault_other/odd"]);
  t.has = () => true;
  const named = ["multiplexer_missing:B-2", "select_stuck:S1", "select_stuck:S0:B-2", "load_absent"];
  assert.deepEqual(faultWords(named, t),
    ["fault_multiplexer_missing/B-2", "fault_select_stuck/S1", "fault_select_stuck/S0 (B-2)", "fault_load_absent/"]);
  assert.deepEqual(faultWords(["multiplexer_missing:B3"], t), ["fault_multiplexer_missing/B3"]); // as it once was called
});

test("what is wrong with the link comes with advice, and where the link stands in words", () => {
  const texts = { link_silent: 1, advice_silent: 1, undervoltage: 1, state_live: 1 };
  const t = (key, values = {}) => [key, ...Object.values(values)].join("/");
  t.has = (key) => key in texts;
  assert.deepEqual(faultWords(["link_silent", "undervoltage"], t), ["link_silent advice_silent", "undervoltage"]);
  assert.equal(linkWords({ link: "live", rssi_dbm: null }, t), "diagnostics_link/state_live");
  assert.equal(linkWords({ link: "live", rssi_dbm: -60 }, t), "diagnostics_link/state_live diagnostics_radio/-60");
  assert.equal(linkWords({ link: "", rssi_dbm: null }, t), "");
});

test("a curve keeps its last seconds and begins anew with a session", () => {
  const points = [];
  for (let s = 0; s <= 10; s += 1) history(points, s, s * s, 4);
  assert.deepEqual(points.map((p) => p[0]), [6, 7, 8, 9, 10]);
  history(points, 10, 3, 4);
  assert.equal(points.length, 5);
  history(points, 1, 7, 4);
  assert.deepEqual(points, [[1, 7]]);
});

test("when the sensors were zeroed is told in seconds or minutes, or that they were not", () => {
  const t = (key, values) => (values ? `${key}/${values.n}` : key);
  assert.equal(zeroWords({ t_us: 9e6, zeroed_us: null }, t), "diagnostics_no_zero");
  assert.equal(zeroWords({ t_us: 127_900_000, zeroed_us: 2e6 }, t), "diagnostics_zeroed/2");
  assert.equal(zeroWords({ t_us: 2e6, zeroed_us: 2e6 }, t), "diagnostics_zeroed_s/0");
});
