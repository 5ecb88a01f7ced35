// The live page of a game of CirKis as it comes in: the board and how the game stands. What is tapped and pressed comes
// behind it (cirkis-play.js). The parts stand in the page as the server sent it and are only written to.
import { CirkisBoard } from "./cirkis-board.js";
import { Spaces } from "./cirkis-spaces.js";
import { completedShapes, headWords } from "./cirkis-words.js";
import { byId, part, rebuild } from "./dom.js";
import { drawHead, drawStrip } from "./heading.js";
import { tablePage } from "./table-page.js";

const page = tablePage({
  draw,
  second: async ({ addTexts, addStyle }) => (await Promise.all([import("/js/cirkis-play.js"), addTexts("cirkis_play"),
    addStyle("cirkis-second"), fetchBoard()]))[0],
  news: (before) => page.hand && page.hand.received(before),
});
const { t, named } = page;
// chosen: the spaces tapped. board: once it is there. hand: cirkis-play.js, likewise.
Object.assign(page, { chosen: [], board: null, hand: null });
let drawing = null;

// The gravest thing first.
function strip({ link, said, view }) {
  const bad = link !== "live" ? "link_lost" : view.notice === "journal_full" ? "notice_journal_full" : view.notice ? "notice_other" : "";
  return { text: bad ? t(bad) : said, bad };
}

function drawPlayers() {
  const { view } = page;
  rebuild(byId("players"), [view.players, view.turn], () => view.players.map((p) => {
    const cell = part("span", `player c-${p.colour}${p.id === view.turn ? " on" : ""}${p.left ? " gone" : ""}`);
    const left = (p.lost ? "⊘ " : "") + (p.unplayed === null ? "" : "▢" + p.unplayed);
    const visible = [page.tokenPicture(p), part("b", "", String(p.total)), part("span", "name", p.name), part("small", "", left)];
    for (const each of visible) each.setAttribute("aria-hidden", "true");
    cell.append(...visible, part("span", "unseen", t("player_label", { name: p.name, points: p.total, n: p.unplayed || 0 }) + (p.lost ? t("has_lost") : "")));
    return cell;
  }));
}

function drawBoard() {
  const { view } = page;
  if (!page.board) return;
  if (page.turned !== tenths()) makeBoard();
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
  drawHead(page.view, headWords(page.view, t));
  drawStrip(strip(page));
  drawPlayers();
  drawBoard();
  if (page.hand) page.hand.draw();
}

// The board as it is seen from the seat of this phone's player, wherever that is now.
function makeBoard() {
  page.turned = tenths();
  page.board = new CirkisBoard(byId("board"), new Spaces(drawing, page.turned));
}

// By how many tenths of a turn the board has to be turned.
function tenths() {
  return Math.round((Math.max(0, page.seat()) * 10) / page.view.players.length);
}

// The board never changes and is kept by the phone.
async function fetchBoard() {
  if (drawing) return;
  drawing = await page.fetchJson("/cirkis-board.json", { cache: "default" });
  makeBoard();
  draw();
}

for (const name of ["menu", "players"]) byId(name).onclick = () => page.open(name);
if (page.boot.big) document.body.dataset.big = "yes";
page.addStyleWhere("(min-width: 560px)", "cirkis-wide");
page.start();
