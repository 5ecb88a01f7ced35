// What a press has to say besides its name: how many, the one in the hand, whose pile; and who agrees with a doubt.
import { html } from "../vendor/lit-html.js";
import { handsOf } from "../needs.js";
import { item } from "../panel.js";
import { holdItem, myself, pressItem, send } from "../sheets.js";

export function count(page, { button, what = button.name }) {
  const [low, high] = button.count;
  const numbers = Array.from({ length: Math.max(0, high - low + 1) }, (_, k) => low + k);
  const player = button.player === undefined ? page.view.turn : button.player;
  const hands = (n) => handsOf(button.name, page.view, n);
  const next = (n) => hands(n).length > 1 ? item(n, () => page.openSheet("hand", { button, n })) : pressItem(n, button, player, { n, ...only(hands(n)) });
  return { title: page.t("how_many_" + what), body: html`<div class="numbers">${numbers.map(next)}</div>` };
}

function only(hands) {
  return hands.length ? { hand: hands[0] } : {};
}

export function hand(page, { button, n }) {
  return { title: page.t("hand"), body: handsOf(button.name, page.view, n).map((where) =>
    pressItem(page.t("hand_" + where), button, page.view.turn, { n, hand: where })) };
}

export function pile(page, { button }) {
  return { title: page.t("whose_pile"), body: page.view.players.map((p) => html`<button class="side wide c-${p.colour}"
    @click=${() => send(button, null, { pile: p.id })}>${page.tokenPicture(p)}<b>${p.name}</b></button>`) };
}

// Another player agrees with a doubt or not (Y22); from one phone the whole table does, by holding.
export function dispute(page, { choice }) {
  const { view, t } = page;
  const proposer = view.dispute ? view.dispute.player : null;
  const me = myself();
  const others = view.players.filter((p) => p.id !== proposer && (me === null || p.id === me));
  const button = { key: "answer", name: choice };
  return { title: t("choice_" + choice), body: html`<p>${t("who_agrees")}</p>
    ${others.map((p) => html`<button class="side wide c-${p.colour}" @click=${() => send(button, p.id, {})}>${page.tokenPicture(p)}<b>${p.name}</b></button>`)}
    ${holdItem(t("table_agrees"), { key: "answer", name: choice }, null, { table: true })}` };
}
