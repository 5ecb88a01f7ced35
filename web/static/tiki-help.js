// How Tiki Topple is counted: the sheet's own example (T13), drawn by the page from what the rules say about it.
import { html, render } from "./vendor/lit-html.js";
import { part } from "./dom.js";
import { addExample, linkBack } from "./help-page.js";
import { translator } from "./i18n.js";
import { bootData } from "./phone.js";
import { tikiFace } from "./tiki-pictures.js";

const boot = bootData();
const t = translator(boot.texts, boot.lang);
const { places, cards } = boot.examples;
const drawn = part("div", "stack");
render(html`<p>${t("help_line")}</p>
  <ol class="slots">${places.map((tiki, index) => html`<li class="t-${tiki}"><small>${index + 1}</small>${tikiFace(tiki)}</li>`)}</ol>
  <p>${t("help_cards")}</p>
  ${cards.map(({ letter, gains, points }) => html`<div class="shown" data-card=${letter}><b>${letter}</b>
    ${gains.map((gain) => html`<span class="mini t-${gain.tiki} ${gain.points ? "" : "none"}">${tikiFace(gain.tiki)}<b>${gain.points}</b></span>`)}
    <b class="sum">${points}</b></div>`)}`, drawn);
addExample(t("help_example"), drawn, part("p", "faint", "T13"));
linkBack();
