// The panel that opens over the CirKis page, and the parts that its sheets are made of.
import { html, nothing, render } from "./vendor/lit-html.js";

export let page; // the page, from its first drawing on (cirkis-play.js)
let clauses = null;
let styled = false;
const held = {}; // name -> its button

// Draws a sheet ({title, body}) into a box, or nothing.
export function drawPanel(thePage, sheet, box) {
  page = thePage;
  if (sheet && !styled) {
    styled = true;
    page.addStyle("sheets");
    page.addStyle("cirkis-sheets");
  }
  const made = sheet ? sheet(page.sheet) : null;
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

export function item(label, click, off) {
  return html`<button class="side" ?disabled=${off === true} @click=${click}>${label}</button>`;
}

export function go(name, data) {
  return () => page.openSheet(name, data);
}

export function send(name, player, args) {
  close();
  return page.press(name, player, args);
}

// A press that changes much: held for a second.
export function holdItem(key, label, done) {
  if (!held[key]) {
    held[key] = { button: document.createElement("button") };
    held[key].button.className = "side hold";
    page.holdToPress(held[key].button, 1000, () => held[key].done(), () => null);
  }
  held[key].done = done;
  held[key].button.textContent = label;
  return held[key].button;
}

async function learnClauses() {
  if (!clauses) clauses = await page.fetchJson(`/locale/${page.lang}/cirkis_clauses.json`).catch(() => null);
  page.draw();
}

export function clause(id) {
  if (!clauses) learnClauses();
  return html`<p class="clause"><b>${id}</b> ${clauses ? clauses[id] : "…"}</p>`;
}

export function stepper(label, value, low, high, set) {
  return html`<div class="stepper"><span>${label}</span>
    <button class="icon" aria-label=${page.t("less")} ?disabled=${value <= low} @click=${() => set(value - 1)}>−</button>
    <b>${value}</b>
    <button class="icon" aria-label=${page.t("more")} ?disabled=${value >= high} @click=${() => set(value + 1)}>+</button></div>`;
}

export function playerLabel(p) {
  return html`<span class="who c-${p.colour}">${page.tokenPicture(p)}${p.name}</span>`;
}

// A piece's name: those of the sheet have words, others are what the family called them.
export function pieceName(name) {
  return page.t.has("piece_" + name) ? page.t("piece_" + name) : name;
}
