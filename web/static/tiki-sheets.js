// What opens over the page of Tiki Topple: secret cards, menu, what happened and why, points. Fetched when first needed.
import { html, nothing } from "./vendor/lit-html.js";
import { answerText } from "./answers.js";
import { begunFrom } from "./begun-from.js";
import { drawPanel, holdButton, item } from "./panel.js";
import { whoAgrees } from "./doubt.js";
import { fetchJson } from "./phone.js";
import { holdToSee } from "./see.js";
import { tokenPicture } from "./shapes.js";
import { languageButtons } from "./tongues.js";
import { editSheet, entriesSheet } from "./tiki-edit.js";
import { TIKIS } from "./tiki-line.js";
import { tikiFace } from "./tiki-pictures.js";
import { handSheet } from "./tiki-by-hand.js";
import { rulingText } from "./tiki-rulings.js";

let page;
let clauses = null;
const looks = {}; // player -> the button that shows the card, which must stay while it is held

// Draws page.sheet ({name, ...}) into a box, or nothing.
export function drawSheet(thePage, box) {
  page = thePage;
  const at = page.sheet;
  const sheet = at && SHEETS[at.name](at);
  if (sheet && at.refused) sheet.body = html`${sheet.body}<p class="error" role="status">${at.refused}</p>`;
  drawPanel(sheet, box, page.t, page.close);
}

// The sheet stays where what it says was not taken, and says why.
async function send(name, player, args) {
  const at = page.sheet;
  if (at) at.refused = "";
  const answer = await page.press(name, player, args);
  if (!answer || page.sheet !== at) return;
  if (answer.status === "applied" || answer.status === "received") page.close();
  else if (at) {
    at.refused = answerText(answer, page.t);
    page.draw();
  }
}

function holdItem(label, name, player, args) {
  return holdButton((name.name || name) + " " + player + JSON.stringify(args), label, () => send(name, player, args || {}));
}

function playing() {
  const { view } = page;
  const ids = view.round ? view.round.hands.map((hand) => hand.player) : [];
  return view.players.filter((p) => ids.includes(p.id));
}

function playerItem(p, click) {
  return html`<button class="side wide c-${p.colour}" @click=${click}>${tokenPicture(p)}<b>${p.name}</b></button>`;
}

// -- the secret card ------------------------------------------------------------------------------------------------

// The card is asked for while the button is held, shown as long, and kept nowhere (T18).
function lookButton(p, at) {
  if (!looks[p.id]) {
    looks[p.id] = document.createElement("button");
    looks[p.id].className = "side hold";
    const show = async () => {
      at.holding = true;
      const card = await fetchJson(`/g/${page.game}/mine/${p.id}`).catch(() => null);
      if (at.holding) at.seen = card ? card.tikis : [];
      page.draw();
    };
    const hide = () => {
      at.holding = false;
      at.seen = null;
      page.draw();
    };
    holdToSee(looks[p.id], show, hide);
  }
  looks[p.id].textContent = page.t("secret_look");
  return looks[p.id];
}

function cardSlots(tikis) {
  return html`<ol class="slots">${[0, 1, 2].map((slot) => html`<li class=${tikis[slot] ? "t-" + tikis[slot] : ""}>
    <small>${page.t("slot_" + slot)}</small>${tikis[slot] ? tikiFace(tikis[slot]) : nothing}</li>`)}</ol>`;
}

function pick(at, tiki) {
  if (at.tikis.includes(tiki)) at.tikis = at.tikis.slice(0, at.tikis.indexOf(tiki));
  else if (at.tikis.length < 3) at.tikis = at.tikis.concat(tiki);
  page.draw();
}

// T04: cards are expected to have one tiki of each group.
function unusual(tikis) {
  const groups = tikis.map((tiki) => Math.floor(TIKIS.indexOf(tiki) / 3));
  return tikis.length === 3 && new Set(groups).size < 3;
}

function entry(at, p) {
  return html`${cardSlots(at.tikis)}
    <div class="pick">${TIKIS.map((tiki) => html`<button class="tiki t-${tiki} ${at.tikis.includes(tiki) ? "chosen" : ""}"
      aria-pressed=${at.tikis.includes(tiki) ? "true" : "false"} @click=${() => pick(at, tiki)}>${tikiFace(tiki)}</button>`)}</div>
    ${unusual(at.tikis) ? html`<p class="faint">${page.t("secret_unusual")}</p>` : nothing}
    <button class="main" ?disabled=${at.tikis.length < 3 || page.isPending("secret")} @click=${() => send("secret", p.id, { tikis: at.tikis })}>${page.t("secret_keep")}</button>`;
}

function pictures() {
  page.picture();
  page.draw();
}

// Left hand: what is pressed most lies under the other thumb.
function otherHand() {
  page.wish("hand", document.body.dataset.hand ? "" : "left");
  page.draw();
}

const SHEETS = {
  // Whose card is it? A phone that is a player's goes straight to that player's.
  mine() {
    const { t } = page;
    const mine = page.sheet.all ? null : playing().find((p) => p.id === page.me);
    if (mine) return SHEETS.secret(Object.assign(page.sheet, { name: "secret", player: mine.id }));
    return { title: t("secret_whose"), body: playing().map((p) => playerItem(p, () => page.open("secret", { player: p.id }))) };
  },

  secret(at) {
    const { t, view } = page;
    const p = playing().find((one) => one.id === at.player);
    if (!p) return { title: t("my_card"), body: nothing };
    const title = t("secret_of", { name: p.name });
    const open = view.phase === "revealed";
    if (!at.tikis) at.tikis = [];
    if (open) return { title, body: html`<p class="faint">${t("secret_open")}</p>${entry(at, p)}` };
    if (page.me !== p.id && !at.itIsMe) {
      const yes = () => {
        at.itIsMe = true;
        page.draw();
      };
      return { title, body: html`<p>${t("secret_hand_over", { name: p.name })}</p><button class="main" @click=${yes}>${t("secret_show")}</button>` };
    }
    if (at.entering) return { title, body: entry(at, p) };
    const hand = view.round.hands.find((one) => one.player === p.id);
    const enter = () => {
      at.entering = true;
      page.draw();
    };
    return { title, body: html`<p class="faint">${t("secret_private")}</p>
      ${hand.entered ? html`<div class="secret">${at.seen && at.seen.length ? cardSlots(at.seen) : at.seen ? html`<p>${t("secret_none", { name: p.name })}</p>` : nothing}</div>
        ${lookButton(p, at)}` : nothing}
      ${playing().length > 1 ? item(t("secret_other"), () => page.open("mine", { all: true })) : nothing}
      ${page.mayAct ? html`<button class=${hand.entered ? "side" : "main"} @click=${enter}>${t(hand.entered ? "secret_again" : "secret_enter")}</button>` : nothing}` };
  },

  log() {
    const { view, t } = page;
    const why = async (ruling) => {
      if (!clauses) clauses = await fetchJson(`/locale/${page.lang}/tiki_clauses.json`).catch(() => null);
      page.open("why", { ruling });
    };
    return { title: t("menu_log"), body: html`<ol class="rulings">${view.rulings.slice().reverse().map((ruling) => html`<li>
      <button class="side wide" @click=${() => why(ruling)}><span>${rulingText(view, ruling, t)}</span>
      <small>${t("why")} ${ruling.clause}</small></button></li>`)}</ol>` };
  },

  why({ ruling }) {
    const { t } = page;
    return { title: rulingText(page.view, ruling, t), body: html`
      <p class="clause"><b>${ruling.clause}</b> ${(clauses && clauses[ruling.clause]) || t("refused_link")}</p>
      ${page.mayAct && !page.view.dispute ? item(t("doubt"), () => send("dispute", page.me, { ruling: ruling.n })) : nothing}
      ${item(t("back"), () => page.open("log"))}` };
  },

  // Is the ruling that somebody doubts taken back?
  doubt({ choice }) {
    const { t, view } = page;
    if (!view.dispute) return { title: t("refused_no_dispute"), body: nothing };
    const doubted = view.rulings.find((ruling) => ruling.n === view.dispute.ruling);
    const title = t("ask_dispute", { what: doubted ? rulingText(view, doubted, t) : "…" });
    const choose = (name) => item(t("choice_" + name), () => page.open("doubt", { choice: name }));
    if (!choice) return { title, body: html`${choose("confirm")}${choose("reject")}` };
    return { title: t("choice_" + choice), body: whoAgrees(page, choice, (player, args) => send(choice, player, args)) };
  },

  // The cards that lie open before each player, and how many are left (T19).
  played() {
    const { view, t } = page;
    const hand = (p) => view.round && view.round.hands.find((one) => one.player === p.id);
    return { title: t("played"), body: view.players.map((p) => html`<div class="lay c-${p.colour}">${tokenPicture(p)}<b>${p.name}</b>
      ${hand(p) ? hand(p).played.map((card) => html`<i>${t("card_" + card)}</i>`) : nothing}
      ${hand(p) && view.round.mode === "follow" ? html`<small>${t("left_in_hand", { n: hand(p).left })}</small>` : nothing}</div>`) };
  },

  points() {
    const { view, t } = page;
    if (!view.history.length) return { title: t("menu_points"), body: html`<p>${t("no_rounds")}</p>` };
    const points = (round, id) => {
      const earned = round.points[id];
      return earned === undefined ? "–" : earned;
    };
    let game = 0;
    return { title: t("menu_points"), body: html`<table class="points"><thead><tr><td></td>
      ${view.players.map((p) => html`<th scope="col" class="c-${p.colour}">${tokenPicture(p)}<span class="unseen">${p.name}</span></th>`)}</tr></thead>
      <tbody>${view.history.map((round) => html`<tr><th scope="row">${round.final ? t("final_short", { n: round.final }) : t("round_short", { n: (game += 1) })}</th>
        ${view.players.map((p) => html`<td>${points(round, p.id)}</td>`)}</tr>`)}</tbody>
      <tfoot><tr><th scope="row">${t("total")}</th>${view.players.map((p) => html`<td>${p.total}</td>`)}</tr></tfoot></table>` };
  },

  entries: (at) => entriesSheet(page, at),
  edit: (at) => editSheet(page, at, send, holdItem),
  hand: (at) => handSheet(page, at, send),

  seats(at) {
    const { view, t } = page;
    begunFrom(at, view, ({ players }) => ({ order: players.map((p) => p.id) }));
    const earlier = (index) => () => {
      at.now.order.splice(index - 1, 0, at.now.order.splice(index, 1)[0]);
      page.draw();
    };
    return { title: t("menu_seats"), body: html`<ol class="rulings">${at.now.order.map((id, index) => {
      const p = view.players.find((one) => one.id === id);
      return html`<li class="seat c-${p.colour}">${tokenPicture(p)}<b>${p.name}</b>
        <button class="icon" ?disabled=${index === 0} aria-label=${t("seat_earlier", { name: p.name })} @click=${earlier(index)}>↑</button></li>`;
    })}</ol><button class="main" @click=${() => send({ name: "seats", version: at.version }, undefined, at.now)}>${t("seats_done")}</button>` };
  },

  leave() {
    const { view, t } = page;
    return { title: t("menu_leave"), body: view.players.filter((p) => !p.gone).map((p) => holdItem(t("leave_of", { name: p.name }), "leave", p.id)) };
  },

  who() {
    const { view, t } = page;
    const sit = (id) => () => {
      page.sit(id);
      page.close();
    };
    return { title: t("i_am"), body: html`${view.players.map((p) => playerItem(p, sit(p.id)))}${item(t("nobody"), sit(null))}` };
  },

  menu() {
    const { t, view } = page;
    const me = view.players.find((p) => p.id === page.me);
    const running = page.mayAct && view.round;
    const mode = running && (view.round.mode === "follow" ? "quick" : "follow");
    const follow = running && view.round.mode === "follow";
    return { title: t("menu"), body: html`
      ${item(t("menu_points"), () => page.open("points"))}
      ${item(t("menu_log"), () => page.open("log"))}
      ${page.mayAct ? item(t("menu_edit"), () => page.open("entries")) : nothing}
      <a class="side" href="/help/tiki">${t("help")}</a>
      ${page.mayAct ? item(me ? `${t("i_am")} ${me.name}` : t("phone_of_all"), () => page.open("who")) : nothing}
      ${follow ? item(t("menu_hand"), () => page.open("hand")) : nothing}
      ${running && view.phase !== "revealed" ? item(t("menu_mode_" + mode), () => send("mode", undefined, { mode })) : nothing}
      ${running ? item(t("menu_seats"), () => page.open("seats")) : nothing}
      <a class="side" href="/qr">${t("menu_invite")}</a>
      <a class="side" href="/g/${page.game}/tv">${t("menu_big")}</a>
      <a class="side" href="/g/${page.game}/history">${t("menu_keep")}</a>
      ${item(t(document.body.dataset.hand ? "hand_right" : "hand_left"), otherHand)}
      ${item(t(document.body.dataset.read ? "words_again" : "phone_pictures"), pictures)}
      ${languageButtons(page.boot)}
      ${running ? item(t("menu_leave"), () => page.open("leave")) : nothing}
      ${running ? holdItem(t("menu_abandon"), "abandon") : nothing}` };
  },
};
