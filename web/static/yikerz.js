// The live page of a game of Yikerz: what comes in is drawn, what is pressed is sent. The parts stand in the page as the
// server sent it and are only written to, so that nothing moves away under a finger; sheets are fetched when opened.
import { actionsFor, openQuestion } from "./actions.js";
import { BoardDrawing } from "./board.js";
import { ServerClock, sampleClock } from "./clock.js";
import { Commands } from "./commands.js";
import { countdown } from "./countdown.js";
import { holdToPress } from "./hold.js";
import { translator } from "./i18n.js";
import { LiveView } from "./live.js";
import { answerText, bootData, commandLink, fetchJson, keep, kept, viewLink } from "./phone.js";
import { rulingWords, stateWords } from "./words.js";
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
  view: boot.first.view,
  texts: boot.texts,
  lang: boot.lang,
  mayAct: boot.may_act,
  link: "live",
  sheet: null,
  note: "",
  byHand: false,
  seat: kept(seatKey) ? Number(kept(seatKey)) : null,
  soundOn: kept("sound") === "on",
  t, press, draw, addStyle, openSheet, fetchJson, keep, allowSound, rulingWords, tokenPicture, holdToPress,
  isPending: (key) => commands.isPending(key),
  sit(seat) {
    page.seat = seat;
    keep(seatKey, seat === null ? "" : String(seat));
  },
};
const lastRuling = (view) => (view.rulings.length ? view.rulings[view.rulings.length - 1].n : 0);
let announced = lastRuling(page.view);
let undone = page.view.undone;
const waiting = new Set();
const clock = new ServerClock();
const board = new BoardDrawing(byId("board"));
const commands = new Commands(commandLink(game), draw);
const live = new LiveView(`/g/${game}/events?after=`, boot.first.seq, viewLink(game), {
  view: receive,
  beat: (beat, at) => clock.push(at, beat.s, beat.rate),
  state(state) {
    page.link = state;
    draw();
  },
});

function receive(envelope, at) {
  clock.push(at, envelope.s, envelope.rate);
  if (!envelope.view.phase) {
    page.link = "lost"; // the referee cannot show the game: what is drawn here is old
    draw();
    return;
  }
  page.link = "live";
  page.view = envelope.view;
  if (page.view.phase === "lobby") {
    window.location.reload(); // the table gathers again: another page
    return;
  }
  for (const id of waiting) {
    const answer = page.view.answers[id];
    if (answer && waiting.delete(id)) tell(answer);
  }
  announce();
  draw();
}

// The word that all should see now: the newest ruling that calls for one, for a short while.
function announce() {
  const fresh = page.view.rulings.filter((ruling) => ruling.n > announced);
  announced = Math.max(announced, lastRuling(page.view));
  const words = fresh.map((ruling) => rulingWords(page.view, ruling, t)).filter((word) => word.call);
  if (page.view.undone > undone) words.push({ text: t("undone"), call: "said" });
  undone = page.view.undone;
  if (!words.length) return;
  const word = words[words.length - 1];
  byId("call").textContent = word.text;
  byId("call").className = word.call;
  play(word.call);
  clearTimeout(announce.timer);
  announce.timer = setTimeout(() => {
    byId("call").textContent = "";
    byId("call").className = "";
  }, CALL_MS);
}

async function press(button, player, args) {
  const pressed = clock.serverUs(performance.now());
  const answer = await commands.press(button.key, button.name, page.view.version, pressed, kept("name") || "", player,
    { ...button.args, ...args });
  if (answer === null) return;
  if (answer.status === "received") waiting.add(answer.id); // its time is judged later; the view brings the answer
  tell(answer);
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

// What the first picture does not need: texts of sheets, questions and refusals, and what draws them.
function later() {
  if (!later.asked) {
    later.asked = Promise.all([fetchJson(`/locale/${boot.lang}/sheet.json`), import("/static/sheets.js")]).then(([texts, sheets]) => {
      Object.assign(boot.texts, texts);
      page.later = sheets;
    });
    later.asked.catch(() => (later.asked = null));
  }
  return later.asked;
}

// One of those texts, "" until they have come.
function tLater(key, n) {
  if (!page.later) later().then(draw, () => null);
  return t.has(key) ? t(key, { n }) : "";
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

// Sound may only begin in a tap, and its module comes when it is wanted.
async function allowSound() {
  if (page.soundOn && !page.sounds) page.sounds = import("/static/sound.js").then((m) => new m.Sounds(window)).catch(() => null);
  const sounds = await page.sounds;
  if (sounds) sounds.allow();
}

async function play(name) {
  const sounds = page.soundOn && (await page.sounds);
  if (sounds) sounds.play(name);
}

function fresh() {
  return page.link === "live" && (page.view.sensors === "held" || page.view.sensors === "none");
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

function part(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

function drawHead(words) {
  const who = page.view.players.find((p) => p.id === words.player);
  write(byId("turn"), "className", "turn c-" + (who ? who.colour : "none"));
  for (const id of ["sign", "who"]) rebuild(byId(id), who && [who.colour, who.shape, who.letter], () => (who ? [tokenPicture(who)] : []));
  write(byId("title"), "textContent", words.title);
  write(byId("line"), "textContent", words.line);
}

function drawStrip() {
  const { view } = page;
  const bound = Math.ceil(clock.boundMs());
  let text = page.note;
  let bad = true;
  if (page.link !== "live") text = t("link_lost");
  else if (view.sensors === "lost" || view.sensors === "stale") text = tLater("sensors_" + view.sensors);
  else if (view.notice) text = tLater(`notice_${view.notice}`) || tLater("notice_other");
  else {
    bad = false;
    if (!text && view.health.faults.length) text = tLater("faults", view.health.faults.length);
    if (!text && clock.known() && bound > 25) text = `⏱ ±${bound} ms`; // in any language
  }
  write(byId("strip"), "textContent", text);
  write(byId("strip"), "className", bad ? "bad" : "");
  write(byId("strip"), "hidden", !text);
}

function drawPlayers() {
  const { view } = page;
  const shown = view.players.map((p) => [p.id, p.name, p.pile, p.wins, p.colour, p.shape, p.letter, p.id === view.turn]);
  rebuild(byId("players"), shown, () => view.players.map((p) => {
    const cell = part("span", `player c-${p.colour}${p.id === view.turn ? " on" : ""}`);
    const visible = part("span");
    visible.setAttribute("aria-hidden", "true");
    visible.append(tokenPicture(p), part("b", "", String(p.pile)), part("span", "name", p.name), part("span", "wins", "★".repeat(p.wins)));
    cell.append(visible, part("span", "unseen", t("player_label", { name: p.name, n: p.pile, wins: p.wins })));
    return cell;
  }));
}

const onPress = { main: null, side0: null, side1: null, last: null };

function drawButton(id, button, label, className) {
  const element = byId(id);
  write(element, "hidden", !button);
  onPress[id] = button;
  if (!button) return;
  write(element, "textContent", label);
  write(element, "disabled", commands.isPending(button.key) || button.done === true);
  write(element, "className", className);
}

function drawActions(words) {
  if (!page.mayAct) return;
  const { view } = page;
  const question = page.later ? openQuestion(view) : null;
  if (openQuestion(view)) tLater("");
  const { main, side, last } = actionsFor(view, page.byHand || view.sensors === "none" || view.sensors === "lost");
  write(byId("undo"), "disabled", !view.undo || commands.isPending("undo"));
  drawButton("main", question ? null : main, main && t("do_" + main.key), "main");
  write(byId("hint"), "hidden", !question && main !== null);
  write(byId("hint"), "textContent", question ? page.later.questionText(page, question) : words.hint);
  write(byId("last").parentElement, "hidden", question !== null || last === null);
  for (const k of [0, 1]) drawButton("side" + k, side[k], side[k] && t("do_" + side[k].key), "side");
  drawButton("last", last && { key: "last_yiker", name: "last_yiker", player: view.call ? view.call.player : view.turn, done: last === "said" },
    t(last === "said" ? "last_said" : "last_yiker"), "last " + last);
  write(byId("choices"), "hidden", question === null);
  if (question) page.later.drawChoices(page, byId("choices"), question);
}

function draw() {
  const { view } = page;
  const words = stateWords(view, t);
  document.body.dataset.phase = view.phase;
  document.body.dataset.fresh = fresh() ? "yes" : "no";
  drawHead(words);
  drawStrip();
  drawPlayers();
  drawActions(words);
  if (page.later) page.later.drawSheet(page, byId("sheet"));
  byId("page").inert = page.sheet !== null;
  board.show(view, page.seat, (stones) => t("board_label", { n: stones.length }));
}

// The countdown: drawn from deadline and server time at every frame, written only when it changes.
function tick() {
  const { text, mood } = countdown(page.view.deadline_us, clock.serverUs(performance.now()), fresh());
  if (text + mood !== tick.shown) {
    tick.shown = text + mood;
    byId("digits").textContent = text;
    byId("clock").className = mood;
    byId("checking").textContent = mood === "checking" ? t("checking") : "";
    if (mood === "soon") play("tick");
  }
  window.requestAnimationFrame(tick);
}

function syncClock(count) {
  return sampleClock(clock, () => fetchJson("/clock"), () => performance.now(), count).then(draw);
}

function woken(visible) {
  if (visible) {
    clock.reset(); // the page's clock may have stood still in the sleep
    syncClock(6);
  }
  live.visibility(visible);
}

// Styles that not every phone needs are asked for when they are.
function addStyle(name) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = `/static/${name}.css`;
  link.onload = draw;
  document.head.appendChild(link);
}

function listen() {
  const wide = window.matchMedia("(min-width: 800px) and (min-height: 480px)");
  const widen = () => wide.matches && !widen.done && (widen.done = addStyle("wide") || true);
  widen();
  wide.addListener(widen);
  byId("menu").onclick = () => openSheet("menu");
  byId("players").onclick = () => openSheet("players");
  for (const id of page.mayAct ? Object.keys(onPress) : []) {
    byId(id).onclick = () => {
      const button = onPress[id];
      if (button.count) openSheet("count", { button });
      else press(button, button.player === undefined ? page.view.turn : button.player);
    };
  }
  if (page.mayAct) holdToPress(byId("undo"), 1000, () => press({ key: "undo", name: "undo" }), () => note(t("undo_hold")));
  document.addEventListener("pointerdown", allowSound);
  document.addEventListener("visibilitychange", () => woken(document.visibilityState === "visible"));
  window.addEventListener("pageshow", (event) => event.persisted && woken(true));
  window.addEventListener("resize", draw);
}

listen();
draw();
live.start();
syncClock(6);
setInterval(() => document.visibilityState === "visible" && syncClock(1), 5000);
tick();
