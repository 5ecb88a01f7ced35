// The players: where each sits, what is left, and what another may say for them.
import { html, nothing } from "../vendor/lit-html.js";
import { inOrder } from "../in-order.js";
import { item } from "../panel.js";
import { close, holdItem, pressItem, send } from "../sheets.js";
import { stepper } from "./correct.js";

const MOST_PLAYERS = 6;

export function players(page) {
  const { t, view } = page;
  const join = (event) => {
    event.preventDefault();
    const name = event.target.elements[0].value.trim();
    if (name) send({ key: "add_player", name: "add_player" }, null, { name });
  };
  const joining = page.mayAct && view.phase === "round_end" && view.players.length < MOST_PLAYERS;
  return { title: t("players"), body: html`${rows(page)}
    ${joining ? html`<form class="bar" @submit=${join}><input class="grow" aria-label=${t("player_name")} placeholder=${t("player_name")} autocomplete="off">
      <button class="side">${t("joins_in")}</button></form>` : nothing}` };
}

function rows(page) {
  const { t, view } = page;
  return view.players.map((p) => html`<button class="side wide c-${p.colour}"
    @click=${() => page.open("player", { id: p.id })}>${page.tokenPicture(p)}<b>${p.name}</b>
    <small>${p.gone ? t("has_left") : t("pile_is", { n: p.pile })}<br>${t("wins_are", { n: p.wins })}</small></button>`);
}

export function player(page, { id }) {
  const { t, view } = page;
  const p = view.players.find((one) => one.id === id);
  if (!p) return players(page);
  const mine = page.me === id;
  const sit = () => {
    page.sit(mine ? null : id);
    close();
  };
  const points = view.scoring === "points" ? t("points_are", { n: p.points }) : t("wins_are", { n: p.wins });
  const call = view.call && view.call.player === id;
  return { title: p.name, body: html`<p>${t("pile_is", { n: p.pile })} · ${points}</p>
    ${item(t(mine ? "seat_leave" : "seat_take"), sit)}
    ${page.mayAct && (call || p.pile <= 2) ? pressItem(t("did_say"), { key: "last_yiker", name: "last_yiker" }, id) : nothing}
    ${page.mayAct && view.questions.some((q) => q.code === "call" && q.player === id)
      ? pressItem(t("did_not_say"), { key: "not_said", name: "not_said" }, id) : nothing}
    ${page.mayAct && !view.phase.endsWith("_end") && !p.gone ? [pressItem(t("did_touch"), { key: "touched", name: "touched" }, id, { what: "stone" }),
      pressItem(t("two_hands"), { key: "touched", name: "touched" }, id, { what: "hands" })] : nothing}
    ${page.mayAct && view.phase === "round_end" && !p.gone ? between(page, p) : nothing}
    ${page.mayAct && view.phase !== "game_end" && !p.gone ? holdItem(t("leaves"), { key: "remove_player", name: "remove_player" }, id) : nothing}` };
}

// Between rounds: another name, and a handicap of so many stones fewer at each deal.
function between(page, p) {
  const { t } = page;
  const rename = (event) => {
    event.preventDefault();
    const name = event.target.elements[0].value.trim();
    if (name && name !== p.name) send({ key: "rename_player", name: "rename_player" }, p.id, { name });
  };
  const at = page.sheet; // what was tapped while the press before travelled counts too
  if (at.less === undefined) Object.assign(at, { less: p.handicap || 0, send: inOrder(page.press) });
  const change = (by) => {
    at.less += by;
    at.send("set_handicap", p.id, { stones: at.less }).then((answer) => {
      if (answer && answer.status === "refused") at.less = undefined; // as it was
      page.draw();
    });
    page.draw();
  };
  return html`<form class="bar" @submit=${rename}><input class="grow" aria-label=${t("player_name")} .value=${p.name} autocomplete="off">
      <button class="side">${t("rename")}</button></form>
    ${stepper(page, t("handicap"), at.less, change, p.colour)}`;
}
