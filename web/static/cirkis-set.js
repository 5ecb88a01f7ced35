// The set of pieces, marked as assumed, counted and corrected (C20).
import { html, nothing } from "./vendor/lit-html.js";
import { begunFrom } from "./begun-from.js";
import { clause, close, page, pieceName, send, stepper } from "./cirkis-panel.js";
import { item } from "./panel.js";

let draft = {}; // kept while the sheet is away to choose spaces

const asStored = ({ set }) => set && set.map((piece) => ({ ...piece }));

export function setSheet() {
  const { t, view } = page;
  const setDraft = begunFrom(draft, view, asStored);
  if (!setDraft) {
    draft = {};
    return { title: t("set"), body: html`<p>${t("set_none")}</p>${clause("C20")}
      ${page.mayAct ? item(t("set_use_assumed"), () => send("pieces", null, { pieces: "assumed" })) : nothing}` };
  }
  const sum = setDraft.reduce((n, piece) => n + piece.count, 0);
  const change = (piece, values) => {
    Object.assign(piece, values);
    page.draw();
  };
  const row = (piece) => html`<section class="card piece">${page.outline(piece.example)}<b>${pieceName(piece.name)}</b>
    ${stepper(t("each_has"), piece.count, 0, 20, (n) => change(piece, { count: n }))}
    <label class="bar check"><input type="checkbox" .checked=${piece.flips !== false} @change=${(event) => change(piece, { flips: event.target.checked })}> ${t("flips")}</label>
    ${page.chosen.length ? item(t("like_chosen"), () => change(piece, { example: [...page.chosen] })) : nothing}</section>`;
  const save = async () => {
    const answer = await page.press({ name: "pieces", version: draft.version }, null, { pieces: setDraft.filter((piece) => piece.count > 0) });
    if (answer && answer.status === "applied") {
      draft = {};
      close();
    }
  };
  return { title: t("set"), body: html`${draft.moved ? html`<p class="error" role="status">${t("refused_stale")}</p>` : nothing}
    ${view.assumed ? html`<p class="assumed">${t("set_assumed")}</p>` : nothing}
    <p>${t("set_how")}</p>${setDraft.map(row)}<p role="status">${t("set_sum", { n: sum })}</p>
    ${page.said ? html`<p class="error" role="status">${page.said}</p>` : nothing}
    ${page.mayAct ? html`<button class="main" ?disabled=${sum !== 20} @click=${save}>${t("save")}</button>
      ${item(t("set_without"), () => {
        draft = {};
        send("pieces", null, { pieces: null });
      })}` : nothing}
    ${item(t("forget"), () => {
      draft = {};
      close();
    })}` };
}
