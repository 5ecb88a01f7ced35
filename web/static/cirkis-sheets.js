// What opens over the live page of CirKis: menu, players, what happened and why, seats. Fetched when first needed.
import { html, nothing } from "./vendor/lit-html.js";
import { begunFrom } from "./begun-from.js";
import { pointsWord, problemWord, shapeWord } from "./cirkis-foreseen.js";
import { clause, close, drawOver, go, page, pieceName, playerLabel, send } from "./cirkis-panel.js";
import { claimSheet, isTelling, unplayedSheet } from "./cirkis-quick.js";
import { setSheet } from "./cirkis-set.js";
import { whoAgrees } from "./doubt.js";
import { holdButton, item } from "./panel.js";
import { languageButtons } from "./tongues.js";

// Draws page.sheet ({name, ...}) into a box, or nothing.
export function drawSheet(thePage, box) {
  drawOver(thePage, thePage.sheet && SHEETS[thePage.sheet.name], box);
}

// One deed in a line.
function deedWords(deed) {
  const { t } = page;
  if (deed.d === "lost") return t(deed.lapsed ? "deed_lapsed" : "deed_lost");
  if (deed.d === "left") return t("deed_left");
  const said = (deed.shapes || []).map(([shape]) => t("deed_completes", { shape: shapeWord(shape, t) }));
  if (deed.out) said.push(t("deed_out"));
  if (!said.length) said.push(t(deed.f ? "deed_free" : "deed_piece"));
  return said.join(", ");
}

function gains(deed) {
  return (deed.points || []).map(([id, points]) => html`<span class="gain c-${page.named(id).colour}">${page.tokenPicture(page.named(id))}<b>+${points}</b></span>`);
}

// Every clause that decided about a deed, once each.
function clausesOf(deed, first) {
  const found = [];
  if (deed.d === "lost") found.push(deed.lapsed ? "C24" : "C12");
  if (deed.d === "left") found.push("C34");
  for (const [, , id] of deed.points || []) found.push(id);
  for (const [, id] of deed.why || []) found.push(id);
  if (deed.why && deed.why.length) found.push(deed.out ? "C25" : "C09");
  if (deed.x) found.push("C33");
  if (deed.shapes) found.push("C28");
  if (!found.length) found.push(first ? "C03" : deed.f ? "C09" : "C05");
  return found.filter((id, k) => found.indexOf(id) === k);
}

const SHEETS = {
  claim: claimSheet,
  unplayed: unplayedSheet,
  set: setSheet,

  can_place({ spaces }) {
    const { t } = page;
    return { title: t("can_place"), body: html`<p>${t("can_place_why")}</p>
      ${spaces ? item(t("show_me"), () => {
        page.choose(spaces);
        page.showSpaces(spaces);
      }) : nothing}
      ${holdButton("insist", t("insist"), () => {
        close();
        page.lost(true);
      })}` };
  },

  players() {
    const { t, view } = page;
    return { title: t("players"), body: view.players.map((p) => html`<button class="side wide c-${p.colour}" @click=${go("player", { id: p.id })}>
      ${page.tokenPicture(p)}<b>${p.name}</b><small>${t("points_are", { n: p.total })}<br>${p.unplayed === null ? "" : t("left_are", { n: p.unplayed })}</small></button>`) };
  },

  player({ id }) {
    const { t, view } = page;
    const p = page.named(id);
    const mine = page.me === id;
    const sit = () => {
      page.sit(mine ? null : id);
      close();
    };
    const open = view.phase === "play" || view.phase === "between";
    return { title: p.name, body: html`<p>${t("points_are", { n: p.total })}${p.unplayed === null ? "" : " · " + t("left_are", { n: p.unplayed })}</p>
      ${p.shapes ? html`<ul class="pieces-left">${Object.keys(p.shapes).map((name) => html`<li>${pieceName(name)} <b>${p.shapes[name]}</b></li>`)}</ul>` : nothing}
      ${item(t(mine ? "seat_leave" : "seat_take"), sit)}
      ${page.mayAct && open && !p.left ? [holdButton("leave", t("player_leaves", { name: p.name }), () => send("leave", id, {})), clause("C34")] : nothing}
      ${item(t("back"), go("players"))}` };
  },

  log() {
    const { t, view } = page;
    const rows = view.deeds.map((deed, at) => html`<li><button class="side wide c-${page.named(deed.p).colour}" @click=${go("why", { at })}>
      ${page.tokenPicture(page.named(deed.p))}<span>${deedWords(deed)}${deed.why ? html` <span aria-label=${t("free_turn")}>↻</span>` : nothing}</span>${gains(deed)}</button></li>`).reverse();
    const before = view.rounds.map((round, k) => html`<li class="card"><b>${t("round_n", { n: k + 1 })}</b> ${t("end_" + round.end)}
      <span class="tokens">${round.points.map(([id, n]) => html`<span class="gain c-${page.named(id).colour}">${page.tokenPicture(page.named(id))}<b>${n}</b></span>`)}</span></li>`).reverse();
    return { title: t("log"), body: html`${view.end ? html`<p>${t("end_" + view.end)}</p>` : nothing}
      ${view.result && view.result.winners.length ? clause(view.result.clause) : nothing}
      ${rows.length ? nothing : html`<p>${t("log_empty")}</p>`}<ol class="rulings">${rows}${before}</ol>` };
  },

  why({ at }) {
    const { t, view } = page;
    const deed = view.deeds[at];
    if (!deed) return SHEETS.log();
    const correct = () => (deed.d === "claim" ? page.open("claim", { deed }) : page.correct(deed));
    return { title: `${page.named(deed.p).name}: ${deedWords(deed)}`, body: html`
      ${(deed.points || []).map(([id, points, , shape]) => html`<p class="bar">${playerLabel(page.named(id))}<b>+${points}</b><span>${pointsWord(shape, points, t)}</span></p>`)}
      ${(deed.why || []).map(([code]) => html`<p>${t("free_turn")} ${t("free_" + code)}</p>`)}
      ${(deed.x || []).map((code) => html`<p>${t("overruled")} ${problemWord(code, t)}</p>`)}
      ${clausesOf(deed, at === view.deeds.findIndex((each) => each.s)).map(clause)}
      ${deed.s ? item(t("show_me"), () => page.showSpaces(deed.s)) : nothing}
      ${page.mayAct && deed.n && deed.d !== "left" ? [deed.d === "lost" ? nothing : item(t("correct"), correct),
        holdButton("strike", t("strike"), () => send("edit", null, { entry: deed.n, drop: true }))] : nothing}
      ${page.mayAct && deed.r && !view.dispute ? item(t("doubt"), () => send("dispute", page.me, { ruling: deed.r })) : nothing}
      ${item(t("back"), go("log"))}` };
  },

  // Is what somebody doubts taken back?
  doubt({ choice }) {
    const { t, view } = page;
    if (!view.dispute) return { title: t("refused_no_dispute"), body: nothing };
    const deed = view.deeds.find((each) => each.r === view.dispute.ruling);
    if (choice) return { title: t("choice_" + choice), body: whoAgrees(page, choice, (player, args) => send(choice, player, args)) };
    return { title: t("ask_dispute", { what: deed ? `${page.named(deed.p).name}: ${deedWords(deed)}` : "…" }),
      body: ["confirm", "reject"].map((name) => item(t("choice_" + name), go("doubt", { choice: name }))) };
  },

  seats(at) {
    const { t, view } = page;
    const order = begunFrom(at, view, ({ players }) => players.map((p) => p.id));
    const up = (k) => () => {
      [order[k - 1], order[k]] = [order[k], order[k - 1]];
      page.draw();
    };
    return { title: t("seats"), body: html`<p>${t("seats_how")}</p>
      ${order.map((id, k) => html`<div class="bar">${playerLabel(page.named(id))}<span class="grow"></span>
        <button class="icon" ?disabled=${k === 0} aria-label=${t("seat_earlier", { name: page.named(id).name })} @click=${up(k)}>↑</button></div>`)}
      <button class="main" @click=${() => send({ name: "seats", version: at.version }, null, { order })}>${t("save")}</button>` };
  },

  menu() {
    const { t, view } = page;
    const left = page.kept("hand") === "left";
    const hand = () => {
      page.wish("hand", left ? "" : "left");
      close();
    };
    const running = view.phase !== "over";
    return { title: t("menu"), body: html`
      ${item(t("log"), go("log"))}
      ${isTelling() ? item(t("claim_again"), go("claim", { shape: null })) : nothing}
      <a class="side" href="/g/${page.game}/history">${t("figures")}</a>
      <a class="side" href="/help/cirkis">${t("help")}</a>
      ${view.mode === "map" ? item(t("set"), go("set")) : nothing}
      ${page.mayAct && running ? item(t("seats"), go("seats")) : nothing}
      ${item(t(left ? "hand_right" : "hand_left"), hand)}
      ${item(t(page.kept("read") === "no" ? "words_again" : "phone_pictures"), () => {
        page.picture();
        close();
      })}
      <a class="side" href="/g/${page.game}/tv">${t("tv_view")}</a>
      <a class="side" href="/qr">${t("invite")}</a>
      ${languageButtons(page)}
      ${page.mayAct && view.phase === "play" && view.settings.play_to === "hundred"
        ? holdButton("round", t("abandon_round"), () => send("abandon", null, { what: "round" })) : nothing}
      ${page.mayAct && running ? holdButton("abandon", t("abandon_game"), () => send("abandon", null, { what: "game" })) : nothing}` };
  },
};
