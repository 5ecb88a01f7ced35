// What a press has to say besides its name: how many, the one in the hand, whose pile; and who agrees with a doubt.
import { html } from "../vendor/lit-html.js";
import { whoAgrees } from "../doubt.js";
import { handsOf } from "../needs.js";
import { item } from "../panel.js";
import { pressItem, send } from "../sheets.js";

export function count(page, { button, what = button.name }) {
  const [low, high] = button.count;
  const numbers = Array.from({ length: Math.max(0, high - low + 1) }, (_, k) => low + k);
  const player = button.player === undefined ? page.view.turn : button.player;
  const hands = (n) => handsOf(button.name, page.view, n);
  const next = (n) => hands(n).length > 1 ? item(n, () => page.open("hand", { button, n })) : pressItem(n, button, player, { n, ...only(hands(n)) });
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

export function dispute(page, { choice }) {
  const button = { key: "answer", name: choice };
  return { title: page.t("choice_" + choice), body: whoAgrees(page, choice, (player, args) => send(button, player, args)) };
}
