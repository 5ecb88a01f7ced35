// A sheet's copy: begun anew where the game has changed what it was begun from.
import assert from "node:assert/strict";
import { test } from "node:test";
import { begunFrom } from "../../../web/static/begun-from.js";

const read = ({ piles }) => ({ piles: piles.slice() });

test("I3: what was chosen stays while what it was begun from stays, and goes with the newest view", () => {
  const at = {};
  begunFrom(at, { version: 3, piles: [5, 5] }, read).piles[0] = 4;
  assert.deepEqual([begunFrom(at, { version: 4, piles: [5, 5] }, read).piles, at.version, at.moved], [[4, 5], 4, false]);
  assert.deepEqual([begunFrom(at, { version: 5, piles: [5, 6] }, read).piles, at.version, at.moved], [[5, 6], 5, true]);
});

test("T27: the line that is set by hand begins anew where a card was played meanwhile", async () => {
  globalThis.document = { createTreeWalker: () => ({}) }; // all that lit-html asks for before it draws
  const { asPlayed } = await import("../../../web/static/tiki-by-hand.js");
  const view = (version, line) => ({ version, round: { line, turn: 0, starter: 0, hands: [{ player: 0, played: [] }] } });
  const at = {};
  begunFrom(at, view(1, ["nani", "nui", "kapu"]), asPlayed).line.reverse();
  assert.deepEqual(begunFrom(at, view(1, ["nani", "nui", "kapu"]), asPlayed).line, ["kapu", "nui", "nani"]);
  begunFrom(at, view(2, ["nui", "nani", "kapu"]), asPlayed);
  assert.deepEqual([at.now.line, at.version, at.moved], [["nui", "nani", "kapu"], 2, true]);
});
