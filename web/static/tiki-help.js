// How a card is counted, shown by the sheet's own example (T13), drawn by the page itself.
import { html } from "./vendor/lit-html.js";
import { EXAMPLE, earned } from "./tiki-count.js";
import { tikiFace } from "./tiki-pictures.js";

export function helpSheet({ t }) {
  const sum = (points) => points.reduce((a, b) => a + b, 0);
  return { title: t("menu_help"), body: html`<p>${t("help_intro")}</p>
    <ul class="told"><li>${t("help_top")}</li><li>${t("help_middle")}</li><li>${t("help_bottom")}</li></ul>
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
