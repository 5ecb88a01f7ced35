// Piles as the table says they are (Y21, Y24), and a round by its result alone (Y24). Both begin with what is stored, and
// closing the sheet changes nothing.
import { html, nothing } from "../vendor/lit-html.js";
import { begunFrom } from "../begun-from.js";
import { holdItem } from "../sheets.js";

// What the steppers show: piles by seat and the board. Pure.
export function counted(view) {
  return { piles: view.players.map((p) => p.pile), board: view.on_board };
}

export function total({ piles, board }) {
  return piles.reduce((sum, n) => sum + n, board);
}

// A number with a button less and one more.
export function stepper(page, label, value, change, colour = "none") {
  return html`<div class="bar step c-${colour}"><b class="grow">${label}</b>
    <button class="icon" aria-label=${page.t("one_less", { name: label })} ?disabled=${value <= 0} @click=${() => change(-1)}>−</button>
    <span class="count">${value}</span>
    <button class="icon" aria-label=${page.t("one_more", { name: label })} @click=${() => change(1)}>+</button></div>`;
}

function moved(page, at) {
  return at.moved ? html`<p class="error" role="status">${page.t("refused_stale")}</p>` : nothing;
}

export function piles(page, at) {
  const { t, view } = page;
  const now = begunFrom(at, view, counted);
  const goal = total(counted(view));
  const step = (seat) => (by) => {
    now.piles[seat] += by;
    page.draw();
  };
  const left = goal - total(now);
  return { title: t("correct_piles"), body: html`${moved(page, at)}
    ${view.players.map((p) => stepper(page, p.name, now.piles[p.seat], step(p.seat), p.colour))}
    ${stepper(page, t("on_the_board"), now.board, (by) => {
      now.board += by;
      page.draw();
    })}
    <p role="status">${left === 0 ? t("adds_up") : t(left > 0 ? "still_to_place" : "too_many_counted", { n: Math.abs(left) })}</p>
    ${left === 0 && JSON.stringify(now) !== at.begun
      ? holdItem(t("set_them_so"), { key: "set_piles", name: "set_piles", version: at.version }, null, now) : nothing}` };
}

export function result(page, at) {
  const { t, view } = page;
  const now = begunFrom(at, view, ({ players }) => ({ winner: null, left: players.map((p) => Math.max(1, p.pile)) }));
  const win = (p) => () => {
    now.winner = p.id;
    page.draw();
  };
  const left = now.left.map((n, seat) => (view.players[seat].id === now.winner ? 0 : n));
  return { title: t("enter_result"), body: html`${moved(page, at)}<p>${t("who_won")}</p>
    <div class="numbers two">${view.players.map((p) => html`<button class="side wide c-${p.colour}" aria-pressed=${p.id === now.winner ? "true" : "false"} @click=${win(p)}>
      ${page.tokenPicture(p)}<b>${p.name}</b></button>`)}</div>
    ${now.winner === null ? "" : html`<p>${t("left_in_piles")}</p>
      ${view.players.filter((p) => p.id !== now.winner).map((p) => stepper(page, p.name, now.left[p.seat], (by) => {
        now.left[p.seat] = Math.max(1, now.left[p.seat] + by);
        page.draw();
      }, p.colour))}
      ${holdItem(t("set_them_so"), { key: "round_result", name: "round_result", version: at.version }, null, { winner: now.winner, left })}`}` };
}
