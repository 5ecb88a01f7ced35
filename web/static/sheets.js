// What the live page shows later: the choices of a question, and what opens over the page: menu, players, what happened
// and why, how many. Fetched when first needed.
import { html, nothing, render } from "./vendor/lit-html.js";
import { handsOf, needOf } from "./needs.js";

let page;
let clauses = null;
let styled = false;
let sensorsFree = false; // what the list of games last said
const held = {}; // name of a command -> its button

// A question in words; one about a ruling repeats it.
export function questionText({ view, t, rulingWords }, question) {
  const who = view.players.find((p) => p.id === question.player);
  const doubted = view.dispute && view.rulings.find((ruling) => ruling.n === view.dispute.ruling);
  const what = doubted ? rulingWords(view, doubted, t).text : "…";
  return t("ask_" + question.code, { name: who ? who.name : "", what, ...question.args });
}

// The choices of a question as buttons in a box; what a choice needs to know is asked in a sheet.
export function drawChoices(thePage, box, question) {
  page = thePage;
  render(question.choices.map((choice) => html`<button class="side" ?disabled=${page.isPending("answer")}
    @click=${() => choose(question, choice)}>${page.t("choice_" + choice)}</button>`), box);
}

function choose(question, choice) {
  if (question.code === "dispute") {
    page.press({ key: "answer", name: choice, args: { table: true } }, null);
    return;
  }
  const { sheet, args, ...more } = needOf(choice);
  const button = { key: "answer", name: "answer", player: null, args: { question: question.id, choice, ...args }, ...more };
  if (sheet) page.openSheet(sheet, { button, what: choice });
  else page.press(button, null);
}

// Draws page.sheet ({name, ...}) into a box, or nothing.
export function drawSheet(thePage, box) {
  page = thePage;
  const at = page.sheet;
  if (at && !styled) {
    styled = true;
    page.addStyle("sheets");
  }
  const made = at ? SHEETS[at.name](at) : null;
  render(made ? frame(made.title, made.body) : nothing, box);
}

function close() {
  page.sheet = null;
  page.draw();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && page && page.sheet) close();
});

function frame(title, body) {
  return html`<div class="veil" @click=${close}></div>
    <div class="panel" role="dialog" aria-modal="true" aria-labelledby="sheet-title">
      <div class="panel-head"><h2 id="sheet-title">${title}</h2>
        <button class="icon" aria-label=${page.t("close")} @click=${close}>✕</button></div>
      <div class="panel-body">${body}</div></div>`;
}

function item(label, click) {
  return html`<button class="side" @click=${click}>${label}</button>`;
}

function send(button, player, args) {
  close();
  page.press(button, player, args);
}

function pressItem(label, button, player, args) {
  return item(label, () => send(button, player, args));
}

// The player whose seat this phone has taken; null where nobody has said.
function myself() {
  const me = page.view.players.find((p) => p.seat === page.seat);
  return me ? me.id : null;
}

// A press that changes much: held for a second.
function holdItem(label, name) {
  if (!held[name]) {
    held[name] = document.createElement("button");
    held[name].className = "side hold";
    page.holdToPress(held[name], 1000, () => send({ key: name, name }, null), () => null);
  }
  held[name].textContent = label;
  return held[name];
}

// This game's sensors: to be taken when no game has them, to be let go when it has.
function sensorsItem() {
  if (page.view.sensors !== "none") return holdItem(page.t("sensors_release"), "release_sensors");
  if (page.sheet.asked !== true) {
    page.sheet.asked = true;
    page.fetchJson("/lobby").then((answer) => (sensorsFree = answer.view.sensors === "free")).then(page.draw, () => null);
  }
  return sensorsFree ? holdItem(page.t("sensors_take"), "take_sensors") : nothing;
}

async function why(ruling) {
  if (!clauses) clauses = await page.fetchJson(`/locale/${page.lang}/clauses.json`).catch(() => null);
  page.openSheet("why", { ruling });
}

const SHEETS = {
  count({ button, what = button.name }) {
    const [low, high] = button.count;
    const numbers = Array.from({ length: high - low + 1 }, (_, k) => low + k);
    const player = button.player === undefined ? page.view.turn : button.player;
    const next = (n) => handsOf(button.name, page.view.phase).length
      ? item(n, () => page.openSheet("hand", { button, n })) : pressItem(n, button, player, { n });
    return { title: page.t("how_many_" + what), body: html`<div class="numbers">${numbers.map(next)}</div>` };
  },

  hand({ button, n }) {
    return { title: page.t("hand"), body: handsOf(button.name, "turn").map((hand) =>
      pressItem(page.t("hand_" + hand), button, page.view.turn, { n, hand })) };
  },

  pile({ button }) {
    return { title: page.t("whose_pile"), body: page.view.players.map((p) => html`<button class="side wide c-${p.colour}"
      @click=${() => send(button, null, { pile: p.id })}>${page.tokenPicture(p)}<b>${p.name}</b></button>`) };
  },

  players() {
    return { title: page.t("players"), body: page.view.players.map((p) => html`<button class="side wide c-${p.colour}"
      @click=${() => page.openSheet("player", { id: p.id })}>${page.tokenPicture(p)}<b>${p.name}</b>
      <small>${page.t("pile_is", { n: p.pile })}<br>${page.t("wins_are", { n: p.wins })}</small></button>`) };
  },

  player({ id }) {
    const p = page.view.players.find((one) => one.id === id);
    if (!p) return SHEETS.players();
    const mine = page.seat === p.seat;
    const sit = () => {
      page.sit(mine ? null : p.seat);
      close();
    };
    return { title: p.name, body: html`<p>${page.t("pile_is", { n: p.pile })} · ${page.t("wins_are", { n: p.wins })}</p>
      ${item(page.t(mine ? "seat_leave" : "seat_take"), sit)}
      ${page.mayAct ? [pressItem(page.t("did_say"), { key: "last_yiker", name: "last_yiker" }, id),
        pressItem(page.t("did_not_say"), { key: "not_said", name: "not_said" }, id)] : nothing}` };
  },

  rulings() {
    const { view, t } = page;
    return { title: t("rulings"), body: html`<ol class="rulings">${view.rulings.slice().reverse().map((ruling) => html`<li>
      <button class="side wide" @click=${() => why(ruling)}><span>${page.rulingWords(view, ruling, t).text}</span>
      <small>${t("why")} ${ruling.clause}</small></button></li>`)}</ol>` };
  },

  why({ ruling }) {
    return { title: page.rulingWords(page.view, ruling, page.t).text, body: html`
      <p class="clause"><b>${ruling.clause}</b> ${(clauses && clauses[ruling.clause]) || page.t("refused_link")}</p>
      ${page.mayAct && !page.view.dispute ? pressItem(page.t("doubt"), { key: "dispute", name: "dispute" }, myself(), { ruling: ruling.n }) : nothing}
      ${item(page.t("back"), () => page.openSheet("rulings"))}` };
  },

  menu() {
    const { t, view } = page;
    const sound = () => {
      page.soundOn = !page.soundOn;
      page.keep("sound", page.soundOn ? "on" : "off");
      page.allowSound();
      page.draw();
    };
    const byHand = () => {
      page.byHand = !page.byHand;
      close();
    };
    const other = page.lang === "es" ? "en" : "es";
    const speak = () => {
      document.cookie = `lang=${other};path=/;max-age=31536000;samesite=lax`;
      window.location.reload();
    };
    return { title: t("menu"), body: html`
      ${page.mayAct ? sensorsItem() : nothing}
      ${item(t("rulings"), () => page.openSheet("rulings"))}
      ${page.mayAct && view.sensors === "held" ? item(t(page.byHand ? "by_hand_off" : "by_hand_on"), byHand) : nothing}
      <a class="side" href="/qr">${t("invite")}</a>
      ${item(t(page.soundOn ? "sound_off" : "sound_on"), sound)}
      <button class="side" lang=${other} @click=${speak}>${t("other_language")}</button>
      ${page.mayAct ? holdItem(t("abandon_round"), "abandon_round") : nothing}` };
  },
};
