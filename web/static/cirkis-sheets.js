// What the live page of CirKis shows later: menu, players, what happened and why, the set of pieces, and what quick mode
// asks. Fetched when first needed.
import { html, nothing, render } from "./vendor/lit-html.js";
import { languageButtons } from "./tongues.js";
import { pointsWord, problemWord, shapeWord } from "./cirkis-foreseen.js";

let page;
let clauses = null;
let styled = false;
const held = {}; // name -> its button

// Draws page.sheet ({name, ...}) into a box, or nothing.
export function drawSheet(thePage, box) {
  page = thePage;
  const at = page.sheet;
  if (at && !styled) {
    styled = true;
    page.addStyle("sheets");
    page.addStyle("cirkis-sheets");
  }
  const made = at ? SHEETS[at.name](at) : null;
  render(made ? frame(made.title, made.body) : nothing, box);
}

function close() {
  page.sheet = null;
  page.draw();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && page && page.sheet) close();
});

function frame(title, body) {
  return html`<div class="veil" @click=${close}></div>
    <div class="panel" role="dialog" aria-modal="true" aria-labelledby="sheet-title">
      <div class="panel-head"><h2 id="sheet-title">${title}</h2>
        <button class="icon" aria-label=${page.t("close")} @click=${close}>✕</button></div>
      <div class="panel-body">${body}</div></div>`;
}

function item(label, click, off) {
  return html`<button class="side" ?disabled=${off === true} @click=${click}>${label}</button>`;
}

function go(name, data) {
  return () => page.openSheet(name, data);
}

function send(name, player, args) {
  close();
  return page.press(name, player, args);
}

// A press that changes much: held for a second.
function holdItem(key, label, done) {
  if (!held[key]) {
    held[key] = { button: document.createElement("button") };
    held[key].button.className = "side hold";
    page.holdToPress(held[key].button, 1000, () => held[key].done(), () => null);
  }
  held[key].done = done;
  held[key].button.textContent = label;
  return held[key].button;
}

async function learnClauses() {
  if (!clauses) clauses = await page.fetchJson(`/locale/${page.lang}/cirkis_clauses.json`).catch(() => null);
  page.draw();
}

function clause(id) {
  if (!clauses) learnClauses();
  return html`<p class="clause"><b>${id}</b> ${clauses ? clauses[id] : "…"}</p>`;
}

// One deed in a line.
function deedWords(deed) {
  const { t } = page;
  if (deed.d === "lost") return t(deed.lapsed ? "deed_lapsed" : "deed_lost");
  if (deed.d === "left") return t("deed_left");
  const said = (deed.shapes || []).map(([shape]) => t("deed_completes", { shape: shapeWord(shape, t) }));
  if (deed.out) said.push(t("deed_out"));
  if (!said.length) said.push(t(deed.f ? "deed_free" : "deed_piece"));
  return said.join(", ");
}

function gains(deed) {
  return (deed.points || []).map(([id, points]) => html`<span class="gain c-${page.named(id).colour}">${page.tokenPicture(page.named(id))}<b>+${points}</b></span>`);
}

// Every clause that decided about a deed, once each.
function clausesOf(deed) {
  const found = [];
  if (deed.d === "lost") found.push(deed.lapsed ? "C24" : "C12");
  if (deed.d === "left") found.push("C34");
  for (const [, , id] of deed.points || []) found.push(id);
  for (const [, id] of deed.why || []) found.push(id);
  if (deed.why && deed.why.length) found.push(deed.out ? "C25" : "C09");
  if (deed.x) found.push("C33");
  if (deed.shapes) found.push("C28");
  if (!found.length) found.push(deed.f ? "C09" : "C05");
  return found.filter((id, k) => found.indexOf(id) === k);
}

function stepper(label, value, low, high, set) {
  return html`<div class="stepper"><span>${label}</span>
    <button class="icon" aria-label=${page.t("less")} ?disabled=${value <= low} @click=${() => set(value - 1)}>−</button>
    <b>${value}</b>
    <button class="icon" aria-label=${page.t("more")} ?disabled=${value >= high} @click=${() => set(value + 1)}>+</button></div>`;
}

function playerLabel(p) {
  return html`<span class="who c-${p.colour}">${page.tokenPicture(p)}${p.name}</span>`;
}

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
      : await page.press("edit", null, { entry: claim.entry, player: claim.player, args });
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
    ${page.note ? html`<p class="error" role="status">${page.note}</p>` : nothing}
    <button class="main" ?disabled=${claim.player === null || !whole || (!claim.shapes.length && !claim.out) || page.isPending("complete")}
      @click=${sent}>${t("note_it")}</button>
    ${claim.shapes.length === 1 ? item(t("another_shape"), close) : nothing}
    ${item(t("forget"), () => {
      claim = null;
      close();
    })}`;
}

let setDraft = null;
let seatDraft = null;
let told = null;

const SHEETS = {
  claim({ shape, deed }) {
    const { t, view } = page;
    if (!claim) claim = newClaim();
    if (deed && claim.entry !== deed.n) {
      claim = { player: deed.p, out: Boolean(deed.out), entry: deed.n,
        shapes: (deed.shapes || []).map(([id, segments]) => ({ shape: id, segments: Object.fromEntries(segments) })) };
    }
    if (shape && !claim.shapes.some((each) => each.shape === shape)) claim.shapes.push({ shape, segments: {} });
    page.sheet.shape = null;
    if (claim.player === null && view.turn !== null) claim.player = view.turn;
    return { title: t("claim"), body: claimBody() };
  },

  unplayed() {
    const { t, view } = page;
    const asked = view.result ? view.result.asked : [];
    if (!told) told = Object.fromEntries(asked.map((id) => [id, 1]));
    return { title: t("how_many_left"), body: html`${asked.map((id) => stepper(playerLabel(page.named(id)), told[id], 1, 20, (n) => {
      told[id] = n;
      page.draw();
    }))}<button class="main" @click=${() => send("unplayed", null, { pieces: told }).then(() => (told = null))}>${t("note_it")}</button>` };
  },

  can_place({ spaces }) {
    const { t } = page;
    return { title: t("can_place"), body: html`<p>${t("can_place_why")}</p>
      ${spaces ? item(t("show_me"), () => {
        page.choose(spaces);
        page.showSpaces(spaces);
      }) : nothing}
      ${holdItem("insist", t("insist"), () => {
        close();
        page.lost(true);
      })}` };
  },

  players() {
    const { t, view } = page;
    return { title: t("players"), body: view.players.map((p) => html`<button class="side wide c-${p.colour}" @click=${go("player", { id: p.id })}>
      ${page.tokenPicture(p)}<b>${p.name}</b><small>${t("points_are", { n: p.total })}<br>${p.unplayed === null ? "" : t("left_are", { n: p.unplayed })}</small></button>`) };
  },

  player({ id }) {
    const { t, view } = page;
    const p = page.named(id);
    const seat = view.players.indexOf(p);
    const mine = page.seat === seat;
    const sit = () => {
      page.sheet = null;
      page.sit(mine ? null : seat);
    };
    const open = view.phase === "play" || view.phase === "between";
    return { title: p.name, body: html`<p>${t("points_are", { n: p.total })}${p.unplayed === null ? "" : " · " + t("left_are", { n: p.unplayed })}</p>
      ${p.shapes ? html`<ul class="pieces-left">${Object.keys(p.shapes).map((name) => html`<li>${pieceName(name)} <b>${p.shapes[name]}</b></li>`)}</ul>` : nothing}
      ${item(t(mine ? "seat_leave" : "seat_take"), sit)}
      ${page.mayAct && open && !p.left ? [holdItem("leave", t("player_leaves", { name: p.name }), () => send("leave", id, {})), clause("C34")] : nothing}
      ${item(t("back"), go("players"))}` };
  },

  log() {
    const { t, view } = page;
    const rows = view.deeds.map((deed, at) => html`<li><button class="side wide c-${page.named(deed.p).colour}" @click=${go("why", { at })}>
      ${page.tokenPicture(page.named(deed.p))}<span>${deedWords(deed)}${deed.why ? html` <span aria-label=${t("free_turn")}>↻</span>` : nothing}</span>${gains(deed)}</button></li>`).reverse();
    const before = view.rounds.map((round, k) => html`<li class="card"><b>${t("round_n", { n: k + 1 })}</b> ${t("end_" + round.end)}
      <span class="tokens">${round.points.map(([id, n]) => html`<span class="gain c-${page.named(id).colour}">${page.tokenPicture(page.named(id))}<b>${n}</b></span>`)}</span></li>`).reverse();
    return { title: t("log"), body: html`${view.end ? html`<p>${t("end_" + view.end)}</p>` : nothing}
      ${view.result && view.result.winners.length ? clause(view.result.clause) : nothing}
      ${rows.length ? nothing : html`<p>${t("log_empty")}</p>`}<ol class="rulings">${rows}${before}</ol>` };
  },

  why({ at }) {
    const { t, view } = page;
    const deed = view.deeds[at];
    if (!deed) return SHEETS.log();
    const correct = () => (deed.d === "claim" ? page.openSheet("claim", { deed }) : page.correct(deed));
    return { title: `${page.named(deed.p).name}: ${deedWords(deed)}`, body: html`
      ${(deed.points || []).map(([id, points, , shape]) => html`<p class="bar">${playerLabel(page.named(id))}<b>+${points}</b><span>${pointsWord(shape, points, t)}</span></p>`)}
      ${(deed.why || []).map(([code]) => html`<p>${t("free_turn")} ${t("free_" + code)}</p>`)}
      ${(deed.x || []).map((code) => html`<p>${t("overruled")} ${problemWord(code, t)}</p>`)}
      ${clausesOf(deed).map(clause)}
      ${deed.s ? item(t("show_me"), () => page.showSpaces(deed.s)) : nothing}
      ${page.mayAct && deed.n && deed.d !== "left" ? [deed.d === "lost" ? nothing : item(t("correct"), correct),
        holdItem("strike", t("strike"), () => send("edit", null, { entry: deed.n, drop: true }))] : nothing}
      ${item(t("back"), go("log"))}` };
  },

  set() {
    const { t, view } = page;
    if (!view.set && !setDraft) {
      return { title: t("set"), body: html`<p>${t("set_none")}</p>${clause("C20")}
        ${page.mayAct ? item(t("set_use_assumed"), () => send("pieces", null, { pieces: "assumed" })) : nothing}` };
    }
    if (!setDraft) setDraft = view.set.map((piece) => ({ ...piece }));
    const sum = setDraft.reduce((n, piece) => n + piece.count, 0);
    const change = (piece, values) => {
      Object.assign(piece, values);
      page.draw();
    };
    const row = (piece) => html`<section class="card piece">${page.outline(piece.example)}<b>${pieceName(piece.name)}</b>
      ${stepper(t("each_has"), piece.count, 0, 20, (n) => change(piece, { count: n }))}
      <label class="bar check"><input type="checkbox" .checked=${piece.flips !== false} @change=${(event) => change(piece, { flips: event.target.checked })}> ${t("flips")}</label>
      ${page.chosen.length ? item(t("like_chosen"), () => change(piece, { example: [...page.chosen] })) : nothing}</section>`;
    const save = async () => {
      const answer = await page.press("pieces", null, { pieces: setDraft.filter((piece) => piece.count > 0) });
      if (answer && answer.status === "applied") {
        setDraft = null;
        close();
      }
    };
    return { title: t("set"), body: html`${view.assumed ? html`<p class="assumed">${t("set_assumed")}</p>` : nothing}
      <p>${t("set_how")}</p>${setDraft.map(row)}<p role="status">${t("set_sum", { n: sum })}</p>
      ${page.note ? html`<p class="error" role="status">${page.note}</p>` : nothing}
      ${page.mayAct ? html`<button class="main" ?disabled=${sum !== 20} @click=${save}>${t("save")}</button>
        ${item(t("set_without"), () => {
          setDraft = null;
          send("pieces", null, { pieces: null });
        })}` : nothing}
      ${item(t("forget"), () => {
        setDraft = null;
        close();
      })}` };
  },

  seats() {
    const { t, view } = page;
    if (!seatDraft) seatDraft = view.players.map((p) => p.id);
    const up = (k) => () => {
      [seatDraft[k - 1], seatDraft[k]] = [seatDraft[k], seatDraft[k - 1]];
      page.draw();
    };
    const order = seatDraft;
    return { title: t("seats"), body: html`<p>${t("seats_how")}</p>
      ${order.map((id, k) => html`<div class="bar">${playerLabel(page.named(id))}<span class="grow"></span>
        <button class="icon" ?disabled=${k === 0} aria-label=${t("seat_earlier", { name: page.named(id).name })} @click=${up(k)}>↑</button></div>`)}
      <button class="main" @click=${() => send("seats", null, { order }).then(() => (seatDraft = null))}>${t("save")}</button>` };
  },

  menu() {
    const { t, view } = page;
    const left = page.kept("hand") === "left";
    const hand = () => {
      page.keep("hand", left ? "right" : "left");
      close();
    };
    const running = view.phase !== "over";
    return { title: t("menu"), body: html`
      ${item(t("log"), go("log"))}
      ${claim ? item(t("claim_again"), go("claim", { shape: null })) : nothing}
      <a class="side" href="/g/${page.game}/history">${t("figures")}</a>
      <a class="side" href="/help/cirkis">${t("help")}</a>
      ${view.mode === "map" ? item(t("set"), go("set")) : nothing}
      ${page.mayAct && running ? item(t("seats"), go("seats")) : nothing}
      ${item(t(left ? "hand_right" : "hand_left"), hand)}
      <a class="side" href="/g/${page.game}/tv">${t("tv_view")}</a>
      <a class="side" href="/qr">${t("invite")}</a>
      ${languageButtons(page)}
      ${page.mayAct && view.phase === "play" && view.settings.play_to === "hundred"
        ? holdItem("round", t("abandon_round"), () => send("abandon", null, { what: "round" })) : nothing}
      ${page.mayAct && running ? holdItem("abandon", t("abandon_game"), () => send("abandon", null, { what: "game" })) : nothing}` };
  },
};

// A piece's name: those of the sheet have words, others are what the family called them.
function pieceName(name) {
  return page.t.has("piece_" + name) ? page.t("piece_" + name) : name;
}
