import assert from "node:assert/strict";
import { test } from "node:test";
import { choicesOf, nextColour } from "../../../web/static/choices.js";

const choices = [{ name: "scoring", values: ["best_of", "points"], value: "best_of" }, { name: "best_of", values: [1, 3], value: 3 },
  { name: "points_limit", values: [25], value: 25 }, { name: "last_call", values: ["after", "assumed"], value: "assumed" },
  { name: "unsaid", values: ["ask"], value: "ask" }];
const players = [{ id: 4, name: "Ana" }, { id: 2, name: "Beto", dealer: true }];

test("yikerz with sensors offers no layout, by hand it does", () => {
  const held = choicesOf({ kind: "yikerz", sensors: "held", players, choices });
  assert.deepEqual(held.choices.slice(0, held.near).map((c) => c.name), ["scoring", "best_of"]);
  assert.equal(held.first.player, 2);
  const hand = choicesOf({ kind: "yikerz", sensors: "none", players, choices, layout: "novice" });
  assert.deepEqual(hand.choices.slice(0, 2).map((c) => [c.name, c.command]), [["layout", "set_layout"], ["scoring", "set_setting"]]);
  assert.deepEqual(hand.choices[0].args("advanced"), { layout: "advanced" });
  assert.equal(hand.choices.length, held.choices.length + 1);
});

test("a choice that hangs on another is offered only where it counts", () => {
  const names = (changed) => choicesOf({ kind: "yikerz", sensors: "held", players,
    choices: choices.map((choice) => (choice.name in changed ? { ...choice, value: changed[choice.name] } : choice)) }).choices.map((c) => c.name);
  assert.deepEqual(names({}), ["scoring", "best_of", "last_call"]);
  assert.deepEqual(names({ scoring: "points", last_call: "after" }), ["scoring", "points_limit", "last_call", "unsaid"]);
});

test("another game brings its choices with its view; values keep their type", () => {
  const view = { kind: "tiki", players: [{ id: 7, name: "Ana" }], first: null, most: 4, fewest: 2, colours: ["red"],
    choices: [{ name: "topple_bottom", values: [true, false], value: true }] };
  const found = choicesOf(view);
  assert.deepEqual([found.most, found.fewest, found.first.player, found.first.drawn], [4, 2, 7, false]);
  assert.deepEqual(found.choices[0].args(false), { name: "topple_bottom", value: false });
  assert.equal(choicesOf({ ...view, players: [] }).first.player, null);
});

test("colours go round", () => {
  assert.equal(nextColour(["red", "blue"], "red"), "blue");
  assert.equal(nextColour(["red", "blue"], "blue"), "red");
});
