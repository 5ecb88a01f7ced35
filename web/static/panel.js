// What the sheets of every game are made of: the panel over the page, its buttons, and those that count only when held.
import { html, nothing, render } from "./vendor/lit-html.js";
import { holdToPress } from "./hold.js";

const holdButtons = {}; // what it does -> {button, done}
let closeOpen = null; // closes the panel that is open

// Draws a sheet ({title, body}) into a box, or nothing where it is null. close: what closes it.
export function drawPanel(sheet, box, t, close) {
  closeOpen = sheet ? close : null;
  render(sheet ? html`<div class="veil" @click=${close}></div>
    <div class="panel" role="dialog" aria-modal="true" aria-labelledby="sheet-title">
      <div class="panel-head"><h2 id="sheet-title">${sheet.title}</h2>
        <button class="icon" aria-label=${t("close")} @click=${close}>✕</button></div>
      <p class="gone">${t("link_lost")}</p>
      <div class="panel-body">${sheet.body}</div></div>` : nothing, box);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && closeOpen) closeOpen();
});

export function item(label, click, off) {
  return html`<button class="side" ?disabled=${off === true} @click=${click}>${label}</button>`;
}

// A press that changes much: held for a second. It keeps its element, so that news do not take it from under a finger.
export function holdButton(key, label, done) {
  if (!holdButtons[key]) {
    const held = (holdButtons[key] = { button: document.createElement("button") });
    held.button.className = "side hold";
    holdToPress(held.button, 1000, () => held.done(), () => null);
  }
  holdButtons[key].done = done;
  holdButtons[key].button.textContent = label;
  return holdButtons[key].button;
}
