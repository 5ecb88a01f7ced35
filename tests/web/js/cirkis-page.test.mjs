// The CirKis page's pure parts: which buttons, which words.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { buttonsFor, hintKey, newDeeds, stillChosen } from "../../../web/static/cirkis-actions.js";
import { foreseenWords, pointsWord } from "../../../web/static/cirkis-foreseen.js";
import { completedShapes, headWords } from "../../../web/static/cirkis-words.js";
import { translator } from "../../../web/static/i18n.js";

const part = (name) => JSON.parse(readFileSync(new URL(`../../../web/locale/en/${name}.json`, import.meta.url)));
const t = translator({ ...part("cirkis"), ...part("cirkis_play"), ...part("cirkis_more") }, "en");
const view = (changes) => ({ mode: "map", phase: "play", turn: 0, free: false, open: [1], unable: null, deeds: [{ d: "piece", p: 1, s: [7] }],
  round: 1, undone: 0, end: null, result: null, players: [{ id: 0, name: "Ana" }, { id: 1, name: "Ben" }], ...changes });
const state = (changes) => ({ chosen: [], overrule: false, stopped: false, known: false, correcting: null, ...changes });
const keys = (v, s) => {
  const { side, main } = buttonsFor(v, state(s));
  return [side && side.key, main && main.key, Boolean(main && main.off), Boolean(main && main.hold)];
};

test("C19: a piece is put only when it is known what it does; what is against the rules is held", () => {
  assert.deepEqual(keys(view()), ["lose", "place", true, false]);
  assert.deepEqual(keys(view(), { chosen: [1] }), ["clear", "place", true, false]);
  assert.deepEqual(keys(view(), { chosen: [1], known: true }), ["clear", "place", false, false]);
  assert.deepEqual(keys(view(), { chosen: [1], known: true, stopped: true }), ["clear", "place", true, false]);
  assert.deepEqual(keys(view(), { chosen: [1], known: true, stopped: true, overrule: true }), ["clear", "overrule", false, true]);
});

test("C23, C24: losing a turn is held, unless the page sees that nothing fits; on the empty board it is not offered", () => {
  assert.equal(buttonsFor(view(), state()).side.hold, true);
  assert.deepEqual(keys(view({ open: [] })), [null, "lose", false, false]);
  assert.deepEqual(keys(view({ unable: [0] })), [null, "lose", false, false]);
  assert.deepEqual(keys(view({ unable: [1] })), ["lose", "place", true, false]);
  assert.deepEqual(keys(view({ free: true })), ["lapse", "place", true, false]);
  assert.deepEqual(keys(view({ deeds: [] })), [null, "place", true, false]);
});

test("every other phase has its buttons", () => {
  assert.deepEqual(keys(view({ phase: "between" })), ["why", "next_round", false, false]);
  assert.deepEqual(keys(view({ phase: "over" })), ["why", "again", false, false]);
  assert.deepEqual(keys(view({ phase: "tie", mode: "quick" })), ["why", "unplayed", false, false]);
  assert.deepEqual(keys(view({ mode: "quick", turn: null })), ["stuck", "out", false, false]);
  assert.deepEqual(keys(view({ mode: "quick" })), [null, "turn_over", false, false]);
  const dispute = { ruling: 4, player: 1 };
  assert.deepEqual(keys(view({ dispute })), [null, "doubt", false, false]);
  assert.deepEqual(keys(view({ dispute }), { chosen: [1], known: true }), ["clear", "place", false, false]); // play goes on
  assert.deepEqual(keys(view({ dispute, phase: "over" })), [null, "doubt", false, false]);
  assert.deepEqual(keys(view(), { correcting: { n: 3 }, chosen: [] }), ["leave", "change", true, false]);
  assert.deepEqual(keys(view(), { correcting: { n: 3 }, chosen: [4], overrule: true }), ["leave", "overrule", false, true]);
});

test("every hint has words", () => {
  const result = { winners: [0], clause: "C27", asked: [] };
  for (const [v, s, key] of [[view(), {}, "hint_turn"], [view({ deeds: [] }), {}, "hint_first"], [view({ free: true }), {}, "hint_free"],
    [view({ open: [] }), {}, "no_space"], [view({ open: [], free: true }), {}, "no_space_free"], [view({ unable: [0] }), {}, "unable"],
    [view(), { chosen: [1] }, "looking"], [view(), { correcting: {} }, "correcting"], [view({ phase: "over", result }), {}, "won_by_C27"],
    [view({ phase: "over", result: { winners: [] } }), {}, "hint_over"], [view({ phase: "between" }), {}, "hint_between"],
    [view({ dispute: { ruling: 4 } }), {}, "hint_doubt"], [view({ phase: "tie" }), {}, "hint_tie"], [view({ mode: "quick", turn: null }), {}, "hint_quick"], [view({ mode: "quick" }), {}, "hint_stop"]]) {
    assert.equal(hintKey(v, state(s)), key);
    assert.ok(t(key));
  }
});

test("what is chosen stays while others change names or seats, and goes when somebody has played", () => {
  const before = view();
  assert.deepEqual(stillChosen([5], before, view({ players: [] })), [5]);
  assert.deepEqual(stillChosen([5], before, view({ turn: 1 })), []);
  assert.deepEqual(stillChosen([5], before, view({ deeds: [] })), []);
  assert.deepEqual(stillChosen([5], before, view({ phase: "over" })), []);
});

test("only new deeds of the same round are told, none after an undo", () => {
  const deeds = [...view().deeds, { d: "piece", p: 0, s: [8] }];
  assert.deepEqual(newDeeds(view(), view({ deeds })), [deeds[1]]);
  assert.deepEqual(newDeeds(view(), view({ deeds, undone: 1 })), []);
  assert.deepEqual(newDeeds(view(), view({ deeds, round: 2 })), []);
});

test("C10, C11, C16: points say why they are given, and a ring's bonus is not taken for its fifteen", () => {
  assert.equal(pointsWord("star-2", 10, t), "the star");
  assert.equal(pointsWord("star-2", 5, t), "for completing the star");
  assert.equal(pointsWord("ring", 15, t), "the ring");
  assert.equal(pointsWord("ring", 5, t), "for completing the ring");
  assert.equal(pointsWord("", 10, t), "last piece!");
});

test("what a play would do in words: points, shared shapes, the free turn and the end", () => {
  const rulings = [{ kind: "placed", clause: "C05", player: 0, data: {} },
    { kind: "points", clause: "C10", player: 1, data: { points: 10, shape: "circle-3" } },
    { kind: "most_shared", clause: "C10", player: null, data: { shape: "star-1" } },
    { kind: "went_out", clause: "C14", player: 0, data: { points: 10 } },
    { kind: "free_turn", clause: "C09", player: 0, data: { reasons: [{ code: "hole" }, { code: "first_sliver" }] } },
    { kind: "round_end", clause: "C13", player: null, data: { end: "forty" } }];
  const words = foreseenWords({ problems: [], rulings }, t);
  assert.deepEqual(words.points.map(({ player, points }) => [player, points]), [[1, 10], [0, 10]]);
  assert.deepEqual(words.more, ["Nobody has the most of the star", "Free turn! fills a hole, the first sliver", "That makes 40: it ends!"]);
  assert.deepEqual([words.stop, words.overrule], [[], false]);
  const held = foreseenWords({ problems: [{ code: "not_empty", clause: "C04", overrule: false }], rulings: [] }, t);
  assert.deepEqual(held.stop, [{ text: "A piece lies there", clause: "C04" }]);
  assert.equal(held.overrule, false);
});

test("completed shapes carry who took the most, null where it was shared or the bonus alone was given", () => {
  const deeds = [{ d: "claim", p: 0, shapes: [["star-1", []], ["ring", []]], points: [[1, 10, "C10", "star-1"], [0, 5, "C11", "star-1"], [0, 5, "C16", "ring"]] }];
  assert.deepEqual(completedShapes(view({ deeds })), [{ shape: "star-1", player: 1 }, { shape: "ring", player: null }]);
});

test("the head of the page names whose turn it is, or who has won", () => {
  assert.deepEqual(headWords(view(), t), { player: 0, title: "Ana", line: "follows the leader" });
  assert.equal(headWords(view({ phase: "over", result: { winners: [0, 1], clause: "C15" } }), t).title, "Ana, Ben");
  assert.equal(headWords(view({ phase: "over", result: { winners: [], clause: "C34" } }), t).title, "Nobody wins");
  assert.equal(headWords(view({ phase: "between", round: 2, end: "out" }), t).title, "Round 2: over");
});
