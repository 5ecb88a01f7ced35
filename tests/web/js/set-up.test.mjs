// What the set-up page works out before it draws.
import assert from "node:assert/strict";
import { test } from "node:test";
import { agoText, gramsText } from "../../../web/static/amounts.js";
import { boxOf, qualityWords, tileShapes, whenWords } from "../../../web/static/set-up-drawn.js";
import { gramsTyped, seamLine, todoWords, whyWords } from "../../../web/static/set-up-words.js";

// Two tiles side by side: the edge from (10, 0) to (10, 20) is nearly theirs in common.
const CORNERS = [0, 10, 10, 0, 10, 20, 20, 10, 10.4, 20, 10.4, 0];
const t = (key, values = {}) => key + JSON.stringify(values);
t.has = (key) => key !== "why_strange";

test("tiles are drawn with y downwards, their letters in their middles, inside the box", () => {
  const [first] = tileShapes(CORNERS);
  assert.equal(first.path, "M0 -10L10 0L10 -20Z");
  assert.ok(Math.abs(first.x - 20 / 3) < 1e-9 && first.y === -10);
  assert.equal(boxOf(CORNERS, 5), "-5 -25 30 30");
});

test("a seam is the edge that two tiles have in common", () => {
  assert.deepEqual(seamLine(CORNERS, 0, 1).map((p) => p[0]), [10, 10]);
});

test("what is to be done follows step and stage", () => {
  const told = (step, stage, progress) => todoWords({ step, stage, progress }, t);
  assert.equal(told("grams", "clear", { next: null }), "su_clear{}");
  assert.equal(told("grams", "tell", { done: 0, wanted: 2 }), "su_tell{}");
  assert.equal(told("grams", "tell", { done: 2, wanted: 2 }), "su_tell_more{}");
  assert.equal(told("grams", "put", { next: 50 }), 'su_put_weight{"grams":50}');
  const spots = { names: ["A", "A/B"], findings: [] };
  assert.equal(told("check", "put", { ...spots, next: 0 }), 'su_check_tile{"k":"A"}');
  assert.equal(told("check", "put", { ...spots, next: 1 }), 'su_check_seam{"k":"A/B"}');
  assert.equal(told("check", "enough", { ...spots, next: null }), "su_check_well{}");
  assert.equal(told("check", "enough", { ...spots, findings: [{}] }), "su_check_bad{}");
  assert.equal(told("gains", "put", { next: 1, names: ["A0", "A3"] }), 'su_put_point{"k":"A3"}');
  assert.equal(told("tiles", "put", { next: 0 }), "su_put_slid{}");
  assert.equal(told("stones", "put", { next: 7 }), 'su_put_stone{"k":7}');
  assert.equal(told("stones", "take", { next: 8 }), "su_take_stone{}");
  assert.equal(told("tiles", "slide", { next: 0 }), "su_slide{}");
});

test("a refusal that has no words is said in general, none is said as nothing", () => {
  assert.equal(whyWords(null, t), "");
  assert.equal(whyWords({ code: "magnets", n: 2 }, t), 'why_magnets{"code":"magnets","n":2}');
  assert.ok(whyWords({ code: "strange" }, t).startsWith("why_not_learned"));
});

test("quality is a word and its figures; a date that is none stays as it is", () => {
  const figures = { grade: "fair", percent: 7, worst: 0.6 };
  assert.equal(qualityWords("load", figures, t), "su_grade_fair{}. su_q_load" + JSON.stringify({ ...figures, worst: "0.6" }));
  assert.equal(whenWords("yesterday", "en"), "yesterday");
  assert.match(whenWords("2026-05-01T18:30:05Z", "en"), /2026/);
});

test("gains of which few are sure ask for more points", () => {
  const words = (sure) => qualityWords("gains", { grade: "fair", sure, n: 220 }, t);
  assert.ok(words(14).endsWith(" su_more_points{}"));
  assert.ok(!words(180).includes("su_more_points"));
});

test("a box of which magnets were not shown says how many", () => {
  const words = (unshown) => qualityWords("stones", { grade: "fair", n: 1, unshown }, t);
  assert.ok(words(2).startsWith('su_grade_fair{}. su_unshown{"n":2,"of":3}. su_q_stones'));
  assert.ok(!words(0).includes("su_unshown"));
});

test("grams are taken with their unit and a comma, what is no number is not", () => {
  for (const [text, grams] of [["50,5 g", 50.5], [" 100 ", 100], ["20.25gramos", 20.25], ["7 G.", 7]]) assert.equal(gramsTyped(text), grams);
  for (const text of ["", "abc", "1 kg", "1,2,3", "-5", "5e3"]) assert.equal(gramsTyped(text), null);
});

test("amounts are shown without a sign at nothing, times in seconds and then in whole minutes", () => {
  assert.deepEqual([-0.04, 0, -0.06, 199.96].map(gramsText), ["0.0", "0.0", "-0.1", "200.0"]);
  const ago = (seconds) => agoText("ago", seconds, (key, { n }) => `${key} ${n}`);
  assert.deepEqual([0, 59.9, 60, 162, 3605.9].map(ago), ["ago_s 0", "ago_s 59", "ago 1", "ago 2", "ago 60"]);
});
