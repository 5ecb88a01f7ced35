import assert from "node:assert/strict";
import { test } from "node:test";
import { choicesOf, nextColour } from "../../../web/static/choices.js";

const settings = { best_of: 3, last_call: "after", unsaid: "ask", hand_stone: "back", played_stone: "turn", early: "next",
  loser: "most_left", layout: "novice" };

test("yikerz with sensors offers no layout, by hand it does", () => {
  const players = [{ id: 4, name: "Ana" }, { id: 2, name: "Beto", dealer: true }];
  const held = choicesOf({ kind: "yikerz", sensors: "held", players, settings });
  assert.deepEqual(held.choices.slice(0, held.near).map((c) => c.name), ["best_of"]);
  assert.equal(held.first.player, 2);
  const hand = choicesOf({ kind: "yikerz", sensors: "none", players, settings });
  assert.deepEqual(hand.choices.slice(0, hand.near).map((c) => [c.name, c.command]), [["best_of", "set_setting"], ["layout", "set_layout"]]);
  assert.deepEqual(hand.choices[1].args("advanced"), { layout: "advanced" });
  assert.equal(hand.choices.length, held.choices.length + 1);
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
