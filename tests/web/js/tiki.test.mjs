import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { GROUPS, TIKIS, mayFollow, playedOneMore, tapped, tikisFor, whyNot } from "../../../web/static/tiki-line.js";
import { drawnLine } from "../../../web/static/tiki-drawn.js";
import { edited, entryText, shownEntries, stored } from "../../../web/static/tiki-entries.js";
import { translator } from "../../../web/static/i18n.js";

const grouped = (line) => [0, 3, 6].every((at) => GROUPS.some((group) => group.every((tiki) => line.slice(at, at + 3).includes(tiki))));

test("a line is made block by block (T03)", () => {
  assert.deepEqual(mayFollow([]), TIKIS);
  assert.deepEqual(mayFollow(["nui"]), ["lokahi", "akamai"]);
  assert.deepEqual(mayFollow(["nui", "akamai", "lokahi"]).length, 6);
  assert.deepEqual(tapped(["nui"], "kapu", 9), ["nui"]);
  assert.deepEqual(tapped(["nui", "akamai", "lokahi"], "akamai", 9), ["nui"]);
});

test("first places are any three (T20)", () => {
  assert.deepEqual(tapped(["nui", "kapu"], "nani", 3), ["nui", "kapu", "nani"]);
  assert.deepEqual(tapped(["nui", "kapu", "nani"], "huhu", 3), ["nui", "kapu", "nani"]);
});

test("a drawn line keeps the groups together whatever the lot", () => {
  for (let seed = 0; seed < 60; seed += 1) {
    let at = seed;
    const line = drawnLine((n) => (at = (at * 7 + 3) % 101) % n);
    assert.deepEqual([...line].sort(), [...TIKIS].sort());
    assert.ok(grouped(line), line.join());
  }
});

test("what a card may move, and why not, is what the view says (T06-T10, T22)", () => {
  const view = { held: [{ card: "up_2", n: 1, tikis: ["kapu", "huhu"], not: [["too_few_above", ["nani", "nui"]]] },
    { card: "toast", n: 2, tikis: [], not: [["toast_first_turn", ["nani", "nui", "kapu", "huhu"]]] }] };
  assert.deepEqual(tikisFor(view, "up_2"), ["kapu", "huhu"]);
  assert.deepEqual(tikisFor(view, "toast"), []);
  assert.equal(whyNot(view, "up_2", "nui"), "too_few_above");
  assert.equal(whyNot(view, "up_2", "kapu"), "");
  assert.equal(whyNot(view, "toast"), "toast_first_turn");
});

test("cards tapped as played: one more, or none of it where all of a whole hand are", () => {
  assert.deepEqual(playedOneMore(["topple"], "toast", 2), ["topple", "toast"]);
  assert.deepEqual(playedOneMore(["toast", "topple", "toast"], "toast", 2), ["topple"]);
});

test("an entry that is opened and closed is as it was (I3); what is changed is sent whole", () => {
  const play = { entry: 7, name: "play", player: 1, args: { card: "up_2", tiki: "nui" } };
  const now = stored(play);
  assert.deepEqual(edited(play, now), play.args);
  now.tikis = ["kapu"];
  assert.deepEqual(edited(play, now), { card: "up_2", tiki: "kapu" });
  assert.deepEqual(play.args, { card: "up_2", tiki: "nui" });
  const toast = { entry: 8, name: "play", player: 0, args: { card: "toast" } };
  assert.deepEqual(edited(toast, stored(toast)), { card: "toast" });
  const places = { entry: 9, name: "places", player: null, args: { places: ["nui", "kapu", "nani"] } };
  const other = stored(places);
  other.tikis.pop();
  assert.deepEqual(places.args.places, ["nui", "kapu", "nani"]);
});

test("entries before the last start are not shown, and a hidden card only as one", () => {
  const entries = ["add_player", "start", "line_up", "play"].map((name, n) => ({ entry: n, name, player: null, args: {} }));
  assert.deepEqual(shownEntries(entries).map((each) => each.entry), [3, 2]);
  for (const lang of ["en", "es"]) {
    const read = (part) => JSON.parse(readFileSync(new URL(`../../../web/locale/${lang}/${part}.json`, import.meta.url)));
    const t = translator({ ...read("tiki"), ...read("tiki_more") }, lang);
    const view = { players: [{ id: 2, name: "Ana" }] };
    const hidden = entryText(view, { name: "secret", player: 2, args: {} }, t);
    assert.ok(hidden.includes("Ana") && !hidden.includes("{"));
    assert.ok(entryText(view, { name: "secret", player: 2, args: { tikis: ["nui", "kapu", "nani"] } }, t).includes("Nui, Kapu, Nani"));
  }
});
