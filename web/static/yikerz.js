// The live page of a game of Yikerz: what comes in is drawn, what is pressed is sent.
import { html, nothing, render } from "./vendor/lit-html.js";
import { actionsFor, openQuestion } from "./actions.js";
import { BoardDrawing } from "./board.js";
import { ServerClock, sampleClock } from "./clock.js";
import { Commands, randomId } from "./commands.js";
import { countdown } from "./countdown.js";
import { holdToPress } from "./hold.js";
import { translator } from "./i18n.js";
import { LiveView } from "./live.js";
import { namesOf, rulingWords, stateWords } from "./words.js";
import { tokenPicture } from "./shapes.js";
import { Sounds } from "./sound.js";

const boot = JSON.parse(document.getElementById("boot").textContent);
const t = translator(boot.texts, boot.lang);
const byId = (id) => document.getElementById(id);
const game = boot.first.view.game;
const seatKey = "seat:" + game;
const page = {
  view: boot.first.view,
  seq: boot.first.seq,
  link: "live",
  sheet: null,
  note: "",
  called: newest(boot.first.view),
  seat: numberOrNull(kept(seatKey)),
  mayAct: boot.may_act,
};
const clock = new ServerClock();
const sounds = new Sounds(window, kept("sound") === "on");
const board = new BoardDrawing(byId("board"));
const commands = new Commands({ send, wait: (ms) => new Promise((done) => setTimeout(done, ms)),
  random: () => randomId(window.crypto) }, () => draw());
const live = new LiveView(`/g/${game}/events`, {
  EventSource: window.EventSource,
  fetchView: () => fetchJson(`/g/${game}/view`),
  later: (f, ms) => setTimeout(f, ms),
  cancel: (id) => clearTimeout(id),
  now: () => performance.now(),
}, { view: receive, beat: (beat, at) => clock.push(at, beat.s, beat.rate), state: linkState });

function kept(key) {
  try {
    return window.localStorage.getItem(key);
  } catch (error) {
    return null; // a phone that keeps nothing still plays
  }
}

function keep(key, value) {
  try {
    window.localStorage.setItem(key, value);
  } catch (error) {
    page.note = "";
  }
}

function numberOrNull(text) {
  return text === null || text === "" ? null : Number(text);
}

function newest(view) {
  return view.rulings.length ? view.rulings[view.rulings.length - 1].n : 0;
}

async function fetchJson(path, options) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), 3000);
  try {
    const answer = await fetch(path, { cache: "no-store", signal: stop.signal, ...options });
    if (!answer.ok && answer.status !== 403) throw new Error("status " + answer.status);
    return await answer.json();
  } finally {
    clearTimeout(timer);
  }
}

function send(command) {
  return fetchJson(`/g/${game}/commands`, { method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify(command) });
}

function receive(envelope, at) {
  clock.push(at, envelope.s, envelope.rate);
  const before = page.view;
  page.view = envelope.view;
  page.seq = envelope.seq;
  if ((before.phase === "lobby") !== (page.view.phase === "lobby")) {
    window.location.reload(); // another page: the table has begun, or goes back to gathering
    return;
  }
  announce();
  draw();
}

function linkState(state) {
  page.link = state;
  draw();
}

// The word that all should see now: the newest ruling that calls for one, for a short while.
function announce() {
  const fresh = page.view.rulings.filter((ruling) => ruling.n > page.called);
  page.called = newest(page.view);
  const words = fresh.map((ruling) => rulingWords(page.view, ruling, t)).filter((word) => word.call);
  if (!words.length) return;
  const word = words[words.length - 1];
  page.call = word;
  sounds.play(word.sound);
  clearTimeout(page.callTimer);
  page.callTimer = setTimeout(() => {
    page.call = null;
    draw();
  }, 2600);
}

async function press(button, player, args) {
  const now = clock.serverUs(performance.now());
  const answer = await commands.press(button.key, button.name, page.view.version, now, kept("name") || "", player,
    { ...button.args, ...args });
  if (answer === null) return;
  if (answer.status === "refused" && answer.code === "no_code") page.mayAct = false;
  page.note = answer.status === "applied" ? "" : answer.status === "received" ? t("note_received")
    : t(boot.texts["refused_" + answer.code] ? "refused_" + answer.code : "refused");
  clearTimeout(page.noteTimer);
  page.noteTimer = setTimeout(() => {
    page.note = "";
    draw();
  }, 4000);
  draw();
}

function openSheet(name, data) {
  page.sheet = { name, ...data };
  draw();
  const first = byId("sheet").querySelector("button, a");
  if (first) first.focus();
}

function closeSheet() {
  page.sheet = null;
  draw();
}

function fresh() {
  return page.link === "live" && (page.view.sensors === "held" || page.view.sensors === "none");
}

// Buttons.

function button(b, label, look, player) {
  const pressed = () => (b.count ? openSheet("count", { button: b }) : press(b, player));
  return html`<button class=${look} ?disabled=${commands.isPending(b.key) || !page.mayAct} @click=${pressed}>${label}</button>`;
}

function lastYiker(look) {
  const player = page.view.call ? page.view.call.player : page.view.turn;
  const b = { key: "last_yiker", name: "last_yiker" };
  return html`<button class="last ${look}" ?disabled=${commands.isPending(b.key) || !page.mayAct || look === "said"}
    @click=${() => press(b, player)}>${look === "said" ? t("last_said") : t("last_yiker")}</button>`;
}

function undoButton() {
  const undo = page.view.undo;
  return html`<button class="undo" ?disabled=${!undo || !page.mayAct || commands.isPending("undo")} aria-label=${t("undo_hold")}
    @pointerdown=${hold.down} @pointerup=${hold.up} @pointerleave=${hold.up} @pointercancel=${hold.up}
    @keydown=${hold.keyDown} @keyup=${hold.up} @contextmenu=${(event) => event.preventDefault()}>
    <span aria-hidden="true">↶</span><small>${t("undo")}</small></button>`;
}

const hold = holdToPress(1000, () => press({ key: "undo", name: "undo" }), () => {
  page.note = t("undo_hold");
  draw();
});

function actionArea() {
  const view = page.view;
  const question = openQuestion(view);
  if (!page.mayAct) return html`<p class="watching">${t("watching")}</p>`;
  if (question) return questionArea(question);
  const { main, side, last } = actionsFor(view, view.sensors !== "held");
  const words = stateWords(view, t);
  return html`
    <div class="row first">${undoButton()}
      ${main ? button(main, t("do_" + main.key), "main", view.turn) : html`<p class="hint">${words.hint}</p>`}</div>
    ${last ? html`<div class="row second">
      ${side[0] ? button(side[0], t("do_" + side[0].key), "side", view.turn) : nothing}
      ${lastYiker(last)}
      ${side[1] ? button(side[1], t("do_" + side[1].key), "side", view.turn) : nothing}</div>` : nothing}`;
}

function questionArea(question) {
  const names = namesOf(page.view);
  const ask = (choice) => press({ key: "answer", name: "answer" }, undefined, { question: question.id, choice });
  return html`<div class="question" role="group" aria-label=${t("question")}>
    <p>${t("ask_" + question.code, { name: names[question.player] || "", n: 0, ...question.args })}</p>
    <div class="row">${question.choices.map((choice) => html`<button class="side"
      ?disabled=${commands.isPending("answer")} @click=${() => ask(choice)}>${t("choice_" + choice)}</button>`)}</div>
    <div class="row">${undoButton()}</div></div>`;
}

// The parts of the page.

function header() {
  const view = page.view;
  const words = stateWords(view, t);
  const who = view.players.find((p) => p.id === words.player);
  return html`<a class="icon" href="/" aria-label=${t("home")}>‹</a>
    <div class="turn c-${who ? who.colour : "none"}">${who ? tokenPicture(who) : nothing}
      <div role="status"><strong>${words.title}</strong><span>${words.line}</span></div></div>
    <button class="icon" aria-label=${t("menu")} @click=${() => openSheet("menu")}>☰</button>`;
}

function strip() {
  const view = page.view;
  const bound = clock.boundMs();
  if (page.link !== "live") return html`<p class="bad">${t("link_lost")}</p>`;
  if (view.sensors === "lost" || view.sensors === "stale") return html`<p class="bad">${t("sensors_" + view.sensors)}</p>`;
  if (page.note) return html`<p>${page.note}</p>`;
  if (view.notice) return html`<p class="bad">${t("notice_" + view.notice)}</p>`;
  if (view.health.faults.length) return html`<p>${t("faults", { n: view.health.faults.length })}</p>`;
  if (clock.known() && bound > 25) return html`<p>${t("clock_bound", { n: Math.ceil(bound) })}</p>`;
  return nothing;
}

function players() {
  const view = page.view;
  return view.players.map((p) => html`<button class="player c-${p.colour} ${p.id === view.turn ? "on" : ""}"
    aria-current=${p.id === view.turn ? "true" : nothing} @click=${() => openSheet("player", { id: p.id })}
    aria-label=${t("player_label", { name: p.name, n: p.pile, wins: p.wins })}>
    ${tokenPicture(p)}<b>${p.pile}</b><span class="name">${p.name}</span>
    <span class="wins">${"★".repeat(p.wins)}</span></button>`);
}

function sheet() {
  const view = page.view;
  const names = namesOf(view);
  const at = page.sheet;
  if (!at) return nothing;
  let body = nothing;
  let title = "";
  if (at.name === "count") {
    title = t("how_many_" + at.button.key);
    const [low, high] = at.button.count;
    const numbers = Array.from({ length: high - low + 1 }, (_, k) => low + k);
    const choose = (n) => {
      closeSheet();
      press(at.button, view.turn, { n });
    };
    body = html`<div class="numbers">${numbers.map((n) => html`<button class="side" @click=${() => choose(n)}>${n}</button>`)}</div>`;
  } else if (at.name === "player") {
    const p = view.players.find((one) => one.id === at.id);
    title = p ? p.name : "";
    body = p ? playerSheet(p) : nothing;
  } else if (at.name === "why") {
    title = rulingWords(view, at.ruling, t).text;
    body = html`<p class="clause"><b>${at.ruling.clause}</b> ${at.text}</p>
      <button class="side" @click=${() => openSheet("rulings")}>${t("back")}</button>`;
  } else if (at.name === "rulings") {
    title = t("rulings");
    body = html`<ol class="rulings">${view.rulings.slice().reverse().map((ruling) => html`<li>
      <button @click=${() => why(ruling)}>${rulingWords(view, ruling, t).text}<small>${t("why")} ${ruling.clause}</small></button></li>`)}</ol>`;
  } else {
    title = t("menu");
    body = menu(names);
  }
  return html`<div class="veil" @click=${closeSheet}></div>
    <div class="panel" role="dialog" aria-modal="true" aria-labelledby="sheet-title">
      <div class="panel-head"><h2 id="sheet-title">${title}</h2><button class="icon" aria-label=${t("close")} @click=${closeSheet}>✕</button></div>
      ${body}</div>`;
}

function playerSheet(p) {
  const mine = page.seat === p.seat;
  const sit = () => {
    page.seat = mine ? null : p.seat;
    keep(seatKey, page.seat === null ? "" : String(page.seat));
    closeSheet();
  };
  return html`<p>${t("pile_is", { n: p.pile })} · ${t("wins_are", { n: p.wins })}</p>
    <button class="side" @click=${sit}>${mine ? t("seat_leave") : t("seat_take")}</button>
    ${page.mayAct ? html`<button class="side" @click=${() => { closeSheet(); press({ key: "said", name: "last_yiker" }, p.id); }}>${t("did_say")}</button>
    <button class="side" @click=${() => { closeSheet(); press({ key: "not_said", name: "not_said" }, p.id); }}>${t("did_not_say")}</button>` : nothing}`;
}

function menu() {
  const sound = kept("sound") === "on";
  const toggle = () => {
    keep("sound", sound ? "off" : "on");
    sounds.wanted = !sound;
    sounds.allow();
    draw();
  };
  const speak = (lang) => {
    document.cookie = `lang=${lang};path=/;max-age=31536000;samesite=lax`;
    window.location.reload();
  };
  const other = boot.lang === "es" ? "en" : "es";
  return html`<div class="menu">
    <button class="side" @click=${() => openSheet("rulings")}>${t("rulings")}</button>
    <a class="side" href="/qr">${t("invite")}</a>
    <button class="side" @click=${toggle}>${sound ? t("sound_off") : t("sound_on")}</button>
    <button class="side" lang=${other} @click=${() => speak(other)}>${t("other_language")}</button>
    ${page.mayAct ? html`<button class="side" @click=${() => { closeSheet(); press({ key: "abandon_round", name: "abandon_round" }); }}>${t("abandon_round")}</button>` : nothing}</div>`;
}

async function why(ruling) {
  if (!page.clauses) page.clauses = await fetchJson(`/locale/${boot.lang}/clauses.json`).catch(() => null);
  openSheet("why", { ruling, text: (page.clauses && page.clauses[ruling.clause]) || "" });
}

function guide() {
  const view = page.view;
  if (page.call) return html`<p class="call ${page.call.call}">${page.call.text}</p>`;
  return nothing;
}

function draw() {
  const view = page.view;
  document.body.dataset.phase = view.phase;
  document.body.dataset.fresh = fresh() ? "yes" : "no";
  document.body.dataset.players = String(view.players.length);
  render(header(), byId("header"));
  render(strip(), byId("strip"));
  render(players(), byId("players"));
  render(actionArea(), byId("actions"));
  render(guide(), byId("call"));
  render(sheet(), byId("sheet"));
  byId("page").inert = page.sheet !== null;
  board.show(view, page.seat, (stones) => t("board_label", { n: stones.length }));
}

// The countdown: drawn from deadline and server time at every frame, written only when it changes.
let shown = "";
function tick() {
  const now = clock.serverUs(performance.now());
  const { text, mood } = countdown(page.view.deadline_us, now, fresh());
  if (text + mood !== shown) {
    shown = text + mood;
    byId("digits").textContent = text;
    byId("clock").className = "clock " + mood;
    byId("checking").textContent = mood === "checking" ? t("checking") : "";
    if (mood === "soon") sounds.play("tick");
  }
  window.requestAnimationFrame(tick);
}

document.addEventListener("pointerdown", () => sounds.allow());
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && page.sheet) closeSheet();
});
document.addEventListener("visibilitychange", () => woken(document.visibilityState === "visible"));
window.addEventListener("pageshow", (event) => {
  if (event.persisted) woken(true);
});
window.addEventListener("resize", () => draw());

function woken(visible) {
  if (visible) {
    clock.reset(); // the page's clock may have stood still in the sleep
    syncClock(6);
  }
  live.visibility(visible);
}

function syncClock(count) {
  return sampleClock(clock, () => fetchJson("/clock"), () => performance.now(), count).then(draw);
}

draw();
live.start();
syncClock(6);
setInterval(() => {
  if (document.visibilityState === "visible") syncClock(1);
}, 5000);
tick();
