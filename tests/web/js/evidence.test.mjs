import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { evidenceLines } from "../../../web/static/evidence.js";
import { translator } from "../../../web/static/i18n.js";

const texts = JSON.parse(readFileSync(new URL("../../../web/locale/en/rulings.json", import.meta.url), "utf8"));
const lines = (note) => evidenceLines({ evidence: { note } }, translator(texts, "en"));

test("each note of what was seen is a line of its own, one that is not known is none", () => {
  assert.deepEqual(lines("brief"), [texts.seen_note_brief]);
  assert.deepEqual(lines("warm residual weight"), ["warm", "residual", "weight"].map((note) => texts[`seen_note_${note}`]));
  assert.deepEqual([lines("of_another_version"), lines(""), lines(undefined)], [[], [], []]);
});
