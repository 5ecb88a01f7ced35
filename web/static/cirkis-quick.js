// Quick mode's sheets: what a piece completed, and the unplayed pieces at a tie (C19).
import { html, nothing } from "./vendor/lit-html.js";
import { shapeWord } from "./cirkis-foreseen.js";
import { close, page, playerLabel, send, stepper } from "./cirkis-panel.js";
import { item } from "./panel.js";

let told = null; // the numbers at a tie

// Quick mode: the piece being told, kept while the sheet is away to look at another shape.
let claim = null;

function newClaim() {
  return { player: null, shapes: [], out: false, entry: null };
}

function claimBody() {
  const { t, view } = page;
  const playing = view.players.filter((p) => !p.left);
  const change = (values) => {
    Object.assign(claim, values);
    page.draw();
  };
  const size = (shape) => (shape === "ring" ? 10 : 5);
  const total = (each) => Object.values(each.segments).reduce((sum, n) => sum + n, 0);
  const whole = claim.shapes.every((each) => total(each) === size(each.shape));
  const shapeCard = (each) => html`<section class="card"><h3>${t("segments", { shape: shapeWord(each.shape, t), n: size(each.shape) })}</h3>
    ${view.players.map((p) => stepper(playerLabel(p), each.segments[p.id] || 0, 0, size(each.shape) - total(each) + (each.segments[p.id] || 0), (n) => {
      each.segments[p.id] = n;
      page.draw();
    }))}</section>`;
  const sent = async () => {
    const args = { shapes: claim.shapes.map((each) => ({ shape: each.shape, segments: each.segments })), out: claim.out };
    const answer = claim.entry === null ? await page.press("complete", claim.player, args)
      : await page.press({ name: "edit", version: claim.version }, null, { entry: claim.entry, player: claim.player, args });
    if (answer && answer.status !== "refused" && answer.status !== "failed") {
      claim = null;
      close();
    }
  };
  return html`<p>${t("who_completed")}</p>
    <div class="choose">${playing.map((p) => html`<button class="side c-${p.colour}" aria-pressed=${claim.player === p.id ? "true" : "false"}
      @click=${() => change({ player: p.id })}>${page.tokenPicture(p)}${p.name}</button>`)}</div>
    ${claim.shapes.map(shapeCard)}
    <label class="bar check"><input type="checkbox" .checked=${claim.out} @change=${(event) => change({ out: event.target.checked })}> ${t("was_last")}</label>
    ${page.said ? html`<p class="error" role="status">${page.said}</p>` : nothing}
    <button class="main" ?disabled=${claim.player === null || !whole || (!claim.shapes.length && !claim.out) || page.isPending("complete")}
      @click=${sent}>${t("note_it")}</button>
    ${claim.shapes.length === 1 ? item(t("another_shape"), close) : nothing}
    ${item(t("forget"), () => {
      claim = null;
      close();
    })}`;
}

// Whether a piece is being told.
export function isTelling() {
  return claim !== null;
}

export function claimSheet({ shape, deed }) {
  const { t, view } = page;
  if (!claim) claim = newClaim();
  if (deed && claim.entry !== deed.n) {
    claim = { player: deed.p, out: Boolean(deed.out), entry: deed.n, version: view.version,
      shapes: (deed.shapes || []).map(([id, segments]) => ({ shape: id, segments: Object.fromEntries(segments) })) };
  }
  if (shape && !claim.shapes.some((each) => each.shape === shape)) claim.shapes.push({ shape, segments: {} });
  page.sheet.shape = null;
  if (claim.player === null && view.turn !== null) claim.player = view.turn;
  return { title: t("claim"), body: claimBody() };
}

export function unplayedSheet() {
  const { t, view } = page;
  const asked = view.result ? view.result.asked : [];
  if (!told) told = Object.fromEntries(asked.map((id) => [id, 1]));
  return { title: t("how_many_left"), body: html`${asked.map((id) => stepper(playerLabel(page.named(id)), told[id], 1, 20, (n) => {
    told[id] = n;
    page.draw();
  }))}<button class="main" @click=${() => send("unplayed", null, { pieces: told }).then(() => (told = null))}>${t("note_it")}</button>` };
}
