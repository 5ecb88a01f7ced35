// What the sheets of CirKis share beside the panel.
import { html } from "./vendor/lit-html.js";
import { drawPanel } from "./panel.js";

export let page; // the page, from its first drawing on (cirkis-play.js)
let clauses = null;

// Draws a sheet ({title, body}) into a box, or nothing.
export function drawOver(thePage, sheet, box) {
  page = thePage;
  drawPanel(sheet ? sheet(page.sheet) : null, box, page.t, close);
}

export function close() {
  page.close();
}

export function go(name, data) {
  return () => page.open(name, data);
}

export function send(name, player, args) {
  close();
  return page.press(name, player, args);
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
