// How this phone looks, sounds and speaks; kept on the phone.
import { html, nothing } from "../vendor/lit-html.js";
import { toggle } from "../sheets.js";
import { languageButtons } from "../tongues.js";

export function phone(page) {
  const { t } = page;
  return { title: t("this_phone"), body: html`
    ${toggle(t("phone_sound"), "sound", "on", "off", page.allowSound)}
    ${page.voice.present() ? toggle(t("phone_voice"), "voice", "on", "off", (on) => on && page.voice.say(t("phone_voice"))) : nothing}
    ${toggle(t("phone_pictures"), "read", "no", "", () => page.addStyle("pictures"))}
    ${toggle(t("phone_left"), "hand", "left", "")}
    ${toggle(t("phone_still"), "motion", "less", "")}
    ${languageButtons(page)}
    <p class="faint">${t(navigator.wakeLock ? "phone_awake" : "phone_lock")}</p>` };
}
