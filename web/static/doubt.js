// A ruling that is doubted (Y22): another player, or from one phone the table as a whole, agrees to what shall be done.
import { html } from "./vendor/lit-html.js";
import { holdButton } from "./panel.js";

// page: {t, view, tokenPicture, me: whose phone this is, null: everybody's}; choice: "confirm" or "reject"; said(player, args).
export function whoAgrees({ t, view, me, tokenPicture }, choice, said) {
  const proposer = view.dispute ? view.dispute.player : null;
  const others = view.players.filter((p) => p.id !== proposer && !p.gone && !p.left && (me === null || p.id === me));
  return html`<p>${t("who_agrees")}</p>
    ${others.map((p) => html`<button class="side wide c-${p.colour}" @click=${() => said(p.id, {})}>${tokenPicture(p)}<b>${p.name}</b></button>`)}
    ${holdButton("doubt " + choice, t("table_agrees"), () => said(null, { table: true }))}`;
}
