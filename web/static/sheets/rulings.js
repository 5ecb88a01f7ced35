// What happened, and why: the clause and the evidence of every ruling, the doubt about it, and the clip that shows it.
import { html, nothing } from "../vendor/lit-html.js";
import { evidenceLines } from "../evidence.js";
import { playClip } from "../clip.js";
import { item } from "../panel.js";
import { close, opens, pressItem } from "../sheets.js";

export function rulings(page) {
  const { view, t } = page;
  return { title: t("rulings"), body: html`<ol class="rulings">${view.rulings.slice().reverse().map((ruling) => html`<li>
    <button class="side wide" @click=${() => page.open("why", { ruling })}><span>${page.rulingWords(view, ruling, t).text}</span>
    <small>${t("why")} ${ruling.clause}</small></button></li>`)}</ol>
    <a class="side" href="/g/${page.game}/history">${t("whole_history")}</a>` };
}

// Rulings of which a clip is kept (companion/process/kinds/yikerz.py).
const CLIPPED = new Set(["collapse", "taken_back", "fell_off", "unsure", "missing", "mismatch"]);

async function show(page, ruling) {
  close();
  const env = { now: () => performance.now(), later: (step) => window.requestAnimationFrame(step), svg: document.getElementById("board") };
  const what = page.rulingWords(page.view, ruling, page.t).text;
  if (!(await playClip(page, ruling.n, what, env))) page.note(page.t("no_clip"));
}

export function why(page, { ruling }) {
  const { t } = page;
  const clause = t.has(ruling.clause) ? t(ruling.clause) : "";
  return { title: page.rulingWords(page.view, ruling, t).text, body: html`
    <p class="clause"><b>${ruling.clause}</b> ${clause}</p>
    ${evidenceLines(ruling.data || {}, t).map((line) => html`<p class="faint">${line}</p>`)}
    ${CLIPPED.has(ruling.kind) ? item(t("show_me"), () => show(page, ruling)) : ""}
    ${CLIPPED.has(ruling.kind) && page.mayAct ? pressItem(t("keep_clip"), { key: "pin_clip", name: "pin_clip" }, null, { ruling: ruling.n }) : nothing}
    ${page.mayAct && !page.view.dispute && ruling.kind !== "laid" ? pressItem(t("doubt"), { key: "dispute", name: "dispute" }, page.me, { ruling: ruling.n }) : nothing}
    ${opens(t("back"), "rulings")}` };
}
