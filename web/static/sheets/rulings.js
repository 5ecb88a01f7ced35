// What happened, and why: the clause and the evidence of every ruling, the doubt about it, and the clip that shows it.
import { html, nothing } from "../vendor/lit-html.js";
import { item, myself, opens, pressItem } from "../sheets.js";

export function rulings(page) {
  const { view, t } = page;
  return { title: t("rulings"), body: html`<ol class="rulings">${view.rulings.slice().reverse().map((ruling) => html`<li>
    <button class="side wide" @click=${() => page.openSheet("why", { ruling })}><span>${page.rulingWords(view, ruling, t).text}</span>
    <small>${t("why")} ${ruling.clause}</small></button></li>`)}</ol>
    <a class="side" href="/g/${page.game}/history">${t("whole_history")}</a>` };
}

export function why(page, { ruling }) {
  const { t } = page;
  const clause = t.has(ruling.clause) ? t(ruling.clause) : "";
  return { title: page.rulingWords(page.view, ruling, t).text, body: html`
    <p class="clause"><b>${ruling.clause}</b> ${clause}</p>
    ${evidenceLines(ruling.data || {}, t).map((line) => html`<p class="faint">${line}</p>`)}
    ${page.mayAct && !page.view.dispute ? pressItem(t("doubt"), { key: "dispute", name: "dispute" }, myself(), { ruling: ruling.n }) : nothing}
    ${opens(t("back"), "rulings")}` };
}

// What was sensed, as lines of text: numbers rounded as a person says them, nothing where nothing was measured.
export function evidenceLines(data, t) {
  const lines = [];
  const seen = data.evidence || {};
  const say = (key, values) => t.has("seen_" + key) && lines.push(t("seen_" + key, values));
  if (data.how) say("how_" + data.how, {});
  if (data.count) say("count", { n: data.count });
  if (typeof seen.gap_mm === "number") say("gap", { n: Math.round(seen.gap_mm * 10) / 10 });
  if (typeof seen.closing_speed_mm_s === "number") say("speed", { n: Math.round(seen.closing_speed_mm_s / 10) });
  if (typeof seen.weight_step_g === "number") say("weight", { n: Math.round(seen.weight_step_g) });
  if (seen.note) say("note_" + seen.note, {});
  if (typeof data.p === "number") say("sure", { n: Math.round(data.p * 100) });
  return lines;
}
