// The big screen: whose turn, the countdown, the board, the piles and the calls, to be read at 3 m; no controls.
import { BoardDrawing } from "./board.js";
import { Caller } from "./calls.js";
import { ServerClock, sampleClock } from "./clock.js";
import { countdown, standing } from "./countdown.js";
import { byId, part, rebuild } from "./dom.js";
import { drawHead, drawPips, drawStrip, stripWords } from "./heading.js";
import { translator } from "./i18n.js";
import { LiveView } from "./live.js";
import { bootData, fetchJson, kept, viewLink } from "./phone.js";
import { drawPiles } from "./piles.js";
import { tokenPicture } from "./shapes.js";
import { Sounds } from "./sound.js";
import { stateWords } from "./words.js";

const boot = bootData();
const t = translator(boot.texts, boot.lang);
const game = boot.first.view.game;
const clock = new ServerClock();
const board = new BoardDrawing(byId("board"));
const sounds = new Sounds(window);
const caller = new Caller(boot.first.view, byId("call"), t, (call) => kept("sound") === "on" && sounds.play(call));
const tv = { view: boot.first.view, link: "live" };
const live = new LiveView(`/g/${game}/events?after=`, boot.first.seq, viewLink(game), {
  view(envelope, at) {
    clock.push(at, envelope.s, envelope.rate);
    tv.link = envelope.view.phase ? "live" : "lost";
    if (envelope.view.phase) {
      tv.view = envelope.view;
      if (tv.view.phase !== "lobby") caller.follow(tv.view);
    }
    draw();
  },
  beat: (beat, at) => clock.push(at, beat.s, beat.rate),
  state(state) {
    tv.link = state;
    draw();
  },
});

function fresh() {
  return tv.link === "live" && (tv.view.sensors === "held" || tv.view.sensors === "none");
}

// Before the game: who has joined.
function drawLobby(view) {
  byId("title").textContent = t("gather_title");
  byId("line").textContent = t("tv_join");
  rebuild(byId("players"), view.players, () => view.players.map((p) => {
    const cell = part("span", "player c-" + p.colour);
    cell.append(tokenPicture(p), part("span", "name", p.name));
    return cell;
  }));
}

// A call that is due stands above everything else that is no trouble.
function strip(view) {
  const texts = (key, n) => (t.has(key) ? t(key, { n }) : "");
  const shown = stripWords(view, { link: tv.link, note: "", boundMs: 0 }, texts);
  const due = view.call && view.call.state === "due" && view.players.find((p) => p.id === view.call.player);
  return shown.bad || !due ? shown : { text: t("ruling_call_due", { name: due.name }), bad: false };
}

function draw() {
  const { view } = tv;
  document.body.dataset.phase = view.phase;
  document.body.dataset.fresh = fresh() ? "yes" : "no";
  if (view.phase === "lobby") {
    drawLobby(view);
  } else {
    drawHead(view, stateWords(view, t));
    drawPips(view);
    drawStrip(strip(view));
    drawPiles(view, t);
  }
  board.show(view, null, (stones) => t("board_label", { n: stones.length }));
}

function tick() {
  const { text, mood } = countdown(tv.view.deadline_us || tv.view.limit_us, standing(tv.view, clock.serverUs(performance.now())), fresh());
  if (text + mood !== tick.shown) {
    tick.shown = text + mood;
    byId("digits").textContent = text;
    byId("clock").className = mood;
    byId("checking").textContent = mood === "checking" ? t("checking") : "";
  }
  window.requestAnimationFrame(tick);
}

function syncClock(count) {
  return sampleClock(clock, () => fetchJson("/clock"), () => performance.now(), count);
}

document.body.dataset.motion = kept("motion") || "";
document.addEventListener("pointerdown", () => sounds.allow());
document.addEventListener("visibilitychange", () => live.visibility(document.visibilityState === "visible"));
window.addEventListener("resize", draw);
draw();
live.start();
syncClock(6);
setInterval(() => document.visibilityState === "visible" && syncClock(1), 5000);
tick();
