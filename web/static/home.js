// The list of games.
import { html, nothing, render } from "./vendor/lit-html.js";
import { Commands } from "./commands.js";
import { translator } from "./i18n.js";
import { answerText } from "./answers.js";
import { bootData, commandLink, fetchJson, kept } from "./phone.js";
import { sayName } from "./say-name.js";
import { tokenPicture } from "./shapes.js";
import { languageButtons } from "./tongues.js";
import { watchingCard } from "./watching.js";

const SHOWN = 3; // games under way in the open, the newest first; one that is forgotten does not bury the others, nor the watched one
const FINISHED = 10;
const boot = bootData();
sayName(boot);
const t = translator(boot.texts, boot.lang);
const page = { lobby: boot.first.view, note: {}, lost: false, choosing: false };
if (window.location.search === "?gone") { // this phone was in a game that somebody has deleted, or in none
  page.gone = true;
  window.history.replaceState(null, "", "/");
}
const commands = new Commands(commandLink(""), () => draw());

async function begin(kind, sensors) {
  page.note = {};
  const answer = await commands.press("new", "new_game", 0, null, kept("name") || "", undefined, { kind, settings: {}, sensors });
  if (answer === null) return;
  if (answer.body && answer.body.game) {
    window.location.href = "/g/" + answer.body.game;
    return;
  }
  page.note = { kind, text: answerText(answer, t) };
  draw();
  const said = document.getElementById("refused");
  if (said) said.scrollIntoView({ block: "nearest" });
}

function gameCard(game) {
  return html`<a class="card game" href=${`/g/${game.game}` + (kept("role") === "screen" ? "/tv" : "")}>
    <span class="bar"><b>${t("kind_" + game.kind)}</b><span class="faint">${t("phase_" + game.phase)}</span></span>
    <span class="tokens">${game.players.map((p) => html`<span class="who c-${p.colour}">${tokenPicture(p)}${p.name}</span>`)}
    ${game.players.length ? nothing : html`<span class="faint">${t("nobody_yet")}</span>`}</span>
    ${game.cut_off ? html`<span class="faint">${t("game_cut_off")}</span>` : nothing}
    ${game.holds ? html`<span class="faint">${t("game_holds")}</span>` : nothing}</a>`;
}

// Which game? One that can follow the table is offered with the sensors, if they are free, and without.
function newGame() {
  const { lobby, choosing } = page;
  const choose = (open) => () => {
    Object.assign(page, { choosing: open, note: {} });
    draw();
  };
  if (!choosing) return html`<button class="main" @click=${choose(true)}>${t("new_game")}</button>`;
  const waiting = commands.isPending("new");
  const offer = (kind, sensors, label) => html`<button class="main" ?disabled=${waiting} @click=${() => begin(kind, sensors)}>${label}</button>`;
  return html`<section class="card"><div class="bar"><h2 class="grow">${t("which_game")}</h2>
    <button class="icon" aria-label=${t("close")} @click=${choose(false)}>✕</button></div>
    ${Object.keys(boot.kinds).map((kind) => html`
      ${boot.kinds[kind] && lobby.sensors === "free" ? offer(kind, true, t("kind_" + kind)) : nothing}
      ${offer(kind, false, boot.kinds[kind] ? t("without_sensors", { game: t("kind_" + kind) }) : t("kind_" + kind))}
      ${page.note.kind === kind ? html`<p class="error" role="alert" id="refused">${page.note.text}</p>` : nothing}`)}
    ${lobby.sensors === "held" ? html`<p class="faint">${t("sensors_busy")}</p>` : nothing}</section>`;
}

function folded(title, games) {
  return games.length ? html`<details><summary>${title} (${games.length})</summary><div class="stack">${games.map(gameCard)}</div></details>` : nothing;
}

function draw() {
  const { lobby } = page;
  const isOver = (game) => game.phase === "game_end" && !game.holds;
  // People's games come before what plays by itself, of each kind the watched one first.
  const rank = (game) => (game.unattended ? 2 : 0) - (game.holds ? 1 : 0);
  const open = lobby.games.filter((game) => !isOver(game)).sort((a, b) => rank(a) - rank(b));
  const older = open.filter((game, k) => k >= SHOWN && !game.holds);
  render(html`
    ${page.lost ? html`<p class="error" role="status">${t("link_lost")}</p>` : nothing}
    ${page.gone ? html`<p class="card" role="status">${t("game_gone")}</p>` : nothing}
    ${lobby.notice ? html`<p class="error" role="status">${t("refused_" + lobby.notice)}</p>` : nothing}
    ${(lobby.notices || []).map((notice) => html`<p class="card" role="status">${t("notice_" + notice.code, { ...notice, games: (notice.games || []).join(", ") || "–" })}</p>`)}
    ${open.filter((game) => !older.includes(game)).map(gameCard)}
    ${lobby.games.length ? nothing : html`<p class="card">${t("no_games")}</p>`}
    ${boot.may_act ? html`${newGame()}
      <a class="side" href="/qr">${t("invite_title")}</a>
      <a class="side" href="/phones">${t("phones_title")}</a>` : watchingCard(t)}
    ${folded(t("older_games"), older)}
    ${folded(t("finished_games"), lobby.games.filter(isOver).slice(0, FINISHED))}
    <a class="side" href="/history">${t("history_title")}</a>
    <section class="card"><h2>${t("help")}</h2><div class="tokens">${Object.keys(boot.kinds).map((kind) => html`<a class="side" href=${"/help/" + kind}>${t("kind_" + kind)}</a>`)}</div></section>
    ${lobby.sensors === "none" ? nothing : html`<a class="side" href="/table">${t("set_up_title")}</a>`}
    ${lobby.sensors === "none" ? nothing : html`<a class="side" href="/diagnostics">${t("sensors_title", { table: lobby.table || t("table_unnamed") })}</a>`}
    <a class="side" href="/sound">${t("sound_title")}</a>
    <div class="bar"><a class="side" href="/join">${t("my_name")}</a>
    ${languageButtons(boot)}</div>`, document.getElementById("games"));
}

async function look() {
  if (!document.hidden) {
    const answer = await fetchJson("/lobby").catch(() => null);
    page.lost = answer === null;
    if (answer) page.lobby = answer.view;
    draw();
  }
  setTimeout(look, 2000);
}

draw();
setTimeout(look, 2000);
