// The players: where each sits, what is left, and what another may say for them.
import { html, nothing } from "../vendor/lit-html.js";
import { close, item, pressItem } from "../sheets.js";

export function players(page) {
  const { t, view } = page;
  return { title: t("players"), body: view.players.map((p) => html`<button class="side wide c-${p.colour}"
    @click=${() => page.openSheet("player", { id: p.id })}>${page.tokenPicture(p)}<b>${p.name}</b>
    <small>${t("pile_is", { n: p.pile })}<br>${t("wins_are", { n: p.wins })}</small></button>`) };
}

export function player(page, { id }) {
  const { t, view } = page;
  const p = view.players.find((one) => one.id === id);
  if (!p) return players(page);
  const mine = page.seat === p.seat;
  const sit = () => {
    page.sit(mine ? null : p.seat);
    close();
  };
  const call = view.call && view.call.player === id;
  return { title: p.name, body: html`<p>${t("pile_is", { n: p.pile })} · ${t("wins_are", { n: p.wins })}</p>
    ${item(t(mine ? "seat_leave" : "seat_take"), sit)}
    ${page.mayAct && (call || p.pile <= 2) ? pressItem(t("did_say"), { key: "last_yiker", name: "last_yiker" }, id) : nothing}
    ${page.mayAct && view.questions.some((q) => q.code === "call" && q.player === id)
      ? pressItem(t("did_not_say"), { key: "not_said", name: "not_said" }, id) : nothing}` };
}
