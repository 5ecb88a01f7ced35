// An entry of any age put right (Y22, I1): it begins with what is stored, closing the sheet changes nothing, and all that
// follows is judged again.
import { html, nothing } from "../vendor/lit-html.js";
import { answerText } from "../answers.js";
import { holdButton, item } from "../panel.js";
import { close, opens } from "../sheets.js";
import { stepper, total } from "./correct.js";

// What is listed: the newest first, and only what a player did. Pure.
const LISTED = new Set(["placed", "released", "collapsed", "fell_off", "removed", "next_player", "last_yiker", "said",
  "not_said", "touched", "round_result", "abandon_round", "set_piles"]);

export function listed(entries) {
  return entries.filter((entry) => LISTED.has(entry.name)).reverse();
}

// What is sent for what the sheet shows. Pure.
export function edited({ entry, name, args, player }, now) {
  if (name === "set_piles") return { entry, player, args: { piles: now.piles, board: now.board } };
  if (name !== "round_result") return { entry, args: now.n === null ? args : { ...args, n: now.n }, player: now.player };
  return { entry, player, args: { ...args, winner: now.winner, left: now.left } };
}

export function stored({ args, player }) {
  return { n: typeof args.n === "number" ? args.n : null, player, winner: args.winner, left: (args.left || []).slice(),
    piles: (args.piles || []).slice(), board: args.board };
}

function words(page, entry) {
  const who = page.view.players.find((p) => p.id === (entry.name === "round_result" ? entry.args.winner : entry.player));
  const text = page.t("entry_" + entry.name, { n: entry.args.n || 0 });
  return who ? `${who.name}: ${text}` : text;
}

export function entries(page, at) {
  const { t, view } = page;
  if (!at.asked) {
    at.asked = true;
    at.version = view.version;
    page.fetchJson(`/g/${page.game}/entries`).then((told) => (at.list = listed(told.entries)), () => page.note(t("link_lost"))).then(page.draw);
  }
  const list = at.list || [];
  return { title: t("edit_entries"), body: html`${at.list && !list.length ? html`<p>${t("nothing_to_edit")}</p>` : nothing}
    <ol class="rulings">${list.map((entry) => html`<li>${opens(words(page, entry), "entry", { entry, now: stored(entry), version: at.version })}</li>`)}</ol>` };
}

function players(page, chosen, choose) {
  return html`<div class="numbers two">${page.view.players.map((p) => html`<button class="side wide c-${p.colour}"
    aria-pressed=${p.id === chosen ? "true" : "false"} @click=${() => choose(p)}>${page.tokenPicture(p)}<b>${p.name}</b></button>`)}</div>`;
}

// Sent, and the sheet stays until it is taken: where it is not, the choice is not lost, and it says why and what to do.
async function put(page, at, key, args) {
  at.refused = null;
  const answer = await page.press({ key, name: "edit", version: at.version }, null, args);
  const settled = answer && (await page.settled(answer));
  if (!settled || page.sheet !== at) return;
  if (settled.status === "applied") close();
  else {
    at.refused = settled;
    page.draw();
  }
}

function refusal({ t, view }, { refused }) {
  if (!refused) return nothing;
  const breaks = refused.code === "edit_breaks" && !view.phase.endsWith("_end");
  return html`<p class="error" role="status">${answerText(refused, t)}${breaks ? html`<br>${t("edit_else")}` : nothing}</p>
    ${breaks ? html`${opens(t("correct_piles"), "piles")}${opens(t("enter_result"), "result")}` : nothing}`;
}

export function entry(page, at) {
  const { t, view } = page;
  const { entry: which, now } = at;
  const set = (change) => {
    Object.assign(now, change);
    page.draw();
  };
  const win = (p) => set({ winner: p.id, left: now.left.map((n, seat) => (seat === p.seat ? 0 : Math.max(1, n))) });
  const left = (seat) => (by) => set({ left: now.left.map((n, k) => (k === seat ? Math.max(1, n + by) : n)) });
  const result = which.name === "round_result";
  const piles = which.name === "set_piles";
  const lacking = piles ? total(which.args) - total(now) : 0; // stones come from nowhere and go nowhere (Y21)
  const send = edited(which, now);
  const changed = JSON.stringify(stored(which)) !== JSON.stringify(now);
  const hold = (key, label, args) => holdButton(key, label, () => put(page, at, key, args));
  return { title: words(page, which), body: html`
    ${result ? html`<p>${t("who_won")}</p>${players(page, now.winner, win)}<p>${t("left_in_piles")}</p>
      ${view.players.filter((p) => p.id !== now.winner && p.seat < now.left.length).map((p) => stepper(page, p.name, now.left[p.seat], left(p.seat), p.colour))}` : nothing}
    ${now.n !== null ? stepper(page, t("how_many"), now.n, (by) => set({ n: now.n + by })) : nothing}
    ${piles ? html`${view.players.filter((p) => p.seat < now.piles.length).map((p) => stepper(page, p.name, now.piles[p.seat], (by) => set({ piles: now.piles.map((n, seat) => (seat === p.seat ? n + by : n)) }), p.colour))}
      ${stepper(page, t("on_the_board"), now.board, (by) => set({ board: now.board + by }))}
      <p role="status">${lacking === 0 ? t("adds_up") : t(lacking > 0 ? "still_to_place" : "too_many_counted", { n: Math.abs(lacking) })}</p>` : nothing}
    ${!result && which.player !== null && which.name !== "placed" ? html`<p>${t("who_was_it")}</p>${players(page, now.player, (p) => set({ player: p.id }))}` : nothing}
    ${changed && lacking === 0 ? hold("edit", t("set_them_so"), send) : nothing}
    ${hold("strike", t("strike_out"), { entry: which.entry, drop: true })}
    ${refusal(page, at)}
    ${item(t("back"), () => page.open("entries"))}` };
}
