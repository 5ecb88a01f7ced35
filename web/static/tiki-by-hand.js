// The line set by hand where the table has another one than the page (T27): the order, who is out, whose turn, what was played.
import { html, nothing } from "./vendor/lit-html.js";
import { begunFrom } from "./begun-from.js";
import { tokenPicture } from "./shapes.js";
import { CARDS, TIKIS, playedOneMore } from "./tiki-line.js";
import { tikiFace } from "./tiki-pictures.js";
import { tikiName } from "./tiki-words.js";

// What the sheet begins with. Pure.
export function asPlayed({ round }) {
  return { line: round.line.length ? round.line.slice() : TIKIS.slice(), turn: round.turn === null ? round.starter : round.turn,
    hands: round.hands.map((hand) => ({ player: hand.player, played: hand.played.slice() })) };
}

export function handSheet(page, at, send) {
  const { view, t } = page;
  const { round } = view;
  if (!round) return { title: t("menu_hand"), body: nothing };
  const now = begunFrom(at, view, asPlayed);
  const change = (f) => () => {
    f();
    page.draw();
  };
  const up = (index) => change(() => now.line.splice(index - 1, 0, now.line.splice(index, 1)[0]));
  const out = (index) => change(() => now.line.splice(index, 1));
  const back = (tiki) => change(() => now.line.push(tiki));
  const gone = TIKIS.filter((tiki) => !now.line.includes(tiki));
  const player = (id) => view.players.find((p) => p.id === id);
  return { title: t("menu_hand"), body: html`${at.moved ? html`<p class="error" role="status">${t("refused_stale")}</p>` : nothing}
    <ol class="rulings">${now.line.map((tiki, index) => html`<li class="seat"><span class="mini wide-mini t-${tiki}">${tikiFace(tiki)}</span>
      <button class="icon" ?disabled=${index === 0} aria-label=${t("hand_up", { tiki: tikiName(tiki) })} @click=${up(index)}>↑</button>
      <button class="icon" ?disabled=${now.line.length <= 3} aria-label=${t("hand_out", { tiki: tikiName(tiki) })} @click=${out(index)}>✕</button></li>`)}</ol>
    ${gone.length ? html`<p>${t("hand_out_list")}</p><div class="pick">${gone.map((tiki) => html`<button class="tiki t-${tiki}"
      aria-label=${t("hand_in", { tiki: tikiName(tiki) })} @click=${back(tiki)}>${tikiFace(tiki)}</button>`)}</div>` : nothing}
    <label class="stack">${t("hand_turn")}<select @change=${(event) => (now.turn = Number(event.target.value))}>
      ${now.hands.map((hand) => html`<option value=${hand.player} .selected=${hand.player === now.turn}>${player(hand.player).name}</option>`)}</select></label>
    ${now.hands.map((hand) => html`<div class="played c-${player(hand.player).colour}" role="group" aria-label=${t("hand_played", { name: player(hand.player).name })}>${tokenPicture(player(hand.player))}
      ${CARDS.map((card) => {
        const count = hand.played.filter((each) => each === card).length;
        return html`<button class="card-button ${count ? "chosen" : ""}" @click=${change(() => (hand.played = playedOneMore(hand.played, card, round.whole[card])))}>
          <span>${t("card_" + card)}</span><small>${count}/${round.whole[card]}</small></button>`;
      })}</div>`)}
    <button class="main" @click=${() => send({ name: "set_line", version: at.version }, undefined, now)}>${t("hand_done")}</button>` };
}
