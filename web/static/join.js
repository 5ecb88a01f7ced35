// Joining: what this phone is (a player's, everybody's at the table, one that watches, the big screen), a name and a
// sound, all kept on it.
import { html, nothing, render } from "./vendor/lit-html.js";
import { translator } from "./i18n.js";
import { bootData, keep, kept } from "./phone.js";
import { Sounds } from "./sound.js";
import { languageButtons } from "./tongues.js";

const boot = bootData();
const t = translator(boot.texts, boot.lang);
const sounds = new Sounds(window);
let wrong = ""; // what is wrong with the name, as a key
let soundOn = kept("sound") === "on";

// role: "player", "table", "watch" or "screen". Only a player's phone has a name.
function join(role) {
  const unfinished = boot.first.view.games.filter((game) => game.phase !== "game_end");
  const going = unfinished.filter((game) => !game.cut_off); // one of an earlier run is not what people join now
  const open = going.length ? going : unfinished;
  keep("role", role);
  keep("name", role === "player" ? document.getElementById("name").value.trim() : "");
  const page = open.length === 1 ? "/g/" + open[0].game : "/";
  window.location.href = role === "screen" && page !== "/" ? page + "/tv" : page;
}

function play(event) {
  event.preventDefault();
  const name = document.getElementById("name").value.trim();
  wrong = !name ? "write_name" : [...name].length > boot.name_length ? "long_name" : "";
  if (wrong) {
    draw();
    document.getElementById("name").focus();
  } else {
    join("player");
  }
}

function ring() {
  soundOn = !soundOn;
  keep("sound", soundOn ? "on" : "off");
  if (soundOn) {
    sounds.allow();
    sounds.play("said");
  }
  draw();
}

function draw() {
  render(html`<form class="stack" @submit=${play}>
      <label class="stack" for="name"><span>${t("your_name")}</span>
        <input id="name" autocomplete="given-name" autocapitalize="words" enterkeyhint="go" aria-describedby="missing" aria-invalid=${wrong ? "true" : "false"} .value=${kept("name") || ""}></label>
      <p id="missing" class="error" role="alert" ?hidden=${!wrong}>${wrong ? t(wrong, { n: boot.name_length }) : nothing}</p>
      <button type="button" class="side" aria-pressed=${soundOn ? "true" : "false"} @click=${ring}>${soundOn ? t("sound_is_on") : t("sound_turn_on")}</button>
      <button class="main">${t("join_go")}</button></form>
    <section class="card"><h2>${t("or_this_phone")}</h2>${["table", "watch", "screen"].map((role) =>
      html`<button class="side" aria-pressed=${kept("role") === role ? "true" : "false"} @click=${() => join(role)}>${t("role_" + role)}</button>`)}</section>
    ${boot.has_code ? nothing : html`<p class="faint">${t("watching_home")}</p>`}
    ${languageButtons(boot)}`, document.getElementById("form"));
}

draw();
