// A demonstration asks people as soon as a player's phone is at its page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Attending } from "../../../web/static/attending.js";

// An attending page, what it has posted, and what it says. role, seat: of this phone; fails: how many posts do not come through;
// answer: to the others.
function at({ role = "player", me = null, mayAct = true, fails = 0, answer = { status: "applied", code: "" } } = {}) {
  const posted = [];
  const said = [];
  globalThis.window = { localStorage: { getItem: (key) => ({ role, name: "Ana" })[key] ?? null }, crypto: globalThis.crypto };
  globalThis.fetch = async (path, { body }) => {
    if (fails-- > 0) throw new Error("link");
    posted.push([path, JSON.parse(body)]);
    return { ok: true, json: async () => answer };
  };
  const page = { game: "g1", me, mayAct, t: (key) => key, note: (text) => said.push(text) };
  return { attending: new Attending(page), posted, said };
}

const named = (posted) => posted.map(([path, { name, args, version, by }]) => [path, name, args, version, by]);
const wanted = ["/g/g1/commands", "set_setting", { name: "answers", value: "people" }, 7, "Ana"];

test("a player's phone says once that somebody is there to be asked, and is told so", async () => {
  const { attending, posted, said } = at();
  await attending.follow({ unasked: true, version: 7 });
  await attending.follow({ unasked: true, version: 8 });
  assert.deepEqual(named(posted), [wanted]);
  assert.deepEqual(said, ["asked_now"]);
});

test("so do the table's own phone and one that sits at a player's place", async () => {
  for (const phone of [{ role: "table" }, { role: "", me: 0 }]) {
    const { attending, posted } = at(phone);
    await attending.follow({ unasked: true, version: 7 });
    assert.deepEqual(named(posted), [wanted]);
  }
});

test("one that watches, or may not act, says nothing; nor where people are asked already", async () => {
  for (const [phone, view] of [[{ role: "watch" }, { unasked: true }], [{ role: "" }, { unasked: true }], [{ mayAct: false }, { unasked: true }], [{}, {}]]) {
    const { attending, posted } = at(phone);
    await attending.follow({ version: 7, ...view });
    assert.deepEqual(posted, []);
  }
});

test("when the demonstration begins to ask nobody again, it is said again", async () => {
  const { attending, posted } = at();
  await attending.follow({ unasked: true, version: 7 });
  await attending.follow({ version: 8 });
  await attending.follow({ unasked: true, version: 9 });
  assert.deepEqual(posted.map(([, { version }]) => version), [7, 9]);
});

test("what did not come through is said again with the next view", async () => {
  const { attending, posted, said } = at({ fails: 1 });
  await attending.follow({ unasked: true, version: 7 });
  assert.deepEqual([posted, said], [[], []]);
  await attending.follow({ unasked: true, version: 7 });
  assert.deepEqual(named(posted), [wanted]);
});

test("what is refused is not said to hold; where another phone has said it just now it does", async () => {
  for (const [code, says, posts] of [["stale", 1, 1], ["no_code", 0, 1], ["older_rules", 0, 1], ["too_fast", 0, 2]]) {
    const { attending, posted, said } = at({ answer: { status: "refused", code } });
    await attending.follow({ unasked: true, version: 7 });
    await attending.follow({ unasked: true, version: 8 });
    assert.deepEqual([said.length, posted.length], [says, posts], code);
  }
});
