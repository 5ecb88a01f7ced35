// What opens over the live page: menu, players, what happened and why, how many. Fetched when first opened.
import { html, nothing, render } from "./vendor/lit-html.js";

let page;
let clauses = null;


// Draws page.sheet ({name, ...}) into a box, or nothing.
export function drawSheet(thePage, box) {
  if (!page) thePage.addStyle("sheets");
  page = thePage;
  const at = page.sheet;
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

function pressItem(label, button, player, args) {
  return item(label, () => {
    close();
    page.press(button, player, args);
  });
}

async function why(ruling) {
  if (!clauses) clauses = await page.fetchJson(`/locale/${page.lang}/clauses.json`).catch(() => null);
  page.openSheet("why", { ruling });
}

const SHEETS = {
  count({ button }) {
    const [low, high] = button.count;
    const numbers = Array.from({ length: high - low + 1 }, (_, k) => low + k);
    return { title: page.t("how_many_" + button.key), body: html`<div class="numbers">
      ${numbers.map((n) => pressItem(n, button, page.view.turn, { n }))}</div>` };
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
      ${item(t("rulings"), () => page.openSheet("rulings"))}
      ${page.mayAct && view.sensors === "held" ? item(t(page.byHand ? "by_hand_off" : "by_hand_on"), byHand) : nothing}
      <a class="side" href="/qr">${t("invite")}</a>
      ${item(t(page.soundOn ? "sound_off" : "sound_on"), sound)}
      <button class="side" lang=${other} @click=${speak}>${t("other_language")}</button>
      ${page.mayAct ? pressItem(t("abandon_round"), { key: "abandon_round", name: "abandon_round" }) : nothing}` };
  },
};
