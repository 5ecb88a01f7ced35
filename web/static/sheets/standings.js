// The standings: rounds won, what is left in the piles, points where they count.
import { html, nothing } from "../vendor/lit-html.js";

// Players in the order of their places, the seats kept where they are equal. Pure.
export function placed(view) {
  const points = view.scoring === "points";
  const better = (a, b) => (points ? (a.total || 0) - (b.total || 0) : b.wins - a.wins);
  return view.players.map((p, k) => [p, k]).sort((a, b) => better(a[0], b[0]) || a[1] - b[1]).map(([p]) => p);
}

export function standings(page) {
  const { t, view } = page;
  return { title: t("standings"), body: html`
    <p class="faint">${t("best_of_n", { n: view.best_of })} · ${t("round_n", { n: view.round })}</p>
    <ol class="rulings">${placed(view).map((p) => html`<li class="side wide c-${p.colour}">${page.tokenPicture(p)}<b>${p.name}</b>
      <small>${"★".repeat(p.wins)} ${t("wins_are", { n: p.wins })}<br>${"total" in p ? t("points_are", { n: p.total }) : t("pile_is", { n: p.pile })}</small></li>`)}</ol>
    ${view.winners.length ? html`<p><b>${view.winners.map((id) => view.players.find((p) => p.id === id).name).join(", ")}</b></p>` : nothing}
    <a class="side" href="/g/${page.game}/history">${t("whole_history")}</a>` };
}
