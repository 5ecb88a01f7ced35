// How a card is counted, shown by the sheet's own example (T13), drawn by the page itself.
import { html } from "./vendor/lit-html.js";
import { tikiFace } from "./tiki-pictures.js";

export const EXAMPLE = {
  places: ["lokahi", "hookipa", "akamai"],
  cards: { A: ["hookipa", "lokahi", "nani"], B: ["wikiwiki", "hookipa", "akamai"], C: ["lokahi", "wikiwiki", "hookipa"], D: ["akamai", "huhu", "hookipa"] },
};
const VALUES = [[9, 1], [5, 2], [2, 3]]; // T12: points, and the lowest place in which they are given

// What each tiki of a card earns, given the first three of the line.
export function earned(card, places) {
  return card.map((tiki, slot) => (places.includes(tiki) && places.indexOf(tiki) < VALUES[slot][1] ? VALUES[slot][0] : 0));
}

export function helpSheet({ t }) {
  const sum = (points) => points.reduce((a, b) => a + b, 0);
  return { title: t("menu_help"), body: html`<p>${t("help_intro")}</p>
    <ul class="help"><li>${t("help_top")}</li><li>${t("help_middle")}</li><li>${t("help_bottom")}</li></ul>
    <p>${t("help_line")}</p>
    <ol class="slots">${EXAMPLE.places.map((tiki, index) => html`<li class="t-${tiki}"><small>${index + 1}</small>${tikiFace(tiki)}</li>`)}</ol>
    <p>${t("help_cards")}</p>
    ${Object.keys(EXAMPLE.cards).map((letter) => {
      const points = earned(EXAMPLE.cards[letter], EXAMPLE.places);
      return html`<div class="shown" data-card=${letter}><b>${letter}</b>
        ${EXAMPLE.cards[letter].map((tiki, slot) => html`<span class="mini t-${tiki} ${points[slot] ? "" : "none"}">${tikiFace(tiki)}<b>${points[slot]}</b></span>`)}
        <b class="sum">${sum(points)}</b></div>`;
    })}` };
}
