import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { translator } from "../../../web/static/i18n.js";
import { recordWords } from "../../../web/static/record-words.js";

const part = (name) => JSON.parse(readFileSync(new URL(`../../../web/locale/en/${name}.json`, import.meta.url), "utf8"));
const players = [{ id: 0, name: "Ana" }, { id: 1, name: "Luis" }];

test("each kind of game says its rulings in its own words", () => {
  const cirkis = translator(part("cirkis_record"), "en");
  const said = (kind, data, player = 1) => recordWords({ kind: "cirkis", players }, { kind, player, data }, cirkis);
  assert.equal(said("completed", { shape: "star-3", segments: [[1, 3]] }), "Luis completed the star");
  assert.equal(said("points", { points: 1, shape: "ring" }), "Luis: 1 point");
  assert.equal(said("went_out", { points: 5 }), "Luis placed the last piece");
  assert.equal(said("not_known_yet", {}), "Noted");
  const tiki = translator({ ...part("tiki"), ...part("tiki_second") }, "en");
  const played = { kind: "played", player: 0, data: { card: "up_2", tiki: "nui", from: 5, to: 3 } };
  assert.equal(recordWords({ kind: "tiki", players }, played, tiki), "Ana: Up 2, Nui 5 → 3");
});

test("Y19: one magnet left is one", () => {
  const es = translator(JSON.parse(readFileSync(new URL("../../../web/locale/es/history.json", import.meta.url))), "es");
  assert.deepEqual([1, 2].map((n) => es("left_were", { name: "Ana", n })), ["Ana: le quedó 1", "Ana: le quedaron 2"]);
});
