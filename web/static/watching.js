// Why a phone acts nowhere: it has been told so, which can be told otherwise, or it has not scanned the table's code.
import { html } from "./vendor/lit-html.js";

export function watchingCard(t) {
  const chosen = ["watch", "screen"].includes(document.body.dataset.role);
  return chosen ? html`<section class="card"><p>${t("watching_chosen")}</p><a class="side" href="/join">${t("my_name")}</a></section>`
    : html`<p class="card">${t("watching_home")}</p>`;
}
