// One game as it was ruled: its rounds, its figures, every ruling with clause and evidence; to be saved or deleted.
import { html, nothing, render } from "./vendor/lit-html.js";
import { Commands } from "./commands.js";
import { evidenceLines } from "./evidence.js";
import { figureTable } from "./figures.js";
import { holdToPress } from "./hold.js";
import { translator } from "./i18n.js";
import { answerText, bootData, commandLink, kept } from "./phone.js";
import { recordWords, roundPoints } from "./record-words.js";

const boot = bootData();
const t = translator(boot.texts, boot.lang);
const { told } = boot;
const commands = new Commands(commandLink(told.game), () => {});
const page = { note: "" };

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

function round(ruling, index) {
  const earned = roundPoints(told.rulings)[index].map(([id, points]) => `${told.players.find((p) => p.id === id).name} +${points}`);
  const left = (ruling.data && ruling.data.left) || [];
  const winner = told.players.find((p) => p.id === ruling.player);
  return html`<li><b>${t("round_of", { n: index + 1 })}</b>${winner ? html` ${t("winner_is", { name: winner.name })}` : nothing}
    <br><span class="faint">${told.players.filter((p, seat) => left[seat] > 0).map((p) => t("left_were", { name: p.name, n: left[told.players.indexOf(p)] })).concat(earned).join(" · ")}</span></li>`;
}

function ruling(each) {
  const lines = evidenceLines(each.data || {}, t);
  return html`<li><span class="faint">${clock(each.t_us - told.rulings[0].t_us)}</span> ${recordWords(told, each, t)}
    <details><summary>${t("why")} ${each.clause}</summary><p>${t.has(each.clause) ? t(each.clause) : ""}</p>${lines.map((line) => html`<p class="faint">${line}</p>`)}</details></li>`;
}

function draw() {
  const rounds = told.rulings.filter((each) => each.kind === "round_end");
  const save = (name) => html`<a class="side" href="/g/${told.game}/download/${name}" download>${t("save_" + name)}</a>`;
  render(html`
    <p>${told.players.map((p) => p.name).join(", ")}</p>
    ${rounds.length ? html`<section class="card"><h2>${t("rounds_title")}</h2><ol class="plain-list">${rounds.map(round)}</ol></section>` : nothing}
    ${Object.keys(told.statistics).length ? html`<section class="card"><h2>${t("figures")}</h2>${figureTable(told.statistics, t)}</section>` : nothing}
    <details class="card"><summary>${t("all_rulings")}</summary><ol class="plain-list">${told.rulings.map(ruling)}</ol></details>
    ${["text", "csv", "json"].map(save)}
    ${boot.may_act ? html`<button class="side" @click=${() => press("open_game", "/g/" + told.game)}>${t("open_again")}</button>
      <section class="card">${remove}<p class="faint">${t("deleted_what")}</p></section>` : nothing}
    <p class="error" role="status">${page.note}</p>`, document.getElementById("record"));
}

draw();
