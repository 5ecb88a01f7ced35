// The CirKis board as SVG: drawn once, then only what has changed. What fingers do with it is in cirkis-fingers.js.
import { svgElement } from "./shapes.js";

const PATTERNS = { purple: "M0 0L28 28M-7 21L7 35M21-7L35 7", red: "M8 8h.1M22 22h.1", green: "M0 8H28M0 22H28",
  yellow: "M7 3V15M1 9H13M21 17V29M15 23H27" };

export class CirkisBoard {
  constructor(svg, spaces) {
    this.spaces = spaces;
    this.shown = {};
    svg.textContent = "";
    svg.setAttribute("viewBox", "-535 -535 1070 1070");
    const defs = svgElement("defs", {}, svg);
    for (const colour in PATTERNS) {
      const pattern = svgElement("pattern", { id: "look-" + colour, width: 28, height: 28, patternUnits: "userSpaceOnUse" }, defs);
      svgElement("path", { d: PATTERNS[colour], class: "look c-" + colour }, pattern);
    }
    svgElement("polygon", { points: pointsOf(spaces.outline), class: "ground" }, svg);
    const layer = (name) => svgElement("g", { class: name }, svg);
    this.layers = { spaces: layer("spaces"), looks: layer("looks") };
    this.cells = spaces.corners.map((corners) => svgElement("polygon", { points: pointsOf(corners) }, this.layers.spaces));
    const shapes = Object.keys(spaces.shapes).filter((id) => id !== "ring").map((id) => spaces.rim(spaces.shapes[id]));
    svgElement("path", { class: "rims", d: shapes.map(pathOf).join("") }, svg);
    for (const name of ["pieces", "leader", "letters", "done", "open", "choice", "cursor"]) this.layers[name] = layer(name);
  }

  // what: {held: {space: player}, pieces: [{player, spaces}], leader: [spaces]|null, open: [spaces], chosen: [spaces],
  // chooser: player|null, done: [{shape, player|null}]}; player: {colour, letter}.
  show(what) {
    this.cells.forEach((cell, space) => {
      const who = what.held[space];
      const look = "space " + this.spaces.kinds[space] + this.tint(space) + (who ? " c-" + who.colour + " held" : "");
      if (cell.getAttribute("class") !== look) cell.setAttribute("class", look);
    });
    this.layer("looks", what.pieces, (group) => what.pieces.forEach(({ player, spaces }) => spaces.forEach((space) =>
      svgElement("polygon", { points: pointsOf(this.spaces.corners[space]), fill: `url(#look-${player.colour})` }, group))));
    this.layer("pieces", what.pieces, (group) => svgElement("path",
      { d: what.pieces.map(({ spaces }) => pathOf(this.spaces.rim(spaces))).join("") }, group));
    this.layer("leader", what.leader, (group) => what.leader && ["halo", "line"].forEach((name) =>
      svgElement("path", { class: name, d: pathOf(this.spaces.rim(what.leader)) }, group)));
    this.layer("letters", what.pieces, (group) => what.pieces.forEach(({ player, spaces }) => spaces.forEach((space) =>
      this.letter(space, player.letter, "c-" + player.colour, group))));
    this.layer("done", what.done, (group) => what.done.forEach(({ shape, player }) => {
      const [x, y] = this.middle(shape);
      svgElement("circle", { cx: x, cy: y, r: 24, class: "c-" + (player ? player.colour : "none") }, group);
      svgElement("text", { x, y: y + 12, class: "c-" + (player ? player.colour : "none") }, group).textContent = player ? player.letter : "–";
    }));
    this.layer("open", what.open, (group) => what.open.forEach((space) => {
      const [cx, cy] = this.spaces.signs[space];
      svgElement("circle", { cx, cy, r: this.spaces.kinds[space] === "k" ? 11 : 8 }, group);
    }));
    this.layer("choice", [what.chosen, what.chooser], (group) => {
      group.setAttribute("class", "choice c-" + (what.chooser ? what.chooser.colour : "none"));
      for (const space of what.chosen) svgElement("polygon", { points: pointsOf(this.spaces.corners[space]) }, group);
      svgElement("path", { d: pathOf(this.spaces.rim(what.chosen)) }, group);
    });
  }

  layer(name, what, fill) {
    const key = JSON.stringify(what);
    if (this.shown[name] === key) return;
    this.shown[name] = key;
    this.layers[name].textContent = "";
    fill(this.layers[name]);
  }

  tint(space) {
    const ids = Object.keys(this.spaces.shapes).filter((id) => this.spaces.shapes[id].includes(space));
    return ids.map((id) => " in-" + id.split("-")[0]).join("");
  }

  letter(space, text, look, group) {
    const [x, y] = this.spaces.signs[space];
    const size = { k: 36, d: 26, s: 22 }[this.spaces.kinds[space]];
    svgElement("text", { x: round1(x), y: round1(y + size * 0.36), "font-size": size, class: look }, group).textContent = text;
  }

  // Where a shape's mark stands: for a circle or star the point that its five tips share.
  middle(shape) {
    if (shape === "ring") return [0, -100];
    return this.spaces.corners[this.spaces.shapes[shape][0]][0];
  }
}

export function round1(value) {
  return Math.round(value * 10) / 10;
}

export function pointsOf(corners) {
  return corners.map((corner) => corner.map(round1).join()).join(" ");
}

export function pathOf(sides) {
  return sides.map(([from, to]) => `M${from.map(round1).join()}L${to.map(round1).join()}`).join("");
}
