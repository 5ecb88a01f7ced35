// How Yikerz is played: each point from its clauses, with a drawn example.
import { part } from "./dom.js";
import { addExample, linkBack } from "./help-page.js";
import { translator } from "./i18n.js";
import { bootData } from "./phone.js";
import { svgElement } from "./shapes.js";

const boot = bootData();
const t = translator(boot.texts, boot.lang);

// Key of the text, its clauses, and the drawing: lists of [kind, x, y].
const POINTS = [
  ["place", ["Y06", "Y09"], [["hand", 50, 18], ["north", 50, 26]]],
  ["push", ["Y07", "Y27"], [["north", 34, 40], ["upright", 62, 40], ["arrow", 47, 40]]],
  ["snap", ["Y10", "Y12"], [["glow", 46, 38], ["glow", 54, 38]]],
  ["fall", ["Y08", "Y11"], [["north", 30, 38], ["south", 93, 54]]],
  ["ten", ["Y13", "Y14"], [["digits", 50, 40]]],
  ["last", ["Y15", "Y40"], [["word", 50, 36]]],
  ["win", ["Y17", "Y44"], [["star", 50, 36]]],
];

function draw(kind, x, y, svg) {
  const text = (words, size) => {
    const element = svgElement("text", { x, y: y + size / 3, "font-size": size, "text-anchor": "middle", class: "help-text" }, svg);
    element.textContent = words;
  };
  if (kind === "arrow") svgElement("path", { d: `M${x - 5} ${y}h9m-3-3l3 3-3 3`, class: "help-line" }, svg);
  else if (kind === "hand") svgElement("path", { d: `M${x} ${y - 3}v-12m-4 3v-4m8 4v-4`, class: "help-line" }, svg);
  else if (kind === "upright") svgElement("rect", { x: x - 3, y: y - 6, width: 6, height: 12, rx: 2, class: "south" }, svg);
  else if (kind === "digits") text("10", 26);
  else if (kind === "word") text(t("last_yiker"), 13);
  else if (kind === "star") text("★", 30);
  else {
    if (kind === "glow") svgElement("circle", { cx: x, cy: y, r: 8, class: "halo" }, svg);
    svgElement("circle", { cx: x, cy: y, r: 6, class: kind === "south" ? "south" : "north" }, svg);
  }
}

function picture(parts) {
  const svg = svgElement("svg", { viewBox: "0 0 100 64", class: "help-picture", "aria-hidden": "true" });
  svgElement("path", { d: "M6 58L32 12L58 58ZM42 12H94L68 58Z", class: "help-tile" }, svg);
  for (const [kind, x, y] of parts) draw(kind, x, y, svg);
  return svg;
}

for (const [key, clauses, parts] of POINTS) {
  addExample(t("help_" + key), picture(parts), part("p", "", t("help_" + key + "_more")), part("p", "faint", clauses.join(" · ")));
}
linkBack();
