import assert from "node:assert/strict";
import { test } from "node:test";
import { Commands } from "../../../web/static/commands.js";
import { inOrder } from "../../../web/static/in-order.js";
import { answerText } from "../../../web/static/answers.js";
import { randomId } from "../../../web/static/phone.js";

function desk(send) {
  const sent = [];
  const waits = [];
  let ids = 0;
  const commands = new Commands({
    send: (command) => {
      sent.push(command);
      return send(command, sent.length);
    },
    wait: async (ms) => waits.push(ms),
    random: () => "id-" + (ids += 1),
  }, () => {});
  return { commands, sent, waits };
}

test("a press carries its id, the version it was made against, its time and for whom", async () => {
  const { commands, sent } = desk(async () => ({ status: "applied" }));
  const answer = await commands.press("placed", "placed", 7, 123, "Ana", 0, { n: 2 });
  assert.deepEqual(answer, { id: "id-1", status: "applied" });
  assert.deepEqual(sent, [{ id: "id-1", name: "placed", version: 7, by: "Ana", player: 0, press_us: 123, args: { n: 2 } }]);
});

test("H13: a double tap is one press, also while the first is under way", async () => {
  let finish;
  const { commands, sent } = desk(() => new Promise((done) => (finish = done)));
  const first = commands.press("placed", "placed", 7, 1, "Ana", 0);
  await Promise.resolve();
  assert.equal(commands.isPending("placed"), true);
  assert.equal(await commands.press("placed", "placed", 7, 2, "Ana", 0), null);
  finish({ status: "applied" });
  await first;
  assert.equal(commands.isPending("placed"), false);
  assert.equal(sent.length, 1);
});

test("H13: a view that tells what became of a press frees its button: the next player presses before the answer is here", async () => {
  const finish = [];
  const { commands, sent } = desk(() => new Promise((done) => finish.push(done)));
  const first = commands.press("play", "play", 7, 1, "Ana", 0);
  await Promise.resolve();
  assert.equal(commands.told({ "id-9": { status: "applied" } }), false);
  assert.equal(commands.isPending("play"), true);
  assert.equal(commands.told({ "id-1": { status: "refused", code: "stale" } }), true);
  assert.equal(commands.isPending("play"), false);
  assert.deepEqual(await first, { id: "id-1", status: "refused", code: "stale" });
  const second = commands.press("play", "play", 8, 2, "Beto", 1);
  finish[0]({ status: "refused", code: "stale" });
  await new Promise((done) => setImmediate(done));
  assert.equal(commands.isPending("play"), true); // the late answer is the first press's
  finish[1]({ status: "applied" });
  assert.deepEqual(await second, { id: "id-2", status: "applied" });
  assert.deepEqual(sent.map((one) => one.player), [0, 1]);
});

test("a second choice made while the first travels is not lost: it goes after it", async () => {
  const finish = [];
  const { commands, sent } = desk(() => new Promise((done) => finish.push(done)));
  const turn = () => new Promise((done) => setImmediate(done));
  const choose = inOrder((args) => commands.press("set_setting", "set_setting", 7, null, "Ana", undefined, args));
  const first = choose({ name: "mode", value: "quick" });
  const second = choose({ name: "rounds", value: 3 });
  await turn();
  assert.deepEqual(sent.map((one) => one.args.name), ["mode"]);
  finish[0]({ status: "refused", code: "stale" });
  assert.equal((await first).status, "refused");
  await turn();
  assert.deepEqual(sent.map((one) => one.args.name), ["mode", "rounds"]);
  finish[1]({ status: "applied" });
  assert.equal((await second).status, "applied");
});

test("a choice that breaks does not hold up the next", async () => {
  const choose = inOrder(async (n) => {
    if (n === 1) throw new Error("broken");
    return n;
  });
  const first = choose(1);
  const second = choose(2);
  await assert.rejects(first);
  assert.equal(await second, 2);
});

test("a lost link is tried again under the same id, so that it cannot count twice", async () => {
  const { commands, sent, waits } = desk(async (command, count) => {
    if (count < 3) throw new Error("away");
    return { status: "applied" };
  });
  assert.equal((await commands.press("undo", "undo", 4, 9, "Ana")).status, "applied");
  assert.deepEqual(sent.map((one) => [one.id, one.press_us, one.version]), [["id-1", 9, 4], ["id-1", 9, 4], ["id-1", 9, 4]]);
  assert.ok(waits.every((ms, k) => k === 0 || ms > waits[k - 1]));
});

test("when nothing comes through the press is told as failed and the button is free again", async () => {
  const { commands } = desk(async () => {
    throw new Error("away");
  });
  assert.deepEqual(await commands.press("undo", "undo", 4, 9, "Ana"), { id: "id-1", status: "failed", code: "link" });
  assert.equal(commands.isPending("undo"), false);
});

test("ids are long and do not need what plain http lacks", () => {
  const source = { getRandomValues: (bytes) => globalThis.crypto.getRandomValues(bytes) };
  const ids = new Set(Array.from({ length: 100 }, () => randomId(source)));
  assert.equal(ids.size, 100);
  assert.match([...ids][0], /^[0-9a-f]{32}$/);
});

test("every answer but success has words, also one this page does not know", () => {
  const texts = { note_received: "r", refused: "no", refused_stale: "old" };
  const t = (key) => texts[key];
  t.has = (key) => key in texts;
  assert.equal(answerText({ status: "applied" }, t), "");
  assert.equal(answerText({ status: "received" }, t), "r");
  assert.equal(answerText({ status: "refused", code: "stale" }, t), "old");
  assert.equal(answerText({ status: "refused", code: "brand_new" }, t), "no");
});
