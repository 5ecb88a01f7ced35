// Every game that was played here, the newest first, and the figures of all of them.
import { html, nothing, render } from "./vendor/lit-html.js";
import { figureTable } from "./figures.js";
import { translator } from "./i18n.js";
import { bootData } from "./phone.js";

const boot = bootData();
const t = translator(boot.texts, boot.lang);

function won(game) {
  const names = game.winners.map((id) => game.players.find((p) => p.id === id)).filter(Boolean).map((p) => p.name);
  return names.length ? t("winner_is", { name: names.join(", ") }) : game.ended ? "" : t(game.now ? "played_now" : "not_ended");
}

function card(game) {
  const when = new Date(game.begun);
  const day = isNaN(when) ? "" : when.toLocaleDateString(boot.lang, { day: "numeric", month: "long", year: "numeric" });
  return html`<a class="card game" href="/g/${game.game}/history"><span class="bar"><b>${t("kind_" + game.kind)}</b><span class="faint">${day}</span></span>
    <span>${game.players.map((p) => p.name).join(", ")}</span><span class="faint">${[game.unattended ? t("unattended") : "", won(game)].filter(Boolean).join(" · ")}</span></a>`;
}

render(html`
  ${boot.games.length ? nothing : html`<p class="card">${t("nothing_played")}</p>`}
  ${boot.games.map(card)}
  ${Object.entries(boot.together).map(([kind, byName]) => html`<section class="card"><h2>${t("kind_" + kind)}: ${t("of_all")}</h2>${figureTable(byName, t)}</section>`)}`,
document.getElementById("history"));
