// One game as it was ruled: its rounds, its figures, every ruling with clause and evidence; to be saved or deleted.
import { html, nothing, render } from "./vendor/lit-html.js";
import { Commands } from "./commands.js";
import { evidenceLines } from "./evidence.js";
import { figureTable } from "./figures.js";
import { holdToPress } from "./hold.js";
import { translator } from "./i18n.js";
import { answerText } from "./answers.js";
import { written } from "./numbers.js";
import { bootData, commandLink, fetchJson, kept } from "./phone.js";
import { recordWords } from "./record-words.js";

const boot = bootData();
const t = translator(boot.texts, boot.lang);
const { told } = boot;
const commands = new Commands(commandLink(told.game), () => {});
const page = { note: "", rulings: null };

async function press(name, done) {
  const answer = await commands.press(name, name, 0, null, kept("name") || "", undefined, {});
  if (answer === null) return;
  page.note = answerText(answer, t);
  if (answer.status === "applied") window.location.href = done;
  draw();
}

const remove = document.createElement("button");
remove.className = "side hold";
remove.textContent = t("delete_game");
holdToPress(remove, 1000, () => press("delete_game", "/history"), () => null);

function clock(us) {
  const seconds = Math.max(0, Math.round(us / 1e6));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function round({ player, left, points }, index) {
  const winner = told.players.find((p) => p.id === player);
  const lines = told.players.map((p, seat) => (left[seat] > 0 ? t("left_were", { name: p.name, n: left[seat] }) : ""))
    .concat(points.map(([id, n]) => `${told.players.find((p) => p.id === id).name} +${n}`));
  return html`<li><b>${t("round_of", { n: index + 1 })}</b>${winner ? html` ${t("winner_is", { name: winner.name })}` : nothing}
    <br><span class="faint">${lines.filter(Boolean).join(" · ")}</span></li>`;
}

function ruling(each) {
  const lines = evidenceLines(each.data || {}, t);
  return html`<li><span class="faint">${clock(each.t_us - page.rulings[0].t_us)}</span> ${recordWords(told, each, t)}
    <details><summary>${t("why")} ${each.clause}</summary><p>${t.has(each.clause) ? t(each.clause) : ""}</p>${lines.map((line) => html`<p class="faint">${line}</p>`)}</details></li>`;
}

// A long game has some hundred rulings: they are fetched when somebody wants to read them.
async function openRulings(event) {
  if (!event.target.open || page.rulings) return;
  const whole = await fetchJson(`/g/${told.game}/download/json`).catch(() => null);
  page.note = whole ? "" : t("link_lost");
  page.rulings = whole && whole.rulings;
  draw();
}

function draw() {
  const comma = written(0.5, 1).includes(",");
  const save = (name) => html`<a class="side" href="/g/${told.game}/download/${name}" download>${t("save_" + name.replace("-", "_"))}</a>`;
  render(html`
    <p>${told.players.map((p) => p.name).join(", ")}</p>
    ${told.rounds.length ? html`<section class="card"><h2>${t("rounds_title")}</h2><ol class="plain-list">${told.rounds.map(round)}</ol></section>` : nothing}
    ${Object.keys(told.statistics).length ? html`<section class="card"><h2>${t("figures")}</h2>${figureTable(told.statistics, t)}</section>` : nothing}
    <details class="card" @toggle=${openRulings}><summary>${t("all_rulings")}</summary><ol class="plain-list">${(page.rulings || []).map(ruling)}</ol></details>
    ${save("text")}${save(comma ? "csv-comma" : "csv")}${save("json")}
    ${boot.may_act ? html`<button class="side" @click=${() => press("open_game", "/g/" + told.game)}>${t("open_again")}</button>
      <section class="card">${remove}<p class="faint">${t("deleted_what")}</p></section>` : nothing}
    <p class="error" role="status">${page.note}</p>`, document.getElementById("record"));
}

draw();
