// How a tiki looks: its colour (a class), its sign and its name, so that no one of them is needed to tell it.
import { html, nothing, render, svg } from "./vendor/lit-html.js";
import { tikiName } from "./tiki-words.js";

const SIGNS = {
  nani: "M12 1l3 7 8 .6-6 5.2 2 8.2-7-4.4L5 22l2-8.2-6-5.2L9 8z",
  wikiwiki: "M14 1L4 14h6l-2 9 12-14h-7l3-8z",
  huhu: "M13 1c1 5 7 7 7 14a8 8 0 0 1-16 0c0-4 2-5 3-9 2 1 3 3 3 5 2-2 4-6 3-10z",
  nui: "M1 21L9 4l4 8 2-4 8 13z",
  lokahi: "M12 1a11 11 0 1 0 .01 0zM12 7a5 5 0 1 1-.01 0z",
  akamai: "M0 12C6 2 18 2 24 12 18 22 6 22 0 12zM12 7a5 5 0 1 0 .01 0z",
  eepo: "M15 1a11 11 0 1 0 8 16A10 10 0 0 1 15 1z",
  hookipa: "M12 1l11 10h-3v12h-5v-7H9v7H4V11H1z",
  kapu: "M4 0l8 8 8-8 4 4-8 8 8 8-4 4-8-8-8 8-4-4 8-8-8-8z",
};

export function tikiSign(tiki) {
  return html`<svg class="tiki-sign" viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${SIGNS[tiki]} fill-rule="evenodd"></path>`}</svg>`;
}

// Sign and name; the element around it has the class t-NAME.
export function tikiFace(tiki) {
  return html`${tikiSign(tiki)}<span class="tiki-name">${tikiName(tiki)}</span>`;
}

const ARROWS = { up_1: "↑", up_2: "↑↑", up_3: "↑↑↑", topple: "⤓", toast: "♨" };

export function cardFace(card) {
  return html`<span class="card-sign" aria-hidden="true">${ARROWS[card]}</span>`;
}
