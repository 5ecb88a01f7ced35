// The table is set up: a menu of steps with how well each is done, one thing to do at a time in a step, what is kept.
// Its own stream, open only while the page is seen.
import { html, nothing, render, svg } from "./vendor/lit-html.js";
import { agoText, gramsText } from "./amounts.js";
import { answerText } from "./answers.js";
import { Commands } from "./commands.js";
import { byId } from "./dom.js";
import { holdToPress } from "./hold.js";
import { translator } from "./i18n.js";
import { LiveView } from "./live.js";
import { bootData, commandLink, fetchJson, kept } from "./phone.js";
import { boxOf, liesHeavy, qualityWords, tileShapes, whenWords } from "./set-up-drawn.js";

const HOLD_MS = 1000;
const STEPS = [["check", "check"], ["load", "grams"], ["gains", "gains"], ["laid", "tiles"], ["stones", "stones"]]; // what is looked at or learned, and by which step
const AGAIN_MS = 2000;
const boot = bootData();
const t = translator(boot.texts, boot.lang);
// laying: null, or the picture that is being chosen; laid: the one that was confirmed, before the table says how it lies;
// asking: the box of stones is being named; mine: the id of the order that this phone gave last; ended: a step that a lost table took with it.
const page = { told: null, health: null, holder: null, ended: "", mine: "", link: "waiting", note: "", laying: null, beside: false, laid: null, asking: false };
const commands = new Commands(commandLink(""), () => draw());
const desk = { t, lang: boot.lang, page, order, held, tiles, draw, mayAct: boot.may_act, waits: () => commands.isPending("set_up") };
let second = null; // what a step, a refusal or a fault needs beyond the menu, with its texts: fetched when the first one comes

// Whether the board is heard: before its first sample and after its last one nothing is known of what lies on it.
const heard = () => page.health !== null && !["starting", "lost"].includes(page.health.state);

const ready = () => second && second.stepView;

async function fetchSecond() {
  if (second) return;
  second = {};
  try {
    const [module, texts] = await Promise.all([import("/js/set-up-step.js"), fetchJson(`/locale/${boot.lang}/set_up_step.json`)]);
    Object.assign(boot.texts, texts);
    second = module;
    draw();
  } catch (error) {
    second = null; // asked for again with a later picture
    setTimeout(draw, AGAIN_MS);
  }
}

async function order(does, more) {
  page.note = "";
  const answer = await commands.press("set_up", "set_up", 0, null, kept("name") || "", undefined, { do: does, ...more });
  if (answer === null) return false;
  page.note = answerText(answer, t);
  page.mine = answer.id;
  draw();
  return answer.status === "applied";
}

async function release() {
  const table = new Commands(commandLink(page.holder), () => draw());
  const answer = await table.press("release_sensors", "release_sensors", 0, null, kept("name") || "");
  page.note = answer ? answerText(answer, t) : "";
  draw();
}

// A held button, made once: lit-html keeps the element.
const holds = {};
function held(name, label, done) {
  if (!holds[name]) {
    holds[name] = document.createElement("button");
    holds[name].className = "side hold";
    holdToPress(holds[name], HOLD_MS, () => holds[name].done(), () => {
      page.note = t("su_hold");
      draw();
    });
  }
  holds[name].textContent = label;
  holds[name].done = done;
  return holds[name];
}

function tiles(corners, names, more) {
  return html`<svg class="tiles" viewBox=${boxOf(corners, 8)} role="img" aria-label=${t("su_lettering")}>
    ${tileShapes(corners).map((tile, k) => svg`<path d=${tile.path}/>${names ? svg`<text x=${tile.x} y=${tile.y + 9}>${names[k]}</text>` : nothing}`)}${more || nothing}</svg>`;
}

// A load cell that was silent, as with its cable, says nothing of what lies there until the board has been empty again.
const weighs = ({ layout, sees }) => layout.weighed && !sees.faults.includes("load_absent");

function now(told) {
  const { sees } = told;
  const what = !sees.ready ? t("su_starting") : sees.stones ? t("su_stones", { n: sees.stones }) : sees.empty ? t(liesHeavy(sees.grams) ? "su_heavy" : "su_empty") : t("su_busy");
  return html`<p class="now" id="now"><span>${what}</span><span>${sees.grams === null ? t(weighs(told) ? "su_grams_later" : "su_no_grams") : t("su_grams", { n: gramsText(sees.grams) })}</span></p>`;
}

// -- the menu ---------------------------------------------------------------------------------------------------

function stepCard(told, part, step) {
  const figures = told.held[part];
  const begin = () => {
    if (step !== "stones") return order("begin", { step });
    page.asking = true;
    return draw();
  };
  const name = part === "stones" ? "su_stones_box" : "su_" + part;
  const offered = step === "grams" ? told.layout.weighed : step === "tiles" ? told.layout.seams > 0 : true;
  if (!offered) return nothing;
  return html`<section class="card"><div class="bar"><h2 class="grow">${t(name)}</h2>
    ${boot.may_act && !page.holder && heard() ? html`<button class="side" aria-label=${t(name) + ": " + t("su_begin")} ?disabled=${commands.isPending("set_up")} @click=${begin}>${t("su_begin")}</button>` : nothing}</div>
    <p class="faint">${t(name.replace("_box", "") + "_what", { n: 12 })}</p>
    ${part === "check" ? nothing : html`<p class="grade">${figures ? qualityWords(part, figures, t) : t("su_none")}</p>`}</section>`;
}

function historyCard(told) {
  const parts = (entry) => Object.keys(entry.figures).map((part) => `${t(part === "stones" ? "su_stones_box" : "su_" + part)}: ${qualityWords(part, entry.figures[part], t)}`);
  return html`<section class="card"><h2>${t("su_kept")}</h2><p class="faint">${t(told.can_keep ? "su_kept_what" : "su_cannot_keep")}</p>
    ${told.history.length ? html`<ul class="plain-list">${told.history.map((entry) => html`<li><b>${whenWords(entry.when, boot.lang)}</b>${parts(entry).map((line) => html`<br>${line}`)}</li>`)}</ul>` : html`<p>${t("su_kept_none")}</p>`}
    ${told.history.length && boot.may_act && !page.holder ? held("undo", t("su_undo"), () => order("undo", { when: told.history[0].when })) : nothing}</section>`;
}

function menu(told) {
  const { layout, sees } = told;
  const faults = ready() ? second.faultLines(sees.faults, t) : [];
  return html`<section class="card"><div class="bar"><h2 class="grow">${t("su_lay")}</h2>
      ${layout.can_lay && boot.may_act && !page.holder ? html`<button class="side" aria-label=${t("su_lay") + ": " + t("su_change")} @click=${() => {
        page.laying = layout.picture;
        draw();
      }}>${t("su_change")}</button>` : nothing}</div>
      ${tiles(layout.corners, layout.names)}<p class="faint">${t("su_picture_" + layout.picture)}. ${t(layout.can_lay ? "su_lay_what" : "su_no_lay")}</p></section>
    <section class="card"><h2>${t("su_zero")}</h2><p>${sees.zeroed_s === null ? t("su_not_zeroed") : agoText("su_zeroed", sees.zeroed_s, t)}</p>
      <p class="faint">${t("su_zero_what")}</p>${faults.map((text) => html`<p class="error">${text}</p>`)}${sees.faults.length || !heard() ? nothing : html`<p>${t("su_well")}</p>`}
      ${boot.may_act && !page.holder && heard() && (sees.zeroed_s === null || sees.faults.length) ? held("empty", t("su_say_empty"), () => order("empty")) : nothing}
      <a class="side" href="/diagnostics">${t("su_sensors")}</a></section>
    ${STEPS.map(([part, step]) => stepCard(told, part, step))}
    ${historyCard(told)}`;
}

// -- the page ---------------------------------------------------------------------------------------------------

function body(told) {
  if (page.holder) {
    return html`<section class="card" id="watched"><p>${t("su_watched")}</p><a class="side" href=${"/g/" + page.holder}>${t("su_see_game")}</a>
      ${boot.may_act ? held("release", t("su_release"), release) : nothing}</section>${told ? menu(told) : nothing}`;
  }
  if (!told) return nothing;
  if (!told.step && page.laying === null && !page.asking) return menu(told);
  if (!ready()) return nothing;
  if (told.step) return second.stepView(told, STEPS.find(([, name]) => name === told.step)[0], desk);
  return page.asking ? second.nameBox(told, desk) : second.layingCard(told, desk);
}

// Why nothing is known of the board now, "" where it is heard.
function silence() {
  if (page.link === "lost") return t("su_gone");
  if (page.health && !heard()) return t(page.health.state === "lost" ? "su_lost" : "su_silent");
  return page.told && heard() ? "" : t("su_asking");
}

// What was refused to another phone is not said here.
const seen = (told) => told && told.refused && told.refused.of && told.refused.of !== page.mine ? { ...told, refused: null } : told;

function draw() {
  const told = seen(page.told);
  const lost = silence();
  if (told && (told.step || told.refused || told.sees.faults.length || page.laying !== null || page.asking)) fetchSecond();
  const why = told && ready() ? second.refusalWords(told.refused, t) : "";
  render(html`${told && !lost ? now(told) : html`<p class=${told ? "error" : ""} role="status">${lost}</p>`}
    ${boot.may_act ? nothing : html`<p class="card">${t("su_watching")}</p>`}
    <p class="error" role="alert" id="refused">${page.note || why || (page.ended ? t("su_ended", { step: t("su_" + STEPS.find(([, name]) => name === page.ended)[0]) }) : "")}</p>
    ${body(told)}`, byId("set-up"));
  const answer = byId("refused").textContent;
  const fresh = answer + (why && told.refused.of);
  if (answer && fresh !== page.answer) byId("refused").scrollIntoView({ block: "nearest" }); // who held a button is further down
  page.answer = fresh;
}

const live = new LiveView("/table/events?after=", -1, {
  EventSource: window.EventSource,
  fetchView: () => fetchJson("/table/view"),
  later: (f, ms) => setTimeout(f, ms),
  cancel: (id) => clearTimeout(id),
  now: () => performance.now(),
}, {
  view(envelope) {
    if (!envelope.view) return;
    Object.assign(page, envelope.view);
    if (page.told && page.told.step) page.asking = false;
    draw();
  },
  beat() {},
  state(state) {
    page.link = state;
    draw();
  },
});
byId("set-up").textContent = "";
document.addEventListener("visibilitychange", () => live.visibility(!document.hidden));
live.start();
