// Before a game begins: who plays, who is first, which rules. Every phone sees and changes the same list.
import { html, nothing, render } from "./vendor/lit-html.js";
import { choicesOf, nextColour } from "./choices.js";
import { Commands } from "./commands.js";
import { holdToPress } from "./hold.js";
import { translator } from "./i18n.js";
import { inOrder } from "./in-order.js";
import { LiveView } from "./live.js";
import { answerText } from "./answers.js";
import { bootData, commandLink, keep, kept, viewLink } from "./phone.js";
import { sayName } from "./say-name.js";
import { tokenPicture } from "./shapes.js";
import { watchingCard } from "./watching.js";

const boot = bootData();
sayName(boot);
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
  if (answer.as) keep("name", answer.as); // as the table writes it: the players' names are compared with it
  page.note = answerText(answer, t);
  draw();
  return answer;
}

// Choices and the start, one after another as they were made.
const inTurn = inOrder((send) => send());

// What a select shows is what holds: where its choice was not taken it goes back.
const choose = (select, name, player, args, back) => inTurn(async () => {
  const answer = await press(name, player, args);
  if (answer.status !== "applied" && answer.status !== "received") back(select);
});

// A game that nobody wants any more: deleted by holding.
const remove = document.createElement("button");
remove.className = "side hold";
remove.textContent = t("delete_game");
holdToPress(remove, 1000, async () => {
  const answer = await press("delete_game", undefined, {});
  if (answer && answer.status === "applied") window.location.href = "/";
}, () => null);

// Something speaks against it, and the table begins all the same (F5).
const anyway = document.createElement("button");
anyway.className = "side hold";
anyway.textContent = t("begin_anyway");
holdToPress(anyway, 1000, () => press("start", undefined, { anyway: true }), () => null);

function ready(against) {
  return against ? html`<section class="card">${against.map((reason) => html`<p>${t("against_" + reason.code, reason)}</p>`)}
    ${boot.may_act ? anyway : nothing}</section>` : nothing;
}

async function add(event) {
  event.preventDefault();
  const box = document.getElementById("new-name");
  const name = box.value.trim();
  if (!name) return;
  box.value = ""; // the next name may be typed while this one travels
  box.focus();
  await inTurn(async () => {
    const answer = await press("add_player", undefined, { name });
    const taken = answer && (answer.status === "applied" || answer.status === "received");
    if (!taken && !box.value) box.value = name;
  });
}

// A name is changed where it stands: touched, it is a box until it is entered or left.
function nameOf(p) {
  if (!boot.may_act) return html`<b class="grow">${p.name}</b>`;
  const open = (id) => { page.renaming = id; draw(); };
  if (page.renaming !== p.id) return html`<button class="name grow" aria-label=${t("rename", { name: p.name })} @click=${() => {
    open(p.id);
    const box = document.getElementById("renamed");
    box.focus();
    box.select();
  }}>${p.name}</button>`;
  const enter = async (event) => {
    const name = event.target.value.trim();
    if (name && name !== p.name) await press("rename_player", p.id, { name });
    open(null);
  };
  return html`<input id="renamed" class="grow" aria-label=${t("new_name", { name: p.name })} .value=${p.name} autocapitalize="words" autocomplete="off"
    @keydown=${(event) => {
      if (event.key === "Escape") event.target.value = p.name;
      if (event.key === "Escape" || event.key === "Enter") event.target.blur();
    }} @blur=${enter}>`;
}

function playerRow(p, index, colours) {
  const sign = colours.length && boot.may_act
    ? html`<button class="icon" aria-label=${t("next_colour", { name: p.name })} @click=${() => press("set_colour", p.id, { colour: nextColour(colours, p.colour) })}>${tokenPicture(p)}</button>`
    : tokenPicture(p);
  return html`<li class="bar c-${p.colour}">${sign}${nameOf(p)}
    ${boot.may_act ? html`
      <button class="icon" ?disabled=${index === 0} aria-label=${t("seat_earlier", { name: p.name })} @click=${() => press("move_player", p.id, { to: index - 1 })}>↑</button>
      <button class="icon" aria-label=${t("take_out", { name: p.name })} @click=${() => press("remove_player", p.id, {})}>✕</button>` : nothing}</li>`;
}

function choice({ name, values, value, command, args }) {
  const back = (select) => (select.selectedIndex = values.indexOf(value));
  const set = (event) => choose(event.target, command, undefined, args(values[event.target.selectedIndex]), back);
  const label = (each) => (t.has(`set_${name}_${each}`) ? t(`set_${name}_${each}`) : t(`set_${name}_n`, { n: Number(each) }));
  return html`<label class="stack">${t("set_" + name)}<select ?disabled=${!boot.may_act} @change=${set}>
    ${values.map((each) => html`<option value=${String(each)} .selected=${value === each}>${label(each)}</option>`)}</select></label>`;
}

function firstPlayer({ command, label, drawn, player }) {
  const back = (select) => (select.value = player === null ? "" : String(player));
  const set = (event) => choose(event.target, command, event.target.value === "" ? undefined : Number(event.target.value), {}, back);
  return html`<label class="stack">${t(label)}<select ?disabled=${!boot.may_act} @change=${set}>
    ${drawn ? html`<option value="" .selected=${player === null}>${t("drawn")}</option>` : nothing}
    ${page.view.players.map((p) => html`<option value=${p.id} .selected=${player === p.id}>${p.name}</option>`)}</select></label>`;
}

function how(view) {
  if (view.kind !== "yikerz") return t("how_" + view.kind);
  return view.sensors === "none" ? t("plays_by_hand") : t("plays_sensors");
}

function draw() {
  const { players } = page.view;
  const { most, fewest, colours, first, near, choices } = choicesOf(page.view);
  const mine = kept("name") || "";
  const canJoin = boot.may_act && mine && players.length < most && !players.some((p) => p.name === mine);
  render(html`
    ${page.link === "live" ? nothing : html`<p class="error" role="status">${t("link_lost")}</p>`}
    <p class="faint">${how(page.view)}</p>
    <section class="card"><h2>${t("players_clockwise")}</h2>
      <ol class="plain-list">${players.map((p, index) => playerRow(p, index, colours))}</ol>
      ${players.length ? nothing : html`<p class="faint">${t("nobody_yet")}</p>`}
      ${canJoin ? html`<button class="side" @click=${() => press("add_player", undefined, { name: mine })}>${t("add_me", { name: mine })}</button>` : nothing}
      ${boot.may_act && players.length < most ? html`<form class="bar" @submit=${add}>
        <input id="new-name" class="grow" aria-label=${t("player_name")} placeholder=${t("name_here")} autocapitalize="words" autocomplete="off">
        <button class="side">${t("add")}</button></form>` : nothing}</section>
    ${boot.may_act ? html`<button class="main" ?disabled=${players.length < fewest || commands.pending.size > 0} @click=${() => inTurn(() => press("start", undefined, {}))}>${t("start")}</button>
      ${fewest === 1 && players.length === 1 ? html`<p class="faint">${t("alone")}</p>` : nothing}` : watchingCard(t)}
    <p class="error" role="status">${page.note}</p>
    ${ready(page.view.against)}
    <section class="card">${players.length ? firstPlayer(first) : nothing}${choices.slice(0, near).map(choice)}
      <details><summary>${t("rules")}</summary><div class="stack">${choices.slice(near).map(choice)}</div></details></section>
    <a class="side" href="/qr">${t("invite_title")}</a>
    ${page.view.kind === "yikerz" ? html`<a class="side" href="/g/${game}/tv">${t("tv_view")}</a>` : nothing}
    ${boot.may_act ? remove : nothing}`, document.getElementById("form"));
}

document.addEventListener("visibilitychange", () => live.visibility(!document.hidden));

draw();
live.start();
