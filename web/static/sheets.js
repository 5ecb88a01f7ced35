// What opens over the live page, and the choices of a question. Each sheet is a module of its own under sheets/, fetched
// with its texts when first opened; here is what they share.
import { html, nothing, render } from "./vendor/lit-html.js";
import { needOf } from "./needs.js";

// Name of a sheet -> the module that draws it and the parts of the catalogue that it needs.
const MODULES = {
  menu: ["menu", "menu"], table: ["menu", "menu"], phone: ["phone", "menu"],
  players: ["players", "players"], player: ["players", "players"],
  count: ["count"], hand: ["count"], pile: ["count"], dispute: ["count"],
  rulings: ["rulings", "rulings", "clauses"], why: ["rulings", "rulings", "clauses"],
  standings: ["standings", "standings"],
  piles: ["correct", "correct"], result: ["correct", "correct"],
  help: ["help", "help", "clauses"],
};
const loaded = {}; // module -> what it exports
const held = {}; // key of a button -> the button

let page;

// Resolves when a sheet can be drawn; rejects where its module or texts did not come.
export async function ready(thePage, name) {
  page = thePage;
  page.addStyle("sheets");
  const [file, ...parts] = MODULES[name];
  const [module] = await Promise.all([import(`/static/sheets/${file}.js`), ...parts.map(page.addTexts)]);
  loaded[file] = module;
}

// A question in words; one about a ruling repeats it.
export function questionText({ view, t, rulingWords, addTexts, draw }, question) {
  if (question.code === "dispute" && !t.has("doubt")) addTexts("rulings").then(draw, () => null);
  const who = view.players.find((p) => p.id === question.player);
  const doubted = view.dispute && view.rulings.find((ruling) => ruling.n === view.dispute.ruling);
  const what = doubted ? rulingWords(view, doubted, t).text : "…";
  return t("ask_" + question.code, { name: who ? who.name : "", what, ...question.args });
}

// The choices of a question as buttons in a box; what a choice needs to know is asked in a sheet.
export function drawChoices(thePage, box, question) {
  page = thePage;
  render(question.choices.map((choice) => html`<button class="side" ?disabled=${page.isPending("answer")}
    @click=${() => choose(question, choice)}>${page.t("choice_" + choice)}</button>`), box);
}

function choose(question, choice) {
  if (question.code === "dispute") {
    page.openSheet("dispute", { choice });
    return;
  }
  const { sheet, args, ...more } = needOf(choice, page.view);
  const button = { key: "answer", name: "answer", player: null, args: { question: question.id, choice, ...args }, ...more };
  if (sheet) page.openSheet(sheet, { button, what: choice });
  else page.press(button, null);
}

// Draws page.sheet ({name, ...}) into a box, or nothing.
export function drawSheet(thePage, box) {
  page = thePage;
  const at = page.sheet;
  const module = at && loaded[MODULES[at.name][0]];
  const made = module ? module[at.name](page, at) : null;
  render(made ? frame(made.title, made.body) : nothing, box);
}

export function close() {
  page.sheet = null;
  page.draw();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && page && page.sheet) close();
});

function frame(title, body) {
  return html`<div class="veil" @click=${close}></div>
    <div class="panel" role="dialog" aria-modal="true" aria-labelledby="sheet-title">
      <div class="panel-head"><h2 id="sheet-title">${title}</h2>
        <button class="icon" aria-label=${page.t("close")} @click=${close}>✕</button></div>
      <div class="panel-body">${body}</div></div>`;
}

// A button of a sheet.
export function item(label, click) {
  return html`<button class="side" @click=${click}>${label}</button>`;
}

// A button that opens another sheet.
export function opens(label, name, data) {
  return item(label, () => page.openSheet(name, data));
}

export function send(button, player, args) {
  close();
  page.press(button, player, args);
}

export function pressItem(label, button, player, args) {
  return item(label, () => send(button, player, args));
}

// A press that changes much: held for a second. It keeps its element, so that news do not take it from under a finger.
export function holdItem(label, button, player = null, args = {}) {
  const { key } = button;
  if (!held[key]) {
    held[key] = document.createElement("button");
    held[key].className = "side hold";
    page.holdToPress(held[key], 1000, () => held[key].act(), () => null);
  }
  held[key].act = () => send(button, player, args);
  held[key].textContent = label;
  return held[key];
}

// A setting of this phone that is on or off.
export function toggle(label, name, on, off, changed) {
  const is = page.kept(name) === on;
  const flip = () => {
    page.choose(name, is ? off : on);
    if (changed) changed(!is);
    page.draw();
  };
  return html`<button class="side wide" role="switch" aria-checked=${is ? "true" : "false"} @click=${flip}><span>${label}</span><b class="mark">${is ? "✓" : "–"}</b></button>`;
}

// The player whose seat this phone has taken; null where nobody has said.
export function myself() {
  const me = page.view.players.find((p) => p.seat === page.seat);
  return me ? me.id : null;
}
