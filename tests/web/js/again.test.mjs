// Another game with the same people.
import assert from "node:assert/strict";
import { test } from "node:test";
import { playAgain } from "../../../web/static/again.js";

// Plays again from a view; what the table answers to new_game. Returns what was sent and where the page went.
async function played(view, answer) {
  const sent = [];
  const told = [];
  globalThis.window = { location: { href: "" }, localStorage: { getItem: () => "Ana" }, crypto: globalThis.crypto };
  globalThis.fetch = async (path, { body }) => {
    const { name, player, args } = JSON.parse(body);
    sent.push([path, name, player, args]);
    return { ok: true, json: async () => (name === "new_game" ? answer : { status: "applied", code: "" }) };
  };
  await playAgain({ game: "g1", view: { version: 7, sensors: "none", ...view }, tell: (one) => told.push(one) });
  return { sent, told, went: window.location.href };
}

const made = { status: "applied", code: "", body: { game: "g2" } };

test("the same people, choices, seats and colours; who has left stays away", async () => {
  const players = [{ id: 3, name: "Ana", colour: "red" }, { id: 1, name: "Beto", colour: "blue", gone: true },
    { id: 0, name: "Carla", colour: "yellow" }, { id: 2, name: "Dani", colour: "green", left: true }];
  const { sent, went } = await played({ kind: "cirkis", players, again: { settings: { ring: true }, colours: true } }, made);
  assert.deepEqual(sent, [
    ["/commands", "new_game", null, { kind: "cirkis", settings: { ring: true }, sensors: false, after: "g1" }],
    ["/g/g2/commands", "add_player", null, { name: "Ana" }],
    ["/g/g2/commands", "add_player", null, { name: "Carla" }],
    ["/g/g2/commands", "set_colour", 0, { colour: "red" }],
    ["/g/g2/commands", "set_colour", 1, { colour: "yellow" }],
  ]);
  assert.equal(went, "/g/g2");
});

test("the sensors of the game that is over go on to the next one", async () => {
  const { sent } = await played({ kind: "yikerz", sensors: "held", players: [{ id: 0, name: "Ana" }], again: { settings: {}, colours: false } }, made);
  assert.deepEqual(sent.map(([path, name]) => [path, name]), [["/g/g1/commands", "release_sensors"], ["/commands", "new_game"], ["/g/g2/commands", "add_player"]]);
  assert.equal(sent[1][3].sensors, true);
});

test("what the table refuses is told, and the page stays", async () => {
  const refused = { status: "refused", code: "journal_full" };
  const { sent, told, went } = await played({ kind: "tiki", players: [{ id: 0, name: "Ana" }], again: { settings: {}, colours: true } }, refused);
  assert.equal(sent.length, 1);
  assert.equal(told[0].code, "journal_full");
  assert.equal(went, "");
});

test("where another phone has made the next game, this one only goes there", async () => {
  const joined = { ...made, body: { game: "g2", joined: true } };
  const { sent, went } = await played({ kind: "tiki", players: [{ id: 0, name: "Ana", colour: "red" }], again: { settings: {}, colours: true } }, joined);
  assert.deepEqual(sent.map(([, name]) => name), ["new_game"]);
  assert.equal(went, "/g/g2");
});
