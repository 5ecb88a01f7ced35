// What speaks against the next round now, and to begin it all the same (F5).
import { html } from "../vendor/lit-html.js";
import { holdItem } from "../sheets.js";

export function unready({ t, view }, { button }) {
  const against = view.against || [];
  return { title: t("refused_not_ready"), body: html`${against.map((reason) => html`<p>${t("against_" + reason.code, reason)}</p>`)}
    ${holdItem(t("begin_anyway"), { ...button, args: { anyway: true } })}` };
}
