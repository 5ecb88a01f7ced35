import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { actionsFor, openQuestion } from "../../../web/static/actions.js";
import { translator } from "../../../web/static/i18n.js";
import { handsOf, missed, needOf } from "../../../web/static/needs.js";
import { frameOf, seatAngle, seatPlace, tileCorners, turned } from "../../../web/static/plane.js";
import { SHAPES } from "../../../web/static/shapes.js";
import { Caller, rulingWords } from "../../../web/static/calls.js";
import { stateWords } from "../../../web/static/words.js";

const near = (a, b, within = 1e-6) => assert.ok(Math.abs(a - b) < within, `${a} is not ${b}`);

const view = (changes) => ({ phase: "turn", sensors: "none", turn: 1, next: 2, remove: null, call: null, questions: [], loose: 5, hand: true, waits: "",
  winners: [], round: 1, players: [{ id: 1, name: "Ana" }, { id: 2, name: "Beto" }], rulings: [], ...changes });

test("Y24: every phase without sensors has its next button, and what may go wrong beside it", () => {
  const names = (phase, more) => {
    const { main, side, last } = actionsFor(view({ phase, ...more }), true);
    return [main && main.name, side.map((one) => one.name), last];
  };
  assert.deepEqual(names("turn"), ["placed", ["collapsed", "fell_off"], "idle"]);
  assert.deepEqual(names("countdown"), ["next_player", ["collapsed", "fell_off"], "idle"]);
  assert.deepEqual(names("removing", { remove: { left: 2 } }), ["removed", ["collapsed", "fell_off"], "idle"]);
  assert.deepEqual(names("round_end"), ["next_round", [], null]);
  assert.deepEqual(names("game_end"), [undefined, [], null]);
  assert.equal(actionsFor(view({ phase: "game_end" }), true).main.key, "again");
});

test("Y46: why a round was given up is said where it was not the players' wish", () => {
  const texts = { ruling_round_abandoned: "given up", ruling_round_abandoned_table_anew: "the table began anew" };
  const told = (data) => rulingWords(view(), { n: 1, kind: "round_abandoned", player: null, data }, translator(texts, "en")).text;
  assert.equal(told({ left: [7, 10] }), "given up");
  assert.equal(told({ reason: "table_anew" }), "the table began anew");
});

test("with sensors only what they cannot see is asked for", () => {
  assert.deepEqual(actionsFor(view(), false), { main: null, side: [], last: "idle" });
  assert.equal(actionsFor(view({ phase: "removing", remove: { left: 1 } }), false).main.name, "removed"); // Y35
  assert.equal(actionsFor(view({ call: { player: 1, state: "due" } }), false).last, "due");
});

test("Y24: the hand is asked about only where the stone may still be in it", () => {
  assert.deepEqual(handsOf("collapsed", view(), 3), ["part", "apart", "none"]);
  assert.deepEqual(handsOf("fell_off", view(), 1), ["apart", "none"]);
  assert.deepEqual(handsOf("collapsed", view({ hand: false }), 3), []);
  assert.deepEqual(handsOf("answer", view(), 2), []);
});

test("Y21: no more stones are offered than lie on the board", () => {
  const counts = (changes) => actionsFor(view(changes), true).side.map((one) => [one.name, ...one.count]);
  assert.deepEqual(counts({}), [["collapsed", 2, 6], ["fell_off", 1, 5]]); // one more may be in the hand
  assert.deepEqual(counts({ phase: "countdown", hand: false }), [["collapsed", 2, 5], ["fell_off", 1, 5]]);
  assert.deepEqual(counts({ loose: 1 }), [["collapsed", 2, 2], ["fell_off", 1, 1]]);
  assert.deepEqual(counts({ loose: 0 }), []);
  assert.deepEqual(handsOf("collapsed", view(), 6), ["part"]); // only with the one in the hand are there so many
  assert.deepEqual(needOf("collapsed", view()), { sheet: "count", count: [2, 5] });
  const gap = { code: "unseen", args: {} };
  assert.deepEqual(needOf("fell_off", view({ loose: 1 }), gap), { args: { n: 1 } });
  assert.deepEqual(needOf("fell_off", view(), gap), { sheet: "count", count: [1, 5] });
});

test("Y21: how many fell is not asked where the count has told it, and the choice says it", () => {
  for (const seen of [4, 3]) {
    const question = { code: "fewer", args: { seen, expected: 5 } };
    assert.deepEqual(needOf("fell_off", view(), question), {});
    assert.equal(missed(question), 5 - seen);
  }
  assert.equal(missed({ code: "call", args: {} }), 1);
  for (const lang of ["en", "es"]) {
    const t = translator(JSON.parse(readFileSync(new URL(`../../../web/locale/${lang}/sheet.json`, import.meta.url), "utf8")), lang);
    assert.doesNotMatch(t("choice_fell_off", { n: 1 }), /\d/);
    assert.match(t("choice_fell_off", { n: 2 }), /2/);
  }
});

test("Y22: what people said after an undo, against the sensors, is told as said", () => {
  for (const lang of ["en", "es"]) {
    const texts = JSON.parse(readFileSync(new URL(`../../../web/locale/${lang}/rulings.json`, import.meta.url), "utf8"));
    const words = (data) => rulingWords(view(), { n: 1, kind: "laid", player: null, data }, translator(texts, lang)).text;
    assert.equal(words({ how: "laid", by: "", insisted: true, seen: 3, expected: 2 }), texts.ruling_laid_insisted);
    assert.equal(words({ how: "laid", by: "" }), texts.ruling_laid);
    assert.equal(words({ how: "as_it_lies", by: "" }), texts.ruling_laid_as_it_lies);
  }
});

test("Y17: the next player is not offered in the last stone's 10 s; Y40: nobody calls during a penalty", () => {
  const last = view({ phase: "countdown", hand: false, waits: "last_stone_waits", last_stone: true });
  assert.equal(actionsFor(last, true).main, null);
  assert.equal(actionsFor(view({ phase: "penalty", call: { player: 1, state: "due" } }), true).last, "missed");
});

test("a collapse is called before what it brings with it, an undo is told, and nothing is called twice", () => {
  const said = [];
  global.document = { body: { dataset: {} } };
  const texts = { ruling_collapse: "Snap!", ruling_call_due: "Say it", ruling_other: "Noted", undone: "Taken back" };
  const start = view({ undone: 0, rulings: [{ n: 1, kind: "collapse", player: 1 }] });
  const caller = new Caller(start, {}, translator(texts, "en"), (call, text) => said.push([call, text]));
  caller.follow(start);
  assert.deepEqual(said, []);
  const more = view({ undone: 0, rulings: [...start.rulings, { n: 2, kind: "collapse", player: 1 }, { n: 3, kind: "call_due", player: 1 }] });
  caller.follow(more);
  caller.follow(more);
  assert.deepEqual(said, [["fault", "Snap!"]]);
  caller.follow({ ...start, undone: 1 });
  assert.deepEqual(said[1], ["said", "Taken back"]);
  clearTimeout(caller.timer);
});

test("that the board was not seen is heard and flashes, without a word over the stones that are asked about", () => {
  const said = [];
  global.document = { body: { dataset: {} } };
  const start = view({ undone: 0, rulings: [{ n: 1, kind: "placed", player: 1 }] });
  const box = {};
  const caller = new Caller(start, box, translator({ ruling_unseen: "I could not see", ruling_other: "Noted" }, "en"), (call, text) => said.push([call, text]));
  caller.follow(view({ undone: 0, rulings: [...start.rulings, { n: 2, kind: "unseen", player: 1 }] }));
  assert.deepEqual(said, [["fault", "I could not see"]]);
  assert.deepEqual(box, { textContent: "", className: "fault" });
  clearTimeout(caller.timer);
});

test("a doubted ruling is a question, after those of the referee", () => {
  const dispute = { ruling: 3, player: 1, by: "Ana" };
  assert.deepEqual(openQuestion(view({ dispute })).choices, ["confirm", "reject"]);
  assert.equal(openQuestion(view({ dispute, questions: [{ id: 4 }] })).id, 4);
});

test("after an undo the board comes before any question", () => {
  const laying = { back: 2, off: 0, since_us: 0 };
  assert.deepEqual(openQuestion(view({ laying, questions: [{ id: 4 }] })).choices, ["laid", "as_it_lies"]);
});

test("the oldest question comes first", () => {
  assert.equal(openQuestion(view()), null);
  assert.equal(openQuestion(view({ questions: [{ id: 3 }, { id: 4 }] })).id, 3);
});

test("seats are clockwise seen from above, and my seat is drawn at the bottom", () => {
  for (const seats of [2, 3, 4, 5, 6]) {
    for (let seat = 0; seat < seats; seat += 1) {
      const frame = { x: -50, y: -50, width: 100, height: 100 };
      const [x, y] = seatPlace(frame, seat, seats, seatAngle(seat, seats), 0);
      near(x, 0);
      near(y, 50);
    }
  }
  const [x, y] = seatPlace({ x: -50, y: -50, width: 100, height: 100 }, 1, 4, 0, 0);
  near(x, -50); // the next player clockwise sits to the left of who sits at the bottom
  near(y, 0);
});

test("the table's y points up, the drawing's down; a quarter turn is counter-clockwise", () => {
  assert.deepEqual(turned(3, 4, 0).map(Math.round), [3, -4]);
  assert.deepEqual(turned(3, 0, 90).map(Math.round), [0, -3]);
});

test("corner 0 of a tile that is not turned points up; corners are a side apart", () => {
  const corners = tileCorners({ x: 10, y: 20, rot: 0 }, 150, 0);
  near(corners[0][0], 10);
  near(corners[0][1], 20 + 150 / Math.sqrt(3));
  near(Math.hypot(corners[0][0] - corners[1][0], corners[0][1] - corners[1][1]), 150);
});

test("all tiles are inside the drawn frame, which has the aspect of its box", () => {
  const tiles = [{ x: -112, y: -21, rot: 0 }, { x: 112, y: 21, rot: 180 }, { x: 0, y: 90, rot: 77 }];
  for (const degrees of [0, 60, 180, 288]) {
    for (const aspect of [0.5, 1, 2.2]) {
      const frame = frameOf(tiles, 150, degrees, aspect, 5);
      near(frame.width / frame.height, aspect);
      for (const tile of tiles) {
        for (const [x, y] of tileCorners(tile, 150, 0).map((corner) => turned(...corner, degrees))) {
          assert.ok(x >= frame.x + 5 - 1e-6 && x <= frame.x + frame.width - 5 + 1e-6);
          assert.ok(y >= frame.y + 5 - 1e-6 && y <= frame.y + frame.height - 5 + 1e-6);
        }
      }
    }
  }
});

test("six shapes for six players", () => {
  assert.equal(Object.keys(SHAPES).length, 6);
  assert.equal(new Set(Object.values(SHAPES)).size, 6);
});

for (const lang of ["es", "en"]) {
  const read = (part) => JSON.parse(readFileSync(new URL(`../../../web/locale/${lang}/${part}.json`, import.meta.url)));

  test(`${lang}: every phase has its words with what the page loads first`, () => {
    const t = translator({ ...read("live") }, lang);
    for (const phase of ["turn", "countdown", "removing", "penalty", "unseen", "question"]) {
      const words = stateWords(view({ phase }), t);
      assert.equal(words.title, "Ana");
      assert.ok(words.line.length > 3);
    }
    const last = stateWords(view({ phase: "countdown", last_stone: true }), t);
    assert.notEqual(last.line, stateWords(view({ phase: "countdown" }), t).line);
    const one = stateWords(view({ phase: "removing", remove: { player: 2, why: "collapse", left: 1 } }), t);
    assert.equal(one.title, "Beto");
    assert.match(one.line, /1/);
    assert.match(stateWords(view({ phase: "round_end", winners: [2] }), t).title, /Beto/);
    assert.ok(stateWords(view({ phase: "round_end", turn: null }), t).title);
  });

  test(`${lang}: words that all should see need no further texts`, () => {
    const t = translator({ ...read("calls") }, lang);
    for (const kind of ["collapse", "fell_off", "call_missed", "call_said", "round_end", "wait", "game_end"]) {
      const word = rulingWords(view(), { n: 1, kind, player: 1 }, t);
      assert.ok(word.call);
      assert.ok(word.text && !word.text.includes("{"), word.text);
    }
    assert.equal(rulingWords(view(), { n: 1, kind: "from_the_future", player: 1 }, t).call, "");
  });

  test(`${lang}: Y33: stones that nobody takes go to the bag, in words without a hole`, () => {
    const t = translator({ ...read("calls"), ...read("rulings") }, lang);
    for (const kind of ["collapse", "fell_off", "taken"]) {
      const { text } = rulingWords(view(), { n: 1, kind, player: null, data: { count: 2 } }, t);
      assert.match(text, lang === "es" ? /a la bolsa/i : /into the bag/i);
      assert.notEqual(text, rulingWords(view(), { n: 1, kind, player: 1 }, t).text);
    }
  });
}

test("placeholders and plurals", () => {
  const t = translator({ a: "{name}: {n}", b: { one: "{n} stone", other: "{n} stones" } }, "en");
  assert.equal(t("a", { name: "<b>$&</b>", n: 0 }), "<b>$&</b>: 0");
  assert.equal(t("b", { n: 1 }), "1 stone");
  assert.equal(t("b", { n: 0 }), "0 stones");
  assert.equal(t("a", {}), "{name}: {n}");
  assert.throws(() => t("missing"));
});
