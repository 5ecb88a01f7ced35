// How CirKis is played: the sheet's examples, drawn and told by the page from what the rules say about them.
import { CirkisBoard } from "./cirkis-board.js";
import { foreseenWords } from "./cirkis-foreseen.js";
import { Spaces } from "./cirkis-spaces.js";
import { part } from "./dom.js";
import { addExample, linkBack } from "./help-page.js";
import { translator } from "./i18n.js";
import { bootData, fetchJson } from "./phone.js";
import { svgElement, tokenPicture } from "./shapes.js";

const boot = bootData();
const t = translator(boot.texts, boot.lang);

// The part of the board where something lies, with some room.
function windowOn(spaces, covered) {
  const corners = [].concat(...covered.map((space) => spaces.corners[space]));
  const low = [0, 1].map((axis) => Math.min(...corners.map((corner) => corner[axis])) - 60);
  const high = [0, 1].map((axis) => Math.max(...corners.map((corner) => corner[axis])) + 60);
  return [...low, high[0] - low[0], high[1] - low[1]].join(" ");
}

function draw(drawing, example) {
  const spaces = new Spaces(drawing);
  const named = (id) => example.players.find((p) => p.id === id);
  const told = [part("p", "", t("told_" + example.name))];
  const picture = svgElement("svg", { class: "example", role: "img", "aria-label": t("example_" + example.name) });
  const board = new CirkisBoard(picture, spaces);
  const pieces = example.lies.map((piece) => ({ player: named(piece.player), spaces: piece.spaces }));
  const held = {};
  for (const { player, spaces: covered } of pieces) for (const space of covered) held[space] = player;
  board.show({ held, pieces, leader: pieces[pieces.length - 1].spaces, open: example.open, chosen: example.spaces,
    chooser: named(example.by), done: [] });
  const completed = example.foreseen.rulings.filter((ruling) => ruling.kind === "completed").map((ruling) => spaces.shapes[ruling.data.shape]);
  picture.setAttribute("viewBox", windowOn(spaces, [].concat(example.spaces, example.open, pieces[pieces.length - 1].spaces, ...completed)));
  told.push(picture);
  const { points, more } = foreseenWords(example.foreseen, t);
  for (const gain of points) {
    const line = part("p", "gain c-" + named(gain.player).colour);
    line.append(tokenPicture(named(gain.player)), part("b", "", "+" + gain.points), part("span", "", gain.text));
    told.push(line);
  }
  for (const text of [...more, ...(points.length || more.length ? [] : [t("legal")])]) told.push(part("p", "", text));
  addExample(t("example_" + example.name), ...told, part("p", "faint", example.clause));
}

async function fill() {
  try {
    const drawing = await fetchJson("/cirkis-board.json", { cache: "default" });
    for (const example of boot.examples) draw(drawing, example);
  } catch (error) {
    setTimeout(fill, 1000);
  }
}

linkBack();
fill();
