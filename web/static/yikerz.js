// The live page of a game of Yikerz: what comes in is drawn, what is pressed is sent. The parts stand in the page as the
// server sent it and are only written to, so that nothing moves away under a finger. What the first picture does not
// need is fetched once the page is live (calls, holding), or when it is opened (sheets).
import { BoardDrawing } from "./board.js";
import { drawButtons, listenToButtons } from "./buttons.js";
import { ServerClock, sampleClock } from "./clock.js";
import { Commands } from "./commands.js";
import { countdown, standing } from "./countdown.js";
import { byId } from "./dom.js";
import { drawHead, drawPips, drawStrip, stripWords } from "./heading.js";
import { translator } from "./i18n.js";
import { LiveView } from "./live.js";
import { answerText, bootData, commandLink, fetchJson, keep, kept, viewLink } from "./phone.js";
import { drawPiles } from "./piles.js";
import { tokenPicture } from "./shapes.js";
import { stateWords } from "./words.js";

const NOTE_MS = 4000;
const boot = bootData();
const t = translator(boot.texts, boot.lang);
const game = boot.first.view.game;
const clock = new ServerClock();
const board = new BoardDrawing(byId("board"));
const commands = new Commands(commandLink(game), draw);
const waiting = new Set();
// What the page knows; what is fetched later reads and changes it too.
const page = {
  game, t, press, draw, note, openSheet, fetchJson, keep, kept, tokenPicture, board, texts, addStyle, addTexts,
  first: boot.first.view,
  view: boot.first.view,
  lang: boot.lang,
  languages: boot.languages,
  mayAct: boot.may_act,
  link: "live",
  sheet: null,
  said: "",
  clip: null,
  byHand: false,
  seat: kept("seat:" + game) ? Number(kept("seat:" + game)) : null,
  isPending: (key) => commands.isPending(key),
};
const live = new LiveView(`/g/${game}/events?after=`, boot.first.seq, viewLink(game), {
  view: receive,
  beat: (beat, at) => clock.push(at, beat.s, beat.rate),
  state(state) {
    page.link = state;
    draw();
    if (state === "live") second();
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
  if (page.ready) page.caller.follow(page.view);
  draw();
}

async function press(button, player, args) {
  const pressed = clock.serverUs(performance.now());
  const answer = await commands.press(button.key, button.name, page.view.version, pressed, kept("name") || "", player,
    { ...button.args, ...args });
  if (answer === null) return;
  if (button.name === "delete_game" && answer.status === "applied") window.location.href = "/";
  if (answer.code === "not_ready") openSheet("unready", { button });
  if (answer.status === "received") waiting.add(answer.id); // its time is judged later; the view brings the answer
  tell(answer);
}

async function tell(answer) {
  if (answer.status !== "applied") await later().catch(() => null);
  note(answerText(answer, t));
}

function note(text) {
  page.said = text;
  clearTimeout(note.timer);
  if (text) note.timer = setTimeout(() => note(""), NOTE_MS);
  draw();
}

// Each thing that is fetched, once; asked for again where it did not come.
function once(name, make) {
  if (!once[name]) {
    once[name] = make();
    once[name].catch(() => (once[name] = null));
  }
  return once[name];
}

function addTexts(part) {
  return once("/locale/" + part, () => fetchJson(`/locale/${boot.lang}/${part}.json`).then((more) => Object.assign(boot.texts, more)));
}

function second() {
  return once("second", () => Promise.all([import("/js/second.js"), addTexts("calls")]).then(([more]) => more.begin(page)));
}

function later() {
  return once("later", () => Promise.all([import("/static/sheets.js"), addTexts("sheet"), second()]).then(([sheets]) => {
    page.later = sheets;
  }));
}

// A text that may still have to come, "" until then.
function texts(key, n) {
  if (!page.later && !t.has(key)) later().then(draw, () => null);
  return t.has(key) ? t(key, { n }) : "";
}

async function openSheet(name, data) {
  page.sheet = { name, ...data };
  try {
    await later();
    await page.later.ready(page, name);
  } catch (error) {
    page.sheet = null;
    note(t("link_lost"));
    return;
  }
  draw();
  const first = byId("sheet").querySelector("button, a");
  if (first) first.focus();
}

function fresh() {
  return page.link === "live" && (page.view.sensors === "held" || page.view.sensors === "none");
}

function draw() {
  const { view } = page;
  const words = stateWords(view, t);
  document.body.dataset.phase = view.phase;
  document.body.dataset.fresh = fresh() ? "yes" : "no";
  drawHead(view, words);
  drawPips(view);
  const said = page.clip ? texts("showing", page.clip.left) : page.said;
  drawStrip(stripWords(view, { link: page.link, note: said, boundMs: page.later ? clock.boundMs() : 0 }, texts));
  drawPiles(view, t);
  drawButtons(page, words);
  if (page.later) page.later.drawSheet(page, byId("sheet"));
  byId("page").inert = page.sheet !== null;
  const seen = page.clip ? { ...view, board: { ...view.board, stones: page.clip.stones } } : view;
  board.show(seen, page.seat, (stones) => t("board_label", { n: stones.length }));
}

// The countdown: drawn from deadline and server time at every frame, written only when it changes.
function tick() {
  const { text, mood } = countdown(page.view.deadline_us || page.view.limit_us, standing(page.view, clock.serverUs(performance.now())), fresh());
  if (text + mood !== tick.shown) {
    tick.shown = text + mood;
    byId("digits").textContent = text;
    byId("digits").className = text.length > 1 ? "two" : "";
    byId("clock").className = mood;
    byId("checking").textContent = mood === "checking" ? t("checking") : "";
    document.body.dataset.clock = mood === "none" ? "" : mood;
    if (mood === "soon" && page.ready) page.say("tick");
    board.resized(draw);
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
  if (addStyle[name]) return;
  addStyle[name] = true;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = `/static/${name}.css`;
  link.onload = draw;
  document.head.appendChild(link);
}

function listen() {
  const wide = window.matchMedia("(min-width: 800px) and (min-height: 480px), (orientation: landscape) and (max-height: 479px)");
  const widen = () => wide.matches && addStyle("wide");
  widen();
  wide.addListener(widen);
  for (const name of ["hand", "read", "motion"]) document.body.dataset[name] = kept(name) || "";
  byId("menu").onclick = () => openSheet("menu");
  byId("players").onclick = () => openSheet("players");
  listenToButtons(page);
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
