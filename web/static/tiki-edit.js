// An entry of any age put right (I1): it begins with what is stored, closing changes nothing (I3), and all that follows is
// judged again. A secret that is not shown yet is not among them: it is entered again.
import { html, nothing } from "./vendor/lit-html.js";
import { fetchJson } from "./phone.js";
import { edited, entryText, shownEntries, stored } from "./tiki-entries.js";
import { CARDS, TIKIS, tapped } from "./tiki-line.js";
import { tikiFace } from "./tiki-pictures.js";

export function entriesSheet(page, at) {
  const { t, view } = page;
  if (!at.asked) {
    at.asked = true;
    at.version = view.version;
    fetchJson(`/g/${page.game}/entries`).then(({ entries }) => (at.list = shownEntries(entries)), () => page.note(t("link_lost"))).then(page.draw);
  }
  const open = (entry) => () => page.open("edit", { entry, now: stored(entry), version: at.version });
  const list = (at.list || []).filter((entry) => entryText(view, entry, t));
  return { title: t("edit_title"), body: !at.list ? nothing : list.length ? html`<ol class="rulings">${list.map((entry) => html`<li>
    <button class="side wide" ?disabled=${entry.name === "secret" && !entry.args.tikis} @click=${open(entry)}><span>${entryText(view, entry, t)}</span></button></li>`)}</ol>`
    : html`<p>${t("edit_none")}</p>` };
}

function pickStored(page, now, entry, tiki) {
  if (now.most === 1) now.tikis = now.tikis[0] === tiki ? [] : [tiki];
  else now.tikis = tapped(now.tikis, tiki, now.most);
  page.draw();
}

export function editSheet(page, { entry, now, version }, send, hold) {
  const { t, view } = page;
  const complete = now.tikis.length === now.most || (now.card === "toast" && !now.tikis.length);
  const args = now.most ? edited(entry, now) : null;
  const changed = args && JSON.stringify(args) !== JSON.stringify(entry.args);
  const card = (name) => {
    now.card = name;
    page.draw();
  };
  return { title: entryText(view, entry, t), body: html`
    ${entry.name === "play" ? html`<div class="played">${CARDS.map((name) => html`<button class="card-button ${now.card === name ? "chosen" : ""}"
      aria-pressed=${now.card === name ? "true" : "false"} @click=${() => card(name)}><span>${t("card_" + name)}</span></button>`)}</div>` : nothing}
    ${now.most ? html`<div class="pick">${TIKIS.map((tiki) => {
      const place = now.tikis.indexOf(tiki) + 1;
      return html`<button class="tiki t-${tiki} ${place ? "chosen" : ""}" aria-pressed=${place ? "true" : "false"} @click=${() => pickStored(page, now, entry, tiki)}>
        <b class="place">${place && now.most > 1 ? place : nothing}</b>${tikiFace(tiki)}</button>`;
    })}</div>
    <button class="main" ?disabled=${!complete || !changed || page.isPending("edit")} @click=${() => send({ name: "edit", version }, undefined, { entry: entry.entry, args })}>${t("edit_save")}</button>` : nothing}
    ${hold(t("edit_drop"), { name: "edit", version }, undefined, { entry: entry.entry, drop: true })}` };
}
