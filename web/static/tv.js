// The big screen: whose turn, the countdown, the board, the piles and the calls, to be read at 3 m; no controls.
import { BoardDrawing } from "./board.js";
import { Caller } from "./calls.js";
import { byId, part, rebuild } from "./dom.js";
import { drawHead, drawStrip } from "./heading.js";
import { layingWords } from "./laying-words.js";
import { drawPiles } from "./piles.js";
import { sensorTexts } from "./sensor-words.js";
import { Sounds } from "./sound.js";
import { drawPips, stripWords } from "./strip.js";
import { tablePage } from "./table-page.js";
import { tickingClock } from "./ticking.js";
import { stateWords } from "./words.js";

const clock = tickingClock();
const board = new BoardDrawing(byId("board"));
const sounds = new Sounds(window);
const page = tablePage({ draw, clock, gathers: true, news: () => page.view.phase !== "lobby" && caller.follow(page.view) });
const { t } = page;
const caller = new Caller(page.view, byId("call"), t, (call) => page.kept("sound") === "on" && sounds.play(call));

function fresh() {
  return page.link === "live" && (page.view.sensors === "held" || page.view.sensors === "none");
}

// Before the game: who has joined.
function drawLobby(view) {
  byId("title").textContent = t("gather_title");
  byId("line").textContent = t("tv_join");
  rebuild(byId("players"), view.players, () => view.players.map((p) => {
    const cell = part("span", "player c-" + p.colour);
    cell.append(page.tokenPicture(p), part("span", "name", p.name));
    return cell;
  }));
}

// What everybody is waited for, "" where nobody is: stones to be laid back, a doubt, a question, a call that is due.
function awaited(view) {
  if (view.laying) return t("tv_laying", { what: layingWords(view.laying, (key, n, values) => t(key, { ...values, n })) });
  if (view.dispute) return t("tv_doubt");
  if (view.questions.length) return t("tv_question");
  const due = view.call && view.call.state === "due" && page.named(view.call.player);
  return due ? t("ruling_call_due", { name: due.name }) : "";
}

// It stands above everything else that is no trouble.
function strip(view) {
  const texts = (key, n, values) => (t.has(key) ? t(key, { ...values, n }) : "");
  const shown = stripWords(view, { link: page.link, note: "", boundMs: 0, sensors: sensorTexts }, texts);
  const text = shown.bad ? "" : awaited(view);
  return text ? { text, bad: false } : shown;
}

function draw() {
  const { view } = page;
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
  board.show(view, -1, (stones) => t("board_label", { n: stones.length }));
}

document.addEventListener("pointerdown", () => sounds.allow());
page.start();
clock.start(page, fresh, () => null);
