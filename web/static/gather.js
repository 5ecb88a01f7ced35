// Before a game begins: who plays, who is first, which rules. Every phone sees and changes the same list.
import { html, nothing, render } from "./vendor/lit-html.js";
import { Commands } from "./commands.js";
import { translator } from "./i18n.js";
import { LiveView } from "./live.js";
import { answerText, bootData, commandLink, kept, viewLink } from "./phone.js";
import { tokenPicture } from "./shapes.js";

const MOST_PLAYERS = 6;
const LAYOUTS = ["novice", "intermediate", "advanced"];
const RULES = { best_of: [1, 3, 5, 7], last_call: ["after", "before", "assumed"], unsaid: ["ask", "penalty"],
  hand_stone: ["back", "may_place"], played_stone: ["turn", "hand"], early: ["next", "bag"], loser: ["most_left", "before_winner"] };

const boot = bootData();
const t = translator(boot.texts, boot.lang);
const game = boot.first.view.game;
const page = { view: boot.first.view, note: "", link: "live" };
const commands = new Commands(commandLink(game), () => draw());
const live = new LiveView(`/g/${game}/events?after=`, boot.first.seq, viewLink(game), {
  view(envelope) {
    if (envelope.view.phase !== "lobby") {
      window.location.reload(); // it has begun: the live page
      return;
    }
    page.view = envelope.view;
    draw();
  },
  beat() {},
  state(state) {
    page.link = state;
    draw();
  },
});

async function press(name, player, args) {
  const answer = await commands.press(name + (player === undefined ? "" : player), name, page.view.version, null,
    kept("name") || "", player, args);
  if (answer === null) return null;
  page.note = answerText(answer, t);
  draw();
  return answer;
}

async function add(event) {
  event.preventDefault();
  const box = document.getElementById("new-name");
  const name = box.value.trim();
  if (!name) return;
  const answer = await press("add_player", undefined, { name });
  if (answer && (answer.status === "applied" || answer.status === "received")) box.value = "";
  box.focus();
}

function playerRow(p, index) {
  return html`<li class="bar c-${p.colour}">${tokenPicture(p)}<b class="grow">${p.name}</b>
    ${boot.may_act ? html`
      <button class="icon" ?disabled=${index === 0} aria-label=${t("seat_earlier", { name: p.name })} @click=${() => press("move_player", p.id, { to: index - 1 })}>↑</button>
      <button class="icon" aria-label=${t("take_out", { name: p.name })} @click=${() => press("remove_player", p.id, {})}>✕</button>` : nothing}</li>`;
}

function rule(name) {
  const set = (event) => {
    const text = event.target.value;
    press("set_setting", undefined, { name, value: typeof RULES[name][0] === "number" ? Number(text) : text });
  };
  const label = (value) => (name === "best_of" ? t("best_of_n", { n: value }) : t("set_" + name + "_" + value));
  return html`<label class="stack">${t("set_" + name)}<select ?disabled=${!boot.may_act} @change=${set}>
    ${RULES[name].map((value) => html`<option value=${value} .selected=${page.view.settings[name] === value}>${label(value)}</option>`)}</select></label>`;
}

function layout() {
  const set = (event) => press("set_layout", undefined, { layout: event.target.value });
  return html`<label class="stack">${t("set_layout")}<select ?disabled=${!boot.may_act} @change=${set}>
    ${LAYOUTS.map((name) => html`<option value=${name} .selected=${page.view.settings.layout === name}>${t("set_layout_" + name)}</option>`)}</select></label>`;
}

function firstPlayer() {
  const set = (event) => press("set_dealer", event.target.value === "" ? undefined : Number(event.target.value), {});
  const dealer = page.view.players.find((p) => p.dealer);
  return html`<label class="stack">${t("who_first")}<select ?disabled=${!boot.may_act} @change=${set}>
    <option value="" .selected=${!dealer}>${t("drawn")}</option>
    ${page.view.players.map((p) => html`<option value=${p.id} .selected=${dealer === p}>${p.name}</option>`)}</select></label>`;
}

function draw() {
  const { players } = page.view;
  const mine = kept("name") || "";
  const canJoin = boot.may_act && mine && players.length < MOST_PLAYERS && !players.some((p) => p.name === mine);
  render(html`
    ${page.link === "live" ? nothing : html`<p class="error" role="status">${t("link_lost")}</p>`}
    <p class="faint">${page.view.sensors === "none" ? t("plays_by_hand") : t("plays_sensors")}</p>
    <section class="card"><h2>${t("players_clockwise")}</h2>
      <ol class="plain-list">${players.map(playerRow)}</ol>
      ${players.length ? nothing : html`<p class="faint">${t("nobody_yet")}</p>`}
      ${canJoin ? html`<button class="side" @click=${() => press("add_player", undefined, { name: mine })}>${t("add_me", { name: mine })}</button>` : nothing}
      ${boot.may_act && players.length < MOST_PLAYERS ? html`<form class="bar" @submit=${add}>
        <input id="new-name" class="grow" maxlength="24" aria-label=${t("player_name")} placeholder=${t("player_name")} autocapitalize="words" autocomplete="off">
        <button class="side">${t("add")}</button></form>` : nothing}</section>
    ${boot.may_act ? html`<button class="main" ?disabled=${players.length < 1 || commands.isPending("start")} @click=${() => press("start", undefined, {})}>${t("start")}</button>
      ${players.length === 1 ? html`<p class="faint">${t("alone")}</p>` : nothing}` : html`<p class="card">${t("watching_home")}</p>`}
    <p class="error" role="status">${page.note}</p>
    <section class="card">${firstPlayer()}${rule("best_of")}${page.view.sensors === "none" ? layout() : nothing}
      <details><summary>${t("rules")}</summary><div class="stack">${Object.keys(RULES).slice(1).map(rule)}</div></details></section>
    <a class="side" href="/qr">${t("invite_title")}</a>`, document.getElementById("form"));
}

document.addEventListener("visibilitychange", () => live.visibility(document.visibilityState === "visible"));

draw();
live.start();
