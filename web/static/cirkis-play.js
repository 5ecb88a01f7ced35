// What hands do with a game of CirKis: spaces are tapped, the server says what a piece there would do, one button puts it.
import { buttonsFor, hintKey, newDeeds, stillChosen } from "./cirkis-actions.js";
import { Fingers, outlinePicture } from "./cirkis-fingers.js";
import { foreseenWords, shapeWord } from "./cirkis-foreseen.js";
import { completedShapes, headWords } from "./cirkis-words.js";
import { Commands } from "./commands.js";
import { byId, part, rebuild, write } from "./dom.js";
import { holdToPress } from "./hold.js";
import { answerText, commandLink, fetchJson, keep, kept } from "./phone.js";
import { tokenPicture } from "./shapes.js";

const CALL_MS = 2600;
const NOTE_MS = 4000;
let page;
let t;
let fingers;
let commands;
const waiting = new Set();
const onPress = { main: null, side: null };

// Takes the page over; returns what the page calls when a view has come and when it draws.
export function begin(thePage) {
  page = thePage;
  t = page.t;
  Object.assign(page, { sheet: null, foreseen: null, correcting: null, mayInsist: false, press, openSheet, choose, showSpaces,
    lost, correct, sit, fetchJson, keep, kept, tokenPicture, isPending: (name) => commands.isPending(name),
    outline: (spaces) => outlinePicture(page.board.spaces, spaces) });
  commands = new Commands(commandLink(page.game), page.draw);
  fingers = new Fingers(byId("board"), page.board, { tap, point,
    window: () => fingers && write(byId("out"), "disabled", fingers.whole()) });
  page.addStyle("cirkis-play");
  listen();
  return { received, draw };
}

function received(before) {
  const { view } = page;
  for (const id in view.answers) if (waiting.delete(id)) tell(view.answers[id]);
  if (view.version === before.version) return;
  announce(before);
  if (!page.correcting) choose(stillChosen(page.chosen, before, view));
}

// What all should see at once: points and free turns of a piece just played, or that something was taken back.
function announce(before) {
  const { view, named } = page;
  const words = view.undone > before.undone ? [t("undone")] : [];
  for (const deed of newDeeds(before, view)) {
    for (const [id, points] of deed.points || []) words.push(`${named(id).name} +${points}`);
    if (deed.why && view.free) words.push(t("free_turn"));
  }
  const over = view.phase === "over" && before.phase !== "over";
  if (over) words.push(`${headWords(view, t).title} ${headWords(view, t).line}`);
  if (!words.length) return;
  byId("call").textContent = words.join(" · ");
  byId("call").className = over ? "win" : "said";
  clearTimeout(announce.timer);
  announce.timer = setTimeout(() => {
    byId("call").textContent = "";
    byId("call").className = "";
  }, CALL_MS);
}

async function press(name, player, args) {
  const answer = await commands.press(name, name, page.view.version, null, kept("name") || "", player, args);
  if (answer === null) return null;
  if (answer.status === "received") waiting.add(answer.id); // its time is judged later; the view brings the answer
  await tell(answer);
  return answer;
}

async function tell(answer) {
  if (answer.status !== "applied") await later().catch(() => null);
  note(answerText(answer, t));
}

function note(text) {
  page.note = text;
  clearTimeout(note.timer);
  if (text) note.timer = setTimeout(() => note(""), NOTE_MS);
  page.draw();
}

// What is not needed at once: the sheets with their texts, and the words of refusals.
function later() {
  if (!later.asked) {
    later.asked = Promise.all([fetchJson(`/locale/${page.lang}/cirkis_more.json`), import("/js/cirkis-sheets.js")]).then(([texts, sheets]) => {
      Object.assign(page.texts, texts);
      page.later = sheets;
    });
    later.asked.catch(() => (later.asked = null));
  }
  return later.asked;
}

async function openSheet(name, data) {
  page.sheet = { name, ...data };
  try {
    await later();
  } catch (error) {
    page.sheet = null;
    note(t("link_lost"));
    return;
  }
  page.draw();
  const first = byId("sheet").querySelector("button, a");
  if (first) first.focus();
}

// Other spaces are chosen: ask what a piece there would do.
async function choose(spaces) {
  page.chosen = spaces;
  page.foreseen = null;
  page.mayInsist = false;
  page.draw();
  if (!spaces.length || page.correcting || page.view.mode !== "map") return;
  const answer = await ask({ name: "place", player: page.view.turn, args: { spaces } });
  if (answer && answer.problems.length) await later().catch(() => null);
  if (spaces !== page.chosen) return;
  page.foreseen = answer;
  page.draw();
}

// What a command would do, by the rules of the server; null where that does not come.
function ask(command) {
  return fetchJson(`/g/${page.game}/foresee?asked=${encodeURIComponent(JSON.stringify(command))}`).catch(() => null);
}

function tap(space) {
  const { view } = page;
  if (!page.mayAct || page.link !== "live" || !(view.phase === "play" || page.correcting)) return;
  const deed = view.deeds.find((each) => each.s && each.s.includes(space));
  if (view.mode === "quick") {
    const shape = fingers.taps.shapeAt(space, view.settings.ring);
    if (shape && !completedShapes(view).some((done) => done.shape === shape)) openSheet("claim", { shape });
  } else if (deed && deed !== page.correcting) {
    note(t("lies_here", { name: page.named(deed.p).name }));
  } else {
    choose(fingers.taps.chosen(page.chosen, space));
  }
}

// The space under the arrow keys, in words.
function point(space) {
  const deed = page.view.deeds.find((each) => each.s && each.s.includes(space));
  const shape = shapeWord(fingers.taps.shapeAt(space, true) || "", t);
  byId("where").textContent = t(deed ? "where_held" : "where_empty", { n: space, shape, name: deed ? page.named(deed.p).name : "" });
}

// A part of the board to be seen, with the sheet closed.
function showSpaces(spaces) {
  page.sheet = null;
  page.draw();
  fingers.near(spaces[0]);
}

// This phone is a player's, whose seat the board turns to; null: nobody's.
function sit(player) {
  page.me = player;
  keep("seat:" + page.game, player === null ? "" : String(player));
  page.draw();
}

// What the buttons do.
const RUN = {
  place: () => place(false),
  overrule: () => (page.correcting ? change(true) : place(true)),
  clear: () => choose([]),
  lose: () => lost(false),
  lapse: () => lost(false),
  next_round: () => press("next_round", null),
  turn_over: () => press("turn_over", null),
  stuck: () => press("stuck", null),
  out: () => openSheet("claim", {}),
  unplayed: () => openSheet("unplayed"),
  why: () => openSheet("log"),
  leave: () => correct(null),
  change: () => change(false),
  again: () => again(),
  doubt: () => openSheet("doubt"),
};

function place(overrule) {
  return press("place", page.view.turn, { spaces: page.chosen, overrule });
}

// Nothing fits. Where the set says otherwise, the page shows where, and the table may insist.
async function lost(overrule) {
  const player = page.view.turn;
  const answer = await press("cannot_place", player, { overrule });
  if (!answer || answer.code !== "can_place") return;
  const seen = await ask({ name: "cannot_place", player, args: {} });
  openSheet("can_place", { spaces: seen && seen.fits });
}

// An earlier piece is put right: begins with the spaces it has, and leaving it changes nothing (I3).
function correct(deed) {
  page.correcting = deed;
  page.sheet = null;
  choose(deed ? deed.s : []);
  if (deed) fingers.near(deed.s[0]);
}

async function change(overrule) {
  const answer = await press("edit", null, { entry: page.correcting.n, args: { spaces: page.chosen, overrule } });
  page.mayInsist = Boolean(answer) && answer.status === "refused";
  if (answer && answer.status === "applied") correct(null);
  page.draw();
}

// The same people gather again for another game.
async function again() {
  const link = new Commands(commandLink(""), () => null);
  const answer = await link.press("new", "new_game", 0, null, kept("name") || "", undefined, { kind: "cirkis", settings: page.view.settings });
  if (!answer || !answer.body || !answer.body.game) {
    if (answer) tell(answer);
    return;
  }
  const table = new Commands(commandLink(answer.body.game), () => null);
  for (const p of page.view.players) await table.press(p.name, "add_player", 0, null, kept("name") || "", undefined, { name: p.name });
  window.location.href = "/g/" + answer.body.game;
}

// What a piece on the chosen spaces would do, or what to do now.
function drawSay(words) {
  const { named } = page;
  const hint = hintKey(page.view, page);
  write(byId("say"), "className", words && words.stop.length ? "stop" : "");
  rebuild(byId("say"), words || hint, () => {
    if (!words) return [part("span", "", t(hint))];
    if (words.stop.length) return words.stop.map(({ text, clause }) => part("span", "", `${text} (${clause})`));
    const gains = words.points.map(({ player, points, text }) => {
      const gain = part("span", "gain c-" + named(player).colour);
      gain.append(tokenPicture(named(player)), part("b", "", "+" + points), part("span", "", text));
      return gain;
    });
    const parts = [...gains, ...words.more.map((text) => part("span", "", text))];
    return parts.length ? parts : [part("span", "", t("brings_nothing"))];
  });
}

function drawButton(id, button) {
  const element = byId(id);
  write(element, "hidden", !button);
  onPress[id] = button;
  if (!button) return;
  write(element, "textContent", t("do_" + button.key));
  write(element, "disabled", commands.pending.size > 0 || button.off === true);
  write(element, "className", id === "side" || button.quiet ? "side" : "main");
  element.dataset.hold = button.hold ? "yes" : "no";
}

function draw() {
  const words = page.foreseen && foreseenWords(page.foreseen, t);
  document.body.classList.toggle("left", kept("hand") === "left");
  drawSay(words);
  if (page.mayAct) {
    write(byId("undo"), "disabled", !page.view.undo || commands.isPending("undo"));
    const { side, main } = buttonsFor(page.view, { chosen: page.chosen, correcting: page.correcting, known: words !== null,
      stopped: words !== null && words.stop.length > 0, overrule: page.mayInsist || (words !== null && words.overrule) });
    drawButton("side", side);
    drawButton("main", main);
  }
  if (page.later) page.later.drawSheet(page, byId("sheet"));
  byId("page").inert = page.sheet !== null;
  if (fingers.board !== page.board) fingers.take(page.board); // it has been turned
  fingers.place();
}

// A button that is held or only pressed, as it says of itself at the moment.
function listenTo(id) {
  const element = byId(id);
  element.onclick = () => onPress[id] && !onPress[id].hold && RUN[onPress[id].key]();
  const whileHeld = (f) => (event) => element.dataset.hold === "yes" && f(event); // else a key is a plain press
  const held = { get disabled() { return element.disabled || element.dataset.hold !== "yes"; }, classList: element.classList,
    addEventListener: (name, f) => element.addEventListener(name, name.startsWith("key") ? whileHeld(f) : f) };
  holdToPress(held, 1000, () => RUN[onPress[id].key](), () => element.dataset.hold === "yes" && note(t("keep_pressed")));
}

function listen() {
  byId("menu").onclick = () => openSheet("menu");
  byId("players").onclick = () => openSheet("players");
  byId("in").onclick = () => {
    const last = page.view.deeds.filter((deed) => deed.s).pop();
    if (fingers.whole()) fingers.near(page.chosen.length ? page.chosen[0] : last ? last.s[0] : null);
    else fingers.step(1.5);
  };
  byId("out").onclick = () => fingers.fit();
  if (!page.mayAct) return;
  listenTo("main");
  listenTo("side");
  holdToPress(byId("undo"), 1000, () => press("undo", null), () => note(t("undo_hold")));
}
