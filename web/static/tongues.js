// A button for each language that this phone does not show now.
import { html } from "./vendor/lit-html.js";

function speak(lang) {
  document.cookie = `lang=${lang};path=/;max-age=31536000;samesite=lax`;
  window.location.reload();
}

export function languageButtons(boot) {
  return boot.languages.filter(([tongue]) => tongue !== boot.lang)
    .map(([tongue, name]) => html`<button type="button" class="side" lang=${tongue} @click=${() => speak(tongue)}>${name}</button>`);
}
