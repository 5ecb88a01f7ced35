// The page of a running game of Tiki Topple: the line, the cards, the track; what is pressed is sent.
import { html, nothing, render } from "./vendor/lit-html.js";
import { tokenPicture } from "./shapes.js";
import { tablePage } from "./table-page.js";
import { CARDS, TIKIS, mayFollow, tapped, tikisFor, whyNot } from "./tiki-line.js";
import { cardFace, tikiFace } from "./tiki-pictures.js";
import { headWords, tikiName } from "./tiki-words.js";

const PLACED = { line_up: 9, places: 3 };

// card: chosen to be played; order: tikis tapped while a line or the places are entered.
const own = { card: "", order: [] };
const page = tablePage({
  draw, news,
  second: ({ addTexts, addStyle }) => Promise.all([import("/js/tiki-second.js"), addTexts("tiki_second"), addStyle("tiki-second")]).then(([more]) => more),
});
const { t } = page;
page.hand = null; // tiki-second.js, once it is there
const undoButton = document.createElement("button");

function newest(view) {
  return view.rulings.length ? view.rulings[view.rulings.length - 1] : null;
}

// A newer view: what was begun here falls away where it no longer fits.
function news(before) {
  const { view } = page;
  const moved = before.phase !== view.phase || JSON.stringify(before.round) !== JSON.stringify(view.round);
  if (moved && (before.phase !== view.phase || view.phase === "play")) {
    own.card = "";
    own.order = [];
  }
  if (page.hand) page.hand.call(before);
}

// -- the line -------------------------------------------------------------------------------------------------------

function tapTiki(tiki) {
  const { view } = page;
  if (!page.mayAct) return;
  if (PLACED[view.phase]) {
    const next = tapped(own.order, tiki, PLACED[view.phase]);
    if (next === own.order && view.phase === "line_up" && next.length < 9) explain("group_split");
    own.order = next;
    draw();
  } else if (view.phase === "play") {
    if (!own.card) {
      page.note(t("card_first"));
      return;
    }
    const why = whyNot(view, own.card, tiki);
    if (why) explain(why);
    else page.press("play", view.round.turn, { card: own.card, tiki });
  }
}

function tikiButton(tiki, place, look, label) {
  return html`<button class="tiki t-${tiki} ${look}" aria-label=${label} aria-disabled=${look.includes("off") ? "true" : "false"} @click=${() => tapTiki(tiki)}>
    <b class="place">${place || nothing}</b>${tikiFace(tiki)}</button>`;
}

function lineStage() {
  const { view } = page;
  const { round, phase } = view;
  if (PLACED[phase]) {
    const open = phase === "line_up" ? mayFollow(own.order) : own.order.length < 3 ? TIKIS : [];
    return TIKIS.map((tiki) => {
      const place = own.order.indexOf(tiki) + 1;
      const look = place ? "chosen" : open.includes(tiki) ? "" : "off";
      return tikiButton(tiki, place, look, place ? t("tiki_at", { tiki: tikiName(tiki), place }) : tikiName(tiki));
    });
  }
  const line = round.line.length ? round.line : round.places;
  const may = own.card ? tikisFor(view, own.card) : null;
  return line.map((tiki, index) => {
    const look = (may && !may.includes(tiki) ? "off " : may ? "may " : "") + (index < 3 ? "top" : "");
    return tikiButton(tiki, index + 1, look, t("tiki_at", { tiki: tikiName(tiki), place: index + 1 }));
  });
}

// -- the cards ------------------------------------------------------------------------------------------------------

// Why something cannot be, by the code of the rules.
function explain(code) {
  page.tell({ status: "refused", code });
}

function chooseCard(card) {
  if (!tikisFor(page.view, card).length) {
    explain(whyNot(page.view, card));
    return;
  }
  own.card = own.card === card ? "" : card;
  draw();
}

function cardButton(card) {
  const { view } = page;
  const held = view.held.find((each) => each.card === card);
  const off = !tikisFor(view, card).length;
  const label = t("card_label", { card: t("card_" + card), n: held ? held.n : 0 });
  return html`<button class="card-button ${own.card === card ? "chosen" : off ? "off" : ""}" aria-pressed=${own.card === card ? "true" : "false"}
    aria-disabled=${off ? "true" : "false"} aria-label=${label} @click=${() => chooseCard(card)}>${cardFace(card)}<span>${t("card_" + card)}</span>
    <small>${held && held.n > 1 ? "×" + held.n : nothing}</small></button>`;
}

// A line to be set up as it comes.
async function drawLine() {
  await page.later().catch(() => null); // the sheets are not needed, what came before them is
  own.order = page.hand.proposed();
  draw();
}

function handOf(id) {
  return page.view.round.hands.find((hand) => hand.player === id);
}

function cardsRow() {
  const { view } = page;
  if (!page.mayAct) return page.boot.big ? nothing : html`<p class="watching">${t("watching")}</p>`;
  if (view.phase === "play") return CARDS.map(cardButton);
  if (view.phase === "line_up") return html`<button class="side" @click=${drawLine}>${t("propose")}</button>
    <button class="side" ?disabled=${!own.order.length} @click=${() => tapTiki(own.order[0])}>${t("clear")}</button>`;
  if (view.phase === "places") return html`<p class="tip">${t("places_tip")}</p>`;
  if (view.phase === "ended" && page.hand) return page.hand.enter();
  return nothing;
}

function stage() {
  const { view } = page;
  if (view.phase === "revealed" || view.phase === "over") return page.hand ? page.hand.stage() : nothing;
  return html`<div class="line" role="group" aria-label=${t("line")}>${lineStage()}</div>`;
}

// -- points, players, what to press ---------------------------------------------------------------------------------

function playerCell(p) {
  const { view } = page;
  const hand = view.round ? handOf(p.id) : null;
  const left = hand && view.round.mode === "follow" ? hand.left : null;
  const on = view.round && view.phase === "play" && view.round.turn === p.id;
  return html`<span class="player c-${p.colour} ${on ? "on" : ""} ${p.gone ? "gone" : ""}">
    <span aria-hidden="true">${tokenPicture(p)}<b>${p.total}</b><span class="name">${p.name}</span>
    <span class="hand">${left === null ? nothing : html`<i></i>${left}`} ${hand && hand.entered ? "✓" : ""}</span></span>
    <span class="unseen">${t(left === null ? "player_label" : "player_hand_label", { name: p.name, total: p.total, n: left === null ? p.total : left })}</span></span>`;
}

function mainButton(label, name, args, disabled) {
  return html`<button id="main" class="main" data-do=${name} ?disabled=${disabled || page.isPending(name)} @click=${() => page.press(name, undefined, args)}>${label}</button>`;
}

function hint(text) {
  return html`<p id="hint">${text}</p>`;
}

function mainRow() {
  const { view } = page;
  const { round, phase } = view;
  if (view.dispute) return html`<button id="main" class="main" @click=${() => page.open("doubt")}>${t("doubted")}</button>`;
  if (phase === "line_up") return mainButton(t("do_line_up"), "line_up", { line: own.order }, own.order.length < 9);
  if (phase === "places") return mainButton(t("do_places"), "places", { places: own.order }, own.order.length < 3);
  if (phase === "ended") return mainButton(t("do_reveal"), "reveal", {}, false);
  if (phase === "revealed") {
    if (round.same_cards.length) return hint(t("same_cards"));
    if (round.cards.length < round.hands.length) return hint(t("cards_missing"));
    return mainButton(t("do_score"), "score", {}, false);
  }
  if (phase === "over") return html`<button id="main" class="main" ?disabled=${!page.ready} @click=${() => page.hand.again()}>${t("do_again")}</button>`;
  return hint(own.card ? t("which_tiki", { card: t("card_" + own.card) }) : t("which_card"));
}

function strip() {
  const { view } = page;
  const last = newest(view);
  let text = page.said;
  let bad = true;
  if (page.link !== "live") text = t("link_lost");
  else if (view.notice) text = t("notice");
  else if (!text) {
    bad = false;
    text = last && page.hand ? `${page.hand.briefText(view, last)} · ${last.clause}` : "";
  }
  return html`<p id="strip" role="status" class=${bad && text ? "bad" : ""}>${text}</p>`;
}

function draw() {
  const { view } = page;
  const words = headWords(view, t);
  const who = view.players.find((p) => p.id === words.player);
  document.body.dataset.phase = view.phase;
  document.body.dataset.fresh = page.link === "live" ? "yes" : "no";
  undoButton.disabled = !view.undo || !page.ready || page.isPending("undo");
  render(html`<h1 class="unseen">${t("kind_tiki")}</h1>
    <header><a class="icon" href="/" aria-label=${t("home")}>‹</a>
      <div id="turn" class="turn c-${who ? who.colour : "none"}">${who ? tokenPicture(who) : nothing}
        <div role="status"><strong id="title">${words.title}</strong> <span id="line">${words.line}</span></div></div>
      <button id="menu" class="icon" aria-label=${t("menu")} @click=${() => page.open("menu")}>☰</button></header>
    ${strip()}
    <section id="stage">${stage()}<div id="call" aria-live="assertive"></div></section>
    <section id="cards" class="row">${cardsRow()}</section>
    <section id="points">${page.hand ? page.hand.track() : nothing}</section>
    <section id="played">${page.hand && view.round ? view.round.hands.map(page.hand.lay) : nothing}</section>
    <button id="players" @click=${() => page.open("played")}>${view.players.map(playerCell)}</button>
    <section id="actions" class="row">${page.mayAct ? html`${undoButton}
      <button id="mine" class="side" aria-label=${t("my_card")} ?disabled=${!view.round} @click=${() => page.open("mine")}><i aria-hidden="true"></i><small aria-hidden="true">${t("my_card_short")}</small></button>
      ${mainRow()}` : nothing}</section>`, document.getElementById("page"));
  if (page.hand) page.hand.movePawns();
  page.drawSheet();
}

undoButton.id = "undo";
undoButton.setAttribute("aria-label", t("undo_hold"));
render(html`<span aria-hidden="true">↶</span><small>${t("undo")}</small>`, undoButton);
page.start();
