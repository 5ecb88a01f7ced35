// Joining: a name and a sound, both kept on this phone.
import { html, nothing, render } from "./vendor/lit-html.js";
import { translator } from "./i18n.js";
import { bootData, keep, kept } from "./phone.js";
import { Sounds } from "./sound.js";
import { languageButtons } from "./tongues.js";

const boot = bootData();
const t = translator(boot.texts, boot.lang);
const sounds = new Sounds(window);
let soundOn = kept("sound") === "on";

function join(event) {
  event.preventDefault();
  keep("name", document.getElementById("name").value.trim().slice(0, 24));
  const open = boot.first.view.games.filter((game) => game.phase !== "game_end");
  window.location.href = open.length === 1 ? "/g/" + open[0].game : "/";
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
  render(html`<form class="stack" @submit=${join}>
      <label class="stack" for="name"><span>${t("your_name")}</span>
        <input id="name" maxlength="24" autocomplete="given-name" autocapitalize="words" enterkeyhint="go" .value=${kept("name") || ""}></label>
      <button type="button" class="side" aria-pressed=${soundOn ? "true" : "false"} @click=${ring}>${soundOn ? t("sound_is_on") : t("sound_turn_on")}</button>
      <button class="main">${t("join_go")}</button></form>
    ${boot.may_act ? nothing : html`<p class="faint">${t("watching_home")}</p>`}
    ${languageButtons(boot)}`, document.getElementById("form"));
}

draw();
