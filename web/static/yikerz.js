// The live page of a game of Yikerz: what comes in is drawn, what is pressed is sent. The parts stand in the page as the
// server sent it and are only written to, so that nothing moves away under a finger. What the first picture does not
// need is fetched once the page is live (calls, holding), or when it is opened (sheets).
import { BoardDrawing } from "./board.js";
import { drawButtons, listenToButtons } from "./buttons.js";
import { byId } from "./dom.js";
import { drawHead, drawStrip } from "./heading.js";
import { drawPiles } from "./piles.js";
import { drawPips, stripWords } from "./strip.js";
import { tablePage } from "./table-page.js";
import { tickingClock } from "./ticking.js";
import { stateWords } from "./words.js";

const clock = tickingClock();
const board = new BoardDrawing(byId("board"));
const page = tablePage({
  draw, clock,
  second: ({ addTexts, addStyle }) => Promise.all([import("/js/second.js"), addTexts("calls"), addStyle("yikerz-second")]).then(([more]) => more),
  news: () => page.ready && page.news(),
});
const { t } = page;
Object.assign(page, { texts, clip: null, byHand: false, redraw });

// A text that may still have to come, "" until then.
function texts(key, n, values) {
  if (!page.sheets && !t.has(key)) page.later().then(draw, () => null);
  return t.has(key) ? t(key, { ...values, n }) : "";
}

function fresh() {
  return page.link === "live" && (page.view.sensors === "held" || page.view.sensors === "none");
}

function draw() {
  const { view, clip } = page;
  const words = stateWords(view, t);
  document.body.dataset.phase = view.phase;
  document.body.dataset.fresh = fresh() ? "yes" : "no";
  drawHead(view, words);
  drawPips(view);
  drawStrip(clip ? { text: clip.words } : stripWords(view, { link: page.link, note: page.said, boundMs: page.sheets ? clock.boundMs() : 0, sensors: page.sensorTexts }, texts));
  drawPiles(view, t);
  drawButtons(page, words);
  page.drawSheet();
  const seen = clip ? { ...view, board: { ...view.board, stones: clip.stones } } : view;
  board.show(seen, page.seat(), (stones) => t("board_label", { n: stones.length }));
}

// The whole table, after a part of it was shown from near.
function redraw() {
  board.layout = "";
  draw();
}

page.addStyleWhere("(min-width: 800px) and (min-height: 480px), (orientation: landscape) and (max-height: 479px)", "wide");
byId("menu").onclick = () => page.open("menu");
byId("players").onclick = () => page.open("players");
listenToButtons(page);
page.start();
clock.start(page, fresh, (mood) => {
  document.body.dataset.clock = mood === "none" ? "" : mood;
  if (mood === "soon" && page.ready) page.call("tick");
  board.resized(draw);
});
