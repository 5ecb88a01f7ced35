// What the set-up page shows within a step: one thing to do, what is wrong with it, how far it is, how it went.
import { html, nothing, svg } from "./vendor/lit-html.js";
import { faultWords } from "./diagnostics-drawn.js";
import { written } from "./numbers.js";
import { qualityWords, whenWords } from "./set-up-drawn.js";
import { findingWords, gramsTyped, seamLine, todoWords, whyWords } from "./set-up-words.js";

// Why something was not taken, and what is wrong with the sensors, for the menu too.
export const refusalWords = (why, t) => whyWords(why, t);
export const faultLines = (faults, t) => faultWords(faults, t);

const press = (desk, label, does, more, main) => html`<button class=${main ? "main" : "side"} ?disabled=${desk.waits()} @click=${() => desk.order(does, more)}>${label}</button>`;

export function layingCard({ layout, refused }, desk) {
  const { t, page, held, tiles, draw, order } = desk;
  const choose = (name) => () => {
    Object.assign(page, { laying: name, laid: null, note: "" });
    draw();
  };
  const confirm = async () => {
    const picture = page.laying;
    if (await order("lay", { picture, weighed: !page.beside })) page.laid = picture;
    draw();
  };
  const lies = page.laid !== null && page.laid === layout.picture && !refused; // the order came in; only the table knows whether it holds
  return html`<section class="card"><h2>${t("su_pick")}</h2>
    <div class="picks">${Object.keys(layout.pictures).map((name) => html`<button aria-pressed=${page.laying === name} @click=${choose(name)}>${tiles(layout.pictures[name])}${t("su_picture_" + name)}</button>`)}</div>
    ${page.laying && !lies ? html`<p>${t("su_lay_so")}</p>${tiles(layout.pictures[page.laying], layout.names)}
      ${layout.scale ? html`<label class="check"><input type="checkbox" .checked=${page.beside} @change=${(event) => {
        page.beside = event.target.checked;
        draw();
      }}>${t("su_beside")}</label>${page.beside ? html`<p class="faint">${t("su_beside_what")}</p>` : nothing}` : nothing}
      <button class="main" ?disabled=${desk.waits()} @click=${confirm}>${t("su_lie_so")}</button>` : nothing}
    ${lies ? html`<p role="status">${t("su_lay_kept")} ${layout.seams ? t("su_refine") : ""}</p>` : nothing}
    ${layout.before.length ? html`${held("back", t("su_lay_back"), () => order("lay_back"))}
      <p class="faint">${t("su_lay_before")}</p><ul class="plain-list">${layout.before.map(([until, picture]) => html`<li>${until ? t("su_lay_until", { picture: t("su_picture_" + picture), when: whenWords(until, desk.lang) }) : t("su_picture_" + picture)}</li>`)}</ul>` : nothing}
    <button class="side" @click=${choose(null)}>${t("back")}</button></section>`;
}

export function nameBox(told, desk) {
  const { t, page, draw, order } = desk;
  const known = told.held.stones;
  const begin = async (event) => {
    event.preventDefault();
    const { set, count } = event.target.elements;
    if (set.value.trim()) {
      await order("begin", { step: "stones", set: set.value.trim(), count: Number(count.value) }); // once it began, the step is shown
      return;
    }
    page.note = t("why_no_name");
    set.focus();
    draw();
  };
  return html`<form class="card" @submit=${begin}><h2>${t("su_stones_box")}</h2>
    <label class="stack">${t("su_set_name")}<input name="set" maxlength="40" required value=${known ? known.set : t("su_set_default")}></label>
    <label class="stack">${t("su_set_count")}<input name="count" type="number" inputmode="numeric" min="1" max="60" required value=${known ? known.n + known.unshown : 20}></label>
    <button class="main" ?disabled=${desk.waits()}>${t("su_begin")}</button>
    <button type="button" class="side" @click=${() => {
      Object.assign(page, { asking: false, note: "" });
      draw();
    }}>${t("back")}</button></form>`;
}

function weightBox(desk) {
  const { t, page, order, draw } = desk;
  const say = (event) => {
    event.preventDefault();
    const box = event.target.elements.grams;
    const grams = gramsTyped(box.value);
    if (grams !== null) {
      order("tell", { grams });
      return;
    }
    page.note = t("su_only_number");
    box.focus();
    draw();
  };
  return html`<form class="stack" @submit=${say}><label class="stack">${t("su_weight")}<input name="grams" inputmode="decimal" required autocomplete="off"></label>
    <button class="main" ?disabled=${desk.waits()}>${t("su_say")}</button></form>`;
}

function drawnStep({ step, progress, layout, stage }, { tiles }, box) {
  if (step === "gains" || step === "check") {
    const did = new Set(progress.did);
    const cross = (k, x, y) => svg`<path class=${"cross" + (did.has(k) ? " did" : k === progress.next ? " next" : "")} d=${`M${x - 5} ${-y}h10M${x} ${-y - 5}v10`}/>${k === progress.next ? svg`<circle cx=${x} cy=${-y} r="11"/>` : nothing}`;
    return tiles(layout.corners, step === "check" ? layout.names : null, svg`${progress.points.filter((_, i) => i % 2 === 0).map((x, k) => cross(k, x, progress.points[2 * k + 1]))}`);
  }
  if (step === "tiles") {
    return tiles(layout.corners, layout.names, svg`${progress.seams.map(([a, b, part], k) => {
      const [p, q] = seamLine(layout.corners, a, b);
      return svg`<line class=${"seam" + (part >= 1 ? " did" : k === progress.next ? " next" : "")} x1=${p[0]} y1=${p[1]} x2=${q[0]} y2=${q[1]}/>`;
    })}`);
  }
  return step === "grams" && stage === "tell" ? box() : nothing;
}

const sameWords = ({ same }, t) => same.map(([a, b]) => html`<p class="error">${t("su_same", { a, b })}</p>`);

function stonesShown({ progress }, desk) {
  const { t, order, mayAct } = desk;
  return html`<p>${progress.missing.length ? t("su_missing", { which: progress.missing.join(", ") }) : t("su_all")}</p>
    ${sameWords(progress, t)}
    <div class="chips">${progress.stones.map(([k, moment, grams, , fresh]) => html`<button class="side" aria-label=${t("su_redo", { k })} ?disabled=${desk.waits()} @click=${() => order("tell", { stone: k })}>
      ${fresh ? html`<b>${t("su_stone_line", { k, moment: written(moment) })}</b>` : t("su_stone_line", { k, moment: written(moment) })}${grams === null ? nothing : html`&nbsp;· ${t("su_stone_grams", { g: written(grams, 1) })}`}</button>`)}</div>
    ${progress.stones.length && mayAct ? html`<p class="faint">${t("su_redo_how")}</p>` : nothing}`;
}

function checkShown({ progress, stage }, desk) {
  const { t, mayAct } = desk;
  return html`${findingWords(progress.findings, t).map((text) => html`<p class="error">${text}</p>`)}
    ${mayAct && stage === "put" ? html`${press(desk, t("su_check_put"), "tell", { put: true })}<p class="faint">${t("su_check_put_what")}</p>` : nothing}
    ${mayAct && progress.done ? press(desk, t("su_check_again"), "tell", { again: true }) : nothing}`;
}

export function stepView(told, part, desk) {
  const { t } = desk;
  const { step, progress, result, trouble } = told;
  const title = t(part === "stones" ? "su_stones_box" : "su_" + part);
  const partDone = step === "tiles" ? progress.seams.reduce((sum, seam) => sum + seam[2], 0) : progress.done;
  if (result) {
    return html`<section class="card"><h2>${title}: ${t("su_result")}</h2>
      ${Object.keys(result).map((key) => html`<p class="what">${qualityWords(key, result[key], t)}</p>`)}
      ${step === "stones" ? sameWords(progress, t) : nothing}
      ${desk.mayAct ? html`${press(desk, t("su_keep"), "keep", {}, true)}<div class="bar">${press(desk, t("su_again"), "again")}${press(desk, t("su_discard"), "leave")}</div>` : nothing}</section>`;
  }
  return html`<section class="card"><h2>${title}</h2><p class="what" role="status">${todoWords(told, t)}</p>
    ${trouble ? html`<p class="error" role="alert">${whyWords(trouble, t)}</p>` : nothing}
    ${drawnStep(told, desk, () => weightBox(desk))}
    <progress aria-label=${title} max=${progress.wanted} value=${Math.min(partDone, progress.wanted)}></progress>
    <p class="faint">${t("su_done", { done: progress.done, wanted: progress.wanted })}${step === "check" ? ". " + t("su_check_how") : step === "gains" ? ". " + t("su_points_how") : step === "tiles" ? ". " + t("su_slide_how") : ""}</p>
    ${step === "stones" ? stonesShown(told, desk) : step === "check" ? checkShown(told, desk) : nothing}
    ${desk.mayAct ? html`${step !== "check" && progress.done >= progress.least ? press(desk, t("su_finish"), "finish", {}, told.stage === "enough") : nothing}${press(desk, t("su_leave"), "leave")}<p class="faint">${t("su_leave_what")}</p>` : nothing}</section>`;
}
