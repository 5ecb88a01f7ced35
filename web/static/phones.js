// The phones that act at this table; the host may lock one, let it in again, or make a new code.
import { html, nothing, render } from "./vendor/lit-html.js";
import { holdToPress } from "./hold.js";
import { translator } from "./i18n.js";
import { answerText } from "./answers.js";
import { bootData, sendJson } from "./phone.js";
import { sayName } from "./say-name.js";

const boot = bootData();
sayName(boot);
const t = translator(boot.texts, boot.lang);
const page = { note: "" };
const fresh = document.createElement("button");
fresh.className = "side hold";
fresh.textContent = t("new_code");

async function change(asked, done) {
  const answer = await sendJson("/phones", asked).catch(() => ({ status: "failed", code: "link" }));
  page.note = answerText(answer, t);
  if (answer.status === "applied") done();
  draw();
}

function lock(phone) {
  change(phone.locked ? { unlock: phone.mark } : { lock: phone.mark }, () => (phone.locked = !phone.locked));
}

function row(phone) {
  const name = phone.name || t("phone_nameless");
  const minutes = Math.floor(phone.ago / 60);
  const marks = [phone.own && t("phone_own"), phone.host && t("phone_host"), minutes < 1 ? t("phone_now") : t("phone_ago", { n: minutes })];
  return html`<li class="bar"><span class="grow"><b>${name}</b><br><span class="faint">${marks.filter(Boolean).join(" · ")}</span></span>
    ${boot.host && !phone.own && !phone.host ? html`<button class="side" aria-label=${t(phone.locked ? "phone_unlock" : "phone_lock", { name })}
      @click=${() => lock(phone)}>${t(phone.locked ? "unlock" : "lock")}</button>` : nothing}</li>`;
}

function draw() {
  render(html`
    ${boot.phones.length ? html`<ul class="plain-list card">${boot.phones.map(row)}</ul>` : nothing}
    ${boot.host ? html`<section class="card">${fresh}<p class="faint">${t("new_code_what")}</p></section>` : html`<p class="faint">${t("only_host")}</p>`}
    <p class="error" role="status">${page.note}</p>
    <a class="side" href="/qr">${t("invite_title")}</a>`, document.getElementById("phones"));
}

holdToPress(fresh, 1000, () => change({ new_code: true }, () => {
  boot.phones = boot.phones.filter((phone) => phone.own);
  page.note = t("code_is_new");
}), () => null);
draw();
