// The live page of a game of CirKis: spaces are tapped, the server says what a piece there would do, one button puts it.
// The parts stand in the page as the server sent it and are only written to; sheets are fetched when opened.
import { CirkisBoard, outlinePicture } from "./cirkis-board.js";
import { buttonsFor, completedShapes, hintKey, newDeeds, stillChosen } from "./cirkis-actions.js";
import { foreseenWords, headWords, shapeWord } from "./cirkis-words.js";
import { Spaces } from "./cirkis-spaces.js";
import { Commands } from "./commands.js";
import { holdToPress } from "./hold.js";
import { translator } from "./i18n.js";
import { LiveView } from "./live.js";
import { answerText, bootData, commandLink, fetchJson, keep, kept, viewLink } from "./phone.js";
import { tokenPicture } from "./shapes.js";

const CALL_MS = 2600;
const NOTE_MS = 4000;
const boot = bootData();
const t = translator(boot.texts, boot.lang);
const byId = (id) => document.getElementById(id);
const game = boot.first.view.game;
const seatKey = "seat:" + game;
// What the page knows; the sheets read and change it too.
const page = {
  view: boot.first.view, lang: boot.lang, mayAct: boot.may_act, link: "live", sheet: null, note: "", chosen: [],
  foreseen: null, correcting: null, mayInsist: false, seat: kept(seatKey) ? Number(kept(seatKey)) : null,
  t, press, draw, addStyle, openSheet, fetchJson, keep, kept, tokenPicture, holdToPress, named, choose, showSpaces, lost, correct,
  outline: (spaces) => outlinePicture(board.spaces, spaces),
  isPending: (key) => commands.isPending(key),
  sit(seat) {
    page.seat = seat;
    keep(seatKey, seat === null ? "" : String(seat));
    makeBoard();
    draw();
  },
};
let board = null;
let drawing = null;
const commands = new Commands(commandLink(game), draw);
const live = new LiveView(`/g/${game}/events?after=`, boot.first.seq, viewLink(game), {
  view: receive,
  beat() {},
  state(state) {
    page.link = state;
    draw();
  },
});

function receive({ view }) {
  if (!view.phase) {
    page.link = "lost"; // the referee cannot show the game: what is drawn here is old
    draw();
    return;
  }
  const before = page.view;
  page.link = "live";
  page.view = view;
  if (view.phase === "lobby") {
    window.location.reload(); // the table gathers again: another page
    return;
  }
  for (const id in view.answers) if (waiting.delete(id)) tell(view.answers[id]);
  if (view.version !== before.version) {
    announce(before);
    if (!page.correcting) choose(stillChosen(page.chosen, before, view));
  }
  draw();
}
const waiting = new Set();

function named(id) {
  return page.view.players.find((p) => p.id === id) || null;
}

// What all should see at once: points and free turns of a piece just played, or that something was taken back.
function announce(before) {
  const { view } = page;
  const words = view.undone > before.undone ? [t("undone")] : [];
  for (const deed of newDeeds(before, view)) {
    for (const [id, points] of deed.points || []) words.push(`${named(id).name} +${points}`);
    if (deed.why && view.free) words.push(t("free_turn"));
  }
  if (view.phase === "over" && before.phase !== "over") words.push(`${headWords(view, t).title} ${headWords(view, t).line}`);
  if (!words.length) return;
  byId("call").textContent = words.join(" · ");
  byId("call").className = view.phase === "over" ? "win" : "said";
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
  draw();
}

// What the first picture does not need: texts of sheets and refusals, and what draws them.
function later() {
  if (!later.asked) {
    later.asked = Promise.all([fetchJson(`/locale/${boot.lang}/cirkis_more.json`), import("/static/cirkis-sheets.js")]).then(([texts, sheets]) => {
      Object.assign(boot.texts, texts);
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
  draw();
  const first = byId("sheet").querySelector("button, a");
  if (first) first.focus();
}

// Other spaces are chosen: ask what a piece there would do.
async function choose(spaces) {
  page.chosen = spaces;
  page.foreseen = null;
  page.mayInsist = false;
  draw();
  if (!spaces.length || page.correcting || page.view.mode !== "map") return;
  const answer = await ask({ name: "place", player: page.view.turn, args: { spaces } });
  if (answer && answer.problems.length) await later().catch(() => null);
  if (spaces !== page.chosen) return;
  page.foreseen = answer;
  draw();
}

// What a command would do, by the rules of the server; null where that does not come.
function ask(command) {
  return fetchJson(`/g/${game}/foresee?asked=${encodeURIComponent(JSON.stringify(command))}`).catch(() => null);
}

function tap(space) {
  const { view } = page;
  if (!page.mayAct || page.link !== "live" || !(view.phase === "play" || page.correcting)) return;
  const deed = view.deeds.find((each) => each.s && each.s.includes(space));
  if (view.mode === "quick") {
    const shape = board.spaces.shapeAt(space, view.settings.ring);
    if (shape && !completedShapes(view).some((done) => done.shape === shape)) openSheet("claim", { shape });
  } else if (deed && deed !== page.correcting) {
    note(t("lies_here", { name: named(deed.p).name }));
  } else {
    choose(board.spaces.chosen(page.chosen, space));
  }
}

// A part of the board to be seen, with the sheet closed.
function showSpaces(spaces) {
  page.sheet = null;
  draw();
  board.near(spaces[0]);
}

function fresh() {
  return page.link === "live";
}

// Write only what has changed: untouched parts cost nothing, and assistive technology hears of changes alone.
function write(element, property, value) {
  if (element[property] !== value) element[property] = value;
}

// Rebuild the children of an element when what they show has changed.
function rebuild(element, shown, children) {
  const key = JSON.stringify(shown);
  if (element.shownKey === key) return;
  element.shownKey = key;
  element.textContent = "";
  for (const child of children()) element.appendChild(child);
}

function part(name, className, ...inner) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...inner);
  return element;
}

function drawHead() {
  const words = headWords(page.view, t);
  const who = named(words.player);
  write(byId("turn"), "className", "turn c-" + (who ? who.colour : "none"));
  rebuild(byId("sign"), who && [who.colour, who.shape, who.letter], () => (who ? [tokenPicture(who)] : []));
  write(byId("title"), "textContent", words.title);
  write(byId("line"), "textContent", words.line);
}

function drawStrip() {
  let text = page.note;
  if (page.link !== "live") text = t("link_lost");
  else if (page.view.notice) text = t(page.view.notice === "journal_full" ? "notice_journal_full" : "notice_other");
  write(byId("strip"), "textContent", text);
  write(byId("strip"), "className", text === page.note ? "" : "bad");
  write(byId("strip"), "hidden", !text);
}

function drawPlayers() {
  const { view } = page;
  rebuild(byId("players"), [view.players, view.turn], () => view.players.map((p) => {
    const cell = part("span", `player c-${p.colour}${p.id === view.turn ? " on" : ""}${p.left ? " gone" : ""}`);
    const left = p.unplayed === null ? "" : "▢" + p.unplayed;
    const visible = [tokenPicture(p), part("b", "", String(p.total)), part("small", "", left), part("span", "name", p.name)];
    for (const each of visible) each.setAttribute("aria-hidden", "true");
    cell.append(...visible, part("span", "unseen", t("player_label", { name: p.name, points: p.total, n: p.unplayed || 0 })));
    return cell;
  }));
}

// What a piece on the chosen spaces would do, or what to do now.
function drawSay(words) {
  const { view } = page;
  const say = byId("say");
  const key = [words, words ? "" : hintKey(view, page)];
  write(say, "className", words && words.stop.length ? "stop" : "");
  rebuild(say, key, () => {
    if (!words) return [part("span", "", t(hintKey(page.view, page)))];
    const parts = words.stop.map(({ text, clause }) => part("span", "", `${text} (${clause})`));
    if (words.stop.length) return parts;
    for (const { player, points, text } of words.points) {
      parts.push(part("span", "gain c-" + named(player).colour, tokenPicture(named(player)), part("b", "", "+" + points), part("span", "", text)));
    }
    for (const text of words.more) parts.push(part("span", "", text));
    return parts.length ? parts : [part("span", "", t("brings_nothing"))];
  });
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
}

async function change(overrule) {
  const answer = await press("edit", null, { entry: page.correcting.n, args: { spaces: page.chosen, overrule } });
  page.mayInsist = Boolean(answer) && answer.status === "refused";
  if (answer && answer.status === "applied") correct(null);
  draw();
}

async function again() {
  const link = new Commands(commandLink(""), () => null);
  const answer = await link.press("new", "new_game", 0, null, kept("name") || "", undefined, { kind: "cirkis", settings: page.view.settings });
  if (answer && answer.body && answer.body.game) window.location.href = "/g/" + answer.body.game;
  else if (answer) tell(answer);
}

const onPress = { main: null, side: null };

function drawButton(id, button) {
  const element = byId(id);
  write(element, "hidden", !button);
  onPress[id] = button;
  if (!button) return;
  write(element, "textContent", t("do_" + button.key));
  write(element, "disabled", commands.pending.size > 0 || button.off === true);
  element.dataset.hold = button.hold ? "yes" : "no";
}

function drawActions(words) {
  if (!page.mayAct) return;
  write(byId("undo"), "disabled", !page.view.undo || commands.isPending("undo"));
  const { side, main } = buttonsFor(page.view, { chosen: page.chosen, correcting: page.correcting, known: words !== null,
    stopped: words !== null && words.stop.length > 0, overrule: page.mayInsist || (words !== null && words.overrule) });
  drawButton("side", side);
  drawButton("main", main);
}

function drawBoard() {
  if (!board) return;
  const { view } = page;
  const pieces = view.deeds.filter((deed) => deed.s).map((deed) => ({ player: named(deed.p), spaces: deed.s }));
  const held = {};
  for (const { player, spaces } of pieces) for (const space of spaces) held[space] = player;
  const done = completedShapes(view).map(({ shape, player }) => ({ shape, player: player === null ? null : named(player) }));
  if (view.mode === "quick") for (const { shape, player } of done) for (const space of board.spaces.shapes[shape]) held[space] = player || { colour: "none" };
  const play = view.phase === "play" && view.mode === "map";
  board.show({ held, pieces, leader: play && pieces.length ? pieces[pieces.length - 1].spaces : null, open: view.open,
    chosen: page.chosen, chooser: named(view.turn), done });
}

function draw() {
  const { view } = page;
  const words = page.foreseen && foreseenWords(page.foreseen, t);
  document.body.dataset.phase = view.phase;
  document.body.dataset.fresh = fresh() ? "yes" : "no";
  document.body.classList.toggle("left", kept("hand") === "left");
  drawHead();
  drawStrip();
  drawPlayers();
  drawSay(words);
  drawActions(words);
  drawBoard();
  if (page.later) page.later.drawSheet(page, byId("sheet"));
  byId("page").inert = page.sheet !== null;
}

// The space under the arrow keys, in words.
function point(space) {
  const deed = page.view.deeds.find((each) => each.s && each.s.includes(space));
  const shape = shapeWord(board.spaces.shapeAt(space, true) || "", t);
  byId("where").textContent = t(deed ? "where_held" : "where_empty", { n: space, shape, name: deed ? named(deed.p).name : "" });
}

function makeBoard() {
  if (!drawing) return;
  byId("board").textContent = "";
  const seats = page.view.players.length;
  const turn = page.seat === null ? 0 : Math.round((page.seat * 10) / seats);
  board = new CirkisBoard(byId("board"), new Spaces(drawing, turn), { tap, point,
    window: () => write(byId("out"), "disabled", !board || board.whole()) });
}

// Styles that not every phone needs are asked for when they are.
function addStyle(name) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = `/static/${name}.css`;
  link.onload = draw;
  document.head.appendChild(link);
}

// A button that is held or only pressed, as it says of itself at the moment.
function listenTo(id) {
  const element = byId(id);
  element.onclick = () => onPress[id] && !onPress[id].hold && RUN[onPress[id].key]();
  const isHeld = { get disabled() { return element.disabled || element.dataset.hold !== "yes"; }, classList: element.classList,
    addEventListener: (name, f) => element.addEventListener(name, f) };
  holdToPress(isHeld, 1000, () => RUN[onPress[id].key](), () => element.dataset.hold === "yes" && note(t("keep_pressed")));
}

async function listen() {
  const wide = window.matchMedia("(min-width: 800px) and (min-height: 480px)");
  const widen = () => wide.matches && !widen.done && (widen.done = addStyle("cirkis-wide") || true);
  widen();
  wide.addListener(widen);
  byId("menu").onclick = () => openSheet("menu");
  byId("players").onclick = () => openSheet("players");
  byId("in").onclick = () => {
    const last = page.view.deeds.filter((deed) => deed.s).pop();
    if (board && board.whole()) board.near(page.chosen.length ? page.chosen[0] : last ? last.s[0] : null);
    else if (board) board.step(1.5);
  };
  byId("out").onclick = () => board && board.fit();
  if (page.mayAct) {
    listenTo("main");
    listenTo("side");
    holdToPress(byId("undo"), 1000, () => press("undo", null), () => note(t("undo_hold")));
  }
  document.addEventListener("visibilitychange", () => live.visibility(document.visibilityState === "visible"));
  window.addEventListener("pageshow", (event) => event.persisted && live.visibility(true));
  window.addEventListener("resize", draw);
}

// The board never changes: this phone keeps it, and asks again until it has come.
async function fetchBoard() {
  try {
    drawing = await fetchJson("/cirkis-board.json", { cache: "default" });
    makeBoard();
    draw();
  } catch (error) {
    setTimeout(fetchBoard, 1000);
  }
}

listen();
draw();
fetchBoard();
live.start();
