// The standings: rounds won, what is left in the piles, points where they count.
import { placed } from "../placed.js";
import { html, nothing } from "../vendor/lit-html.js";

export function standings(page) {
  const { t, view } = page;
  const points = view.scoring === "points";
  return { title: t("standings"), body: html`
    <p class="faint">${view.scoring === "points" ? t("until_points", { n: view.points_limit }) : t("best_of_n", { n: view.best_of })} · ${t("round_n", { n: view.round })}</p>
    ${view.sudden || view.tied.length ? html`<p><b>${t("sudden_death")}</b></p>` : nothing}
    <ol class="rulings">${placed(view).map((p) => html`<li class="side wide c-${p.colour}">${page.tokenPicture(p)}<b>${p.name}</b>
      <small>${t("wins_are", { n: p.wins })}<br>${points ? t("points_are", { n: p.points }) : t("pile_is", { n: p.pile })}</small></li>`)}</ol>
    ${view.winners.length ? html`<p><b>${view.winners.map((id) => view.players.find((p) => p.id === id).name).join(", ")}</b></p>` : nothing}
    <a class="side" href="/g/${page.game}/history">${t("whole_history")}</a>` };
}
