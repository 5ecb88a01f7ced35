// The live page of a game of CirKis as it comes in: the board and how the game stands. What is tapped and pressed comes
// behind it (cirkis-play.js). The parts stand in the page as the server sent it and are only written to.
import { CirkisBoard } from "./cirkis-board.js";
import { Spaces } from "./cirkis-spaces.js";
import { completedShapes, headWords } from "./cirkis-words.js";
import { byId, part, rebuild, write } from "./dom.js";
import { translator } from "./i18n.js";
import { LiveView } from "./live.js";
import { bootData, fetchJson, kept, viewLink } from "./phone.js";
import { tokenPicture } from "./shapes.js";

const boot = bootData();
const t = translator(boot.texts, boot.lang);
const game = boot.first.view.game;
// What the page knows; what comes later reads and changes it too. hand: cirkis-play.js, once it is there.
const page = {
  view: boot.first.view, texts: boot.texts, lang: boot.lang, mayAct: boot.may_act && !boot.big, link: "live", note: "", chosen: [],
  board: null, hand: null, me: kept("seat:" + game) ? Number(kept("seat:" + game)) : null,
  t, game, draw, named, addStyle, languages: boot.languages,
};
let drawing = null;
const live = new LiveView(`/g/${game}/events?after=`, boot.first.seq, viewLink(game), {
  view: receive,
  beat() {},
  state(state) {
    page.link = state;
    draw();
  },
});

function receive({ view }) {
  const before = page.view;
  page.link = view.phase ? "live" : "lost"; // without a phase the referee cannot show it: what is drawn is old
  if (view.phase) page.view = view;
  if (view.phase === "lobby") {
    window.location.reload(); // the table gathers again: another page
    return;
  }
  if (page.hand && view.phase) page.hand.received(before);
  draw();
}

function named(id) {
  return page.view.players.find((p) => p.id === id) || null;
}

function drawHead(words) {
  const who = named(words.player);
  write(byId("turn"), "className", "turn c-" + (who ? who.colour : "none"));
  rebuild(byId("sign"), who && [who.colour, who.shape, who.letter], () => (who ? [tokenPicture(who)] : []));
  write(byId("title"), "textContent", words.title);
  write(byId("line"), "textContent", words.line);
}

// The strip under the head: the gravest thing first.
function drawStrip() {
  const { link, note, view } = page;
  const bad = link !== "live" ? "link_lost" : view.notice === "journal_full" ? "notice_journal_full" : view.notice ? "notice_other" : "";
  write(byId("strip"), "textContent", bad ? t(bad) : note);
  write(byId("strip"), "className", bad ? "bad" : "");
  write(byId("strip"), "hidden", !bad && !note);
}

function drawPlayers() {
  const { view } = page;
  rebuild(byId("players"), [view.players, view.turn], () => view.players.map((p) => {
    const cell = part("span", `player c-${p.colour}${p.id === view.turn ? " on" : ""}${p.left ? " gone" : ""}`);
    const left = (p.lost ? "⊘ " : "") + (p.unplayed === null ? "" : "▢" + p.unplayed);
    const visible = [tokenPicture(p), part("b", "", String(p.total)), part("span", "name", p.name), part("small", "", left)];
    for (const each of visible) each.setAttribute("aria-hidden", "true");
    cell.append(...visible, part("span", "unseen", t("player_label", { name: p.name, points: p.total, n: p.unplayed || 0 }) + (p.lost ? t("has_lost") : "")));
    return cell;
  }));
}

function drawBoard() {
  const { view } = page;
  if (!page.board) return;
  if (page.turned !== quarter()) makeBoard();
  const { board } = page;
  const pieces = view.deeds.filter((deed) => deed.s).map((deed) => ({ player: named(deed.p), spaces: deed.s }));
  const done = completedShapes(view).map(({ shape, player }) => ({ shape, player: named(player) }));
  const held = {};
  if (view.mode === "quick") for (const { shape, player } of done) for (const space of board.spaces.shapes[shape]) held[space] = player || { colour: "none" };
  for (const { player, spaces } of pieces) for (const space of spaces) held[space] = player;
  board.show({ held, pieces, leader: view.open.length ? pieces.map((piece) => piece.spaces).pop() : null, open: view.open,
    chosen: page.chosen, chooser: named(view.turn), done });
}

function draw() {
  document.body.dataset.phase = page.view.phase;
  document.body.dataset.fresh = page.link === "live" ? "yes" : "no";
  drawHead(headWords(page.view, t));
  drawStrip();
  drawPlayers();
  drawBoard();
  if (page.hand) page.hand.draw();
}

// The board as it is seen from the seat of this phone's player, wherever that is now.
function makeBoard() {
  page.turned = quarter();
  page.board = new CirkisBoard(byId("board"), new Spaces(drawing, page.turned));
}

// By how many tenths of a turn the board has to be turned.
function quarter() {
  const seat = page.view.players.findIndex((p) => p.id === page.me);
  return seat < 0 ? 0 : Math.round((seat * 10) / page.view.players.length);
}

// Styles that the first picture does not need are asked for when they are.
function addStyle(name) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = `/static/${name}.css`;
  link.onload = draw;
  document.head.appendChild(link);
}

// What the first picture lacks: the board, which never changes and is kept by the phone, then all that is pressed. Asked for
// again until it has come.
async function fetchRest() {
  try {
    if (!drawing) {
      drawing = await fetchJson("/cirkis-board.json", { cache: "default" });
      makeBoard();
      draw();
    }
    const [texts, play] = await Promise.all([fetchJson(`/locale/${boot.lang}/cirkis_play.json`), import("/js/cirkis-play.js")]);
    Object.assign(boot.texts, texts);
    page.hand = play.begin(page);
    draw();
  } catch (error) {
    setTimeout(fetchRest, 1000);
  }
}

if (boot.big) document.body.dataset.big = "yes";
for (const name of ["hand", "motion"]) document.body.dataset[name] = kept(name) || "";
document.addEventListener("visibilitychange", () => live.visibility(document.visibilityState === "visible"));
window.addEventListener("pageshow", (event) => event.persisted && live.visibility(true));
window.addEventListener("resize", draw);
const wide = window.matchMedia("(min-width: 560px)");
const widen = () => wide.matches && !widen.done && (widen.done = addStyle("cirkis-wide") || true);
widen();
wide.addListener(widen);
draw();
fetchRest();
live.start();
