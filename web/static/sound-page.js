// What the table's own speaker says, and how loud; kept by the table, not by this phone.
import { html, nothing, render } from "./vendor/lit-html.js";
import { Commands } from "./commands.js";
import { translator } from "./i18n.js";
import { answerText } from "./answers.js";
import { bootData, commandLink, fetchJson, kept } from "./phone.js";

const MODES = ["off", "tones", "words"];
const VOLUMES = [25, 50, 75, 100];
const boot = bootData();
const t = translator(boot.texts, boot.lang);
const page = { sound: boot.first.view.sound, note: "" };
const commands = new Commands(commandLink(""), draw);

// The language of the phone that chooses is the one that the table speaks.
async function set(change) {
  const { mode, volume } = { ...page.sound, ...change };
  const answer = await commands.press("set_sound", "set_sound", 0, null, kept("name") || "", undefined, { mode, volume, tongue: boot.lang });
  if (answer === null) return;
  page.note = answerText(answer, t);
  await look();
}

const nearest = (volume) => VOLUMES.reduce((best, each) => (Math.abs(each - volume) < Math.abs(best - volume) ? each : best));

function choice(name, values, value, label) {
  return html`<label class="stack">${t("sound_" + name)}<select ?disabled=${!boot.may_act || commands.isPending("set_sound")}
    @change=${(event) => set({ [name]: values[event.target.selectedIndex] })}>
    ${values.map((each) => html`<option value=${each} .selected=${each === value}>${label(each)}</option>`)}</select></label>`;
}

function draw() {
  const { mode, volume, faults } = page.sound;
  render(html`<section class="card">${choice("mode", MODES, mode, (each) => t("sound_" + each))}
    ${mode === "off" ? nothing : choice("volume", VOLUMES, nearest(volume), (n) => t("sound_percent", { n }))}
    ${mode === "off" || !boot.may_act ? nothing : html`<button class="side" ?disabled=${commands.isPending("set_sound")} @click=${() => set({})}>${t("sound_try")}</button>`}
    ${boot.may_act ? nothing : html`<p class="faint">${t("sound_watching")}</p>`}</section>
    ${faults.map((code) => html`<p class="error">${t(code)}</p>`)}
    <p class="error" role="status">${page.note}</p>`, document.getElementById("sound"));
}

async function look() {
  const answer = !document.hidden ? await fetchJson("/lobby").catch(() => null) : null;
  if (answer) page.sound = answer.view.sound;
  draw();
}

draw();
setInterval(look, 2000);
