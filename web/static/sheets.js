// What opens over the live page, and the choices of a question. Each sheet is a module of its own under sheets/, fetched
// with its texts when first opened; here is what they share.
import { html, render } from "./vendor/lit-html.js";
import { layingWords } from "./laying-words.js";
import { missed, needOf } from "./needs.js";
import { drawPanel, holdButton, item } from "./panel.js";

// Name of a sheet -> the module that draws it and the parts of the catalogue that it needs.
const MODULES = {
  menu: ["menu", "menu"], table: ["menu", "menu"], phone: ["phone", "menu"],
  players: ["players", "players"], player: ["players", "players", "correct"],
  count: ["count"], hand: ["count"], pile: ["count"], dispute: ["count"],
  rulings: ["rulings", "rulings", "clauses"], why: ["rulings", "rulings", "clauses"],
  standings: ["standings", "standings"],
  entries: ["entries", "entries", "correct"], entry: ["entries", "entries", "correct"],
  piles: ["correct", "correct"], result: ["correct", "correct"],
  unready: ["ready"], unlike: ["unlike"],
};
const drawable = {}; // name of a sheet that can be drawn -> its module: it and all its texts have come

let page;

// Resolves when a sheet can be drawn; rejects where its module or texts did not come.
export async function ready(thePage, name) {
  page = thePage;
  const [file, ...parts] = MODULES[name];
  const [module] = await Promise.all([import(`/static/sheets/${file}.js`), ...parts.map(page.addTexts)]);
  drawable[name] = module;
}

// A question in words; one about a ruling repeats it.
export function questionText({ view, t, rulingWords, addTexts, draw }, question) {
  if (question.code === "dispute" && !t.has("why")) addTexts("rulings").then(draw, () => null);
  const who = view.players.find((p) => p.id === question.player);
  const doubted = view.dispute && view.rulings.find((ruling) => ruling.n === view.dispute.ruling);
  let what = doubted ? rulingWords(view, doubted, t).text : "…";
  if (question.code === "laying" && view.laying) what = layingWords(view.laying, (key, n, values) => t(key, { ...values, n }));
  return t("ask_" + question.code, { name: who ? who.name : "", what, ...question.args });
}

// The choices of a question as buttons in a box; what a choice needs to know is asked in a sheet.
export function drawChoices(thePage, box, question) {
  page = thePage;
  render(question.choices.map((choice) => html`<button class="side" ?disabled=${page.isPending("answer")}
    @click=${() => choose(question, choice)}>${page.t("choice_" + choice, { n: missed(question) })}</button>`), box);
}

function choose(question, choice) {
  if (question.code === "dispute") {
    page.open("dispute", { choice });
    return;
  }
  if (question.code === "laying") {
    page.press({ key: "answer", name: "lay" }, null, { how: choice });
    return;
  }
  const { sheet, args, ...more } = needOf(choice, page.view, question);
  const button = { key: "answer", name: "answer", player: null, args: { question: question.id, choice, ...args }, ...more };
  if (sheet) page.open(sheet, { button, what: choice });
  else page.press(button, null);
}

// Whether what a sheet answers has been answered meanwhile, on another phone or by what the table saw.
export function isPast({ name, button }, view) {
  const asked = button && button.name === "answer" && button.args.question;
  if (name === "unlike" && button.name === "lay") return !view.laying;
  return name === "dispute" ? !view.dispute : Boolean(asked) && !view.questions.some((question) => question.id === asked);
}

// Draws page.sheet ({name, ...}) into a box, or nothing. A sheet goes with its question, or it would hide the next one.
export function drawSheet(thePage, box) {
  page = thePage;
  if (page.sheet && isPast(page.sheet, page.view)) page.sheet = null;
  const at = page.sheet;
  const module = at && drawable[at.name];
  const made = module ? module[at.name](page, at) : null;
  drawPanel(made, box, page.t, close);
}

export function close() {
  page.close();
}

// A button that opens another sheet.
export function opens(label, name, data) {
  return item(label, () => page.open(name, data));
}

export function send(button, player, args) {
  close();
  return page.press(button, player, args);
}

export function pressItem(label, button, player, args) {
  return item(label, () => send(button, player, args));
}

export function holdItem(label, button, player = null, args = {}) {
  return holdButton(button.key, label, () => send(button, player, args));
}

// A setting of this phone that is on or off.
export function toggle(label, name, on, off, changed) {
  const is = page.kept(name) === on;
  const flip = () => {
    page.wish(name, is ? off : on);
    if (changed) changed(!is);
    page.draw();
  };
  return html`<button class="side wide" role="switch" aria-checked=${is ? "true" : "false"} @click=${flip}><span>${label}</span><b class="mark">${is ? "✓" : "–"}</b></button>`;
}
