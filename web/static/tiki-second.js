// What the page of Tiki Topple brings once it is live: rulings in words, the word that all should see, the cards shown, the end.
import { playAgain } from "./again.js";
import { html, nothing, svg } from "./vendor/lit-html.js";
import { drawnLine, randomBelow } from "./tiki-drawn.js";
import { tokenPicture } from "./shapes.js";
import { beginTable } from "./table-second.js";
import { tikiFace } from "./tiki-pictures.js";
import { briefText, rulingText } from "./tiki-rulings.js";

const CALL_MS = 2600;
const CALLED = ["round_end", "points", "game_end", "tie", "round_abandoned"];

// What the page calls; its texts and styles have come.
export function begin(page) {
  const { t } = page;
  beginTable(page, () => Promise.all([import("/js/tiki-sheets.js"), page.addTexts("tiki_more"), page.addStyle("tiki-sheets")]).then(([sheets]) => sheets));
  page.addStyleWhere("(min-width: 560px)", "tiki-wide");
  let timer = 0;
  if (page.boot.big) document.body.dataset.big = "yes";

  // The word that all should see now, for a short while.
  function call(before) {
    const { view } = page;
    const last = before.rulings.length ? before.rulings[before.rulings.length - 1].n : 0;
    const fresh = view.rulings.filter((ruling) => ruling.n > last && CALLED.includes(ruling.kind));
    const box = document.getElementById("call");
    const corrected = view.undo && view.undo.what === "edit";
    if (view.undone > before.undone) box.textContent = t("undone");
    else if (corrected && (!before.undo || before.undo.what !== "edit")) box.textContent = t("edited");
    else if (fresh.length) box.textContent = rulingText(view, fresh[fresh.length - 1], t);
    else return;
    box.className = "said";
    clearTimeout(timer);
    timer = setTimeout(() => {
      box.textContent = "";
      box.className = "";
    }, CALL_MS);
  }

  function shownRow(hand) {
    const { view } = page;
    const p = view.players.find((one) => one.id === hand.player);
    const shown = view.round.cards.find((card) => card.player === hand.player);
    const again = () => page.mayAct && page.open("secret", { player: p.id });
    return html`<button class="shown c-${p.colour}" @click=${again}>${tokenPicture(p)}<b class="unseen">${p.name}</b>
      ${shown ? shown.gains.map((gain) => html`<span class="mini t-${gain.tiki} ${gain.points ? "" : "none"}">${tikiFace(gain.tiki)}<b>${gain.points}</b></span>`)
        : html`<span class="grow">${t("enter_card")}</span>`}
      <b class="sum">${shown ? shown.points : "?"}</b></button>`;
  }
  
  function endRow(p) {
    return html`<li class="shown c-${p.colour}">${tokenPicture(p)}<b class="grow">${p.name}</b>
      <span>${p.place === null ? t("has_left") : t("place_n", { n: p.place })}</span><b class="sum">${p.total}</b></li>`;
  }

  function stage() {
    const { view } = page;
    if (view.phase === "revealed") return html`<div class="rows">${view.round.hands.map(shownRow)}</div>`;
    return html`<ol class="rows">${view.players.slice().sort((a, b) => (a.place || 9) - (b.place || 9)).map(endRow)}</ol>`;
  }

  // Whose secret card is in, and a way to enter it.
  function enter() {
    const { hands } = page.view.round;
    return html`<p class="tip">${t(hands.every((hand) => hand.entered) ? "all_entered" : "enter_tip")}</p>${hands.map((hand) => {
      const p = page.view.players.find((one) => one.id === hand.player);
      return html`<button class="side enter c-${p.colour}" aria-label=${t(hand.entered ? "entered_by" : "enter_for", { name: p.name })}
        @click=${() => page.open("secret", { player: p.id })}>${tokenPicture(p)}<small>${t(hand.entered ? "card_in" : "card_out")}</small></button>`;
    })}`;
  }

  // The cards that lie open before a player (T19).
  function lay(hand) {
    const p = page.view.players.find((one) => one.id === hand.player);
    return html`<div class="lay c-${p.colour}">${tokenPicture(p)}${hand.played.map((card) => html`<i>${t("card_" + card)}</i>`)}</div>`;
  }

  // Points move on a track (T19: from Start).
  function track() {
    const { players } = page.view;
    const most = Math.max(35, ...players.map((p) => p.total)) + 1;
    const x = (points) => 3 + (94 * points) / most;
    const marks = Array.from({ length: Math.floor(most / 5) + 1 }, (_, k) => k * 5);
    return html`<svg id="track" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <line x1="3" x2="97" y1="4" y2="4"></line>${marks.map((n) => svg`<line x1=${x(n)} x2=${x(n)} y1="2" y2="6"></line>`)}</svg>
      ${players.map((p, row) => html`<span class="pawn c-${p.colour}" aria-hidden="true" data-x=${x(p.total)} data-row=${row}>${p.letter}</span>`)}`;
  }

  // Where the pawns stand: by script, since the page allows no inline styles (CSP).
  function movePawns() {
    for (const pawn of document.querySelectorAll(".pawn")) pawn.style.left = pawn.dataset.x + "%";
  }

  const proposed = () => drawnLine(randomBelow);
  page.hand = { call, stage, enter, lay, track, movePawns, briefText: (told, ruling) => briefText(told, ruling, t), proposed, again: () => playAgain(page) };
}
