// The CirKis board as SVG: drawn once, then only what has changed; pan and zoom by fingers, wheel and keys.
import { clamped, moved, thumbScale, boardPoint, wholeBoard, zoomed, REACH } from "./cirkis-window.js";
import { svgElement } from "./shapes.js";

const SLOP_PX = 8; // a finger that moved less has tapped
const REACH_PX = 26; // a tap beside a space still means it
const PATTERNS = { purple: "M0 0L28 28M-7 21L7 35M21-7L35 7", red: "M8 8h.1M22 22h.1", green: "M0 8H28M0 22H28",
  yellow: "M7 3V15M1 9H13M21 17V29M15 23H27" };

export class CirkisBoard {
  // on: {tap(space), window()}: a space was tapped; the window moved.
  constructor(svg, spaces, on) {
    this.svg = svg;
    this.spaces = spaces;
    this.on = on;
    this.thumb = thumbScale(spaces.corners);
    this.at = null;
    this.cursor = null;
    this.shown = {};
    this.pointers = new Map();
    const defs = svgElement("defs", {}, svg);
    for (const colour in PATTERNS) {
      const pattern = svgElement("pattern", { id: "look-" + colour, width: 28, height: 28, patternUnits: "userSpaceOnUse" }, defs);
      svgElement("path", { d: PATTERNS[colour], class: "look c-" + colour }, pattern);
    }
    svgElement("polygon", { points: pointsOf(spaces.outline), class: "ground" }, svg);
    const layer = (name) => svgElement("g", { class: name }, svg);
    this.layers = { spaces: layer("spaces"), looks: layer("looks") };
    this.cells = spaces.corners.map((corners) => svgElement("polygon", { points: pointsOf(corners) }, this.layers.spaces));
    const shapes = svgElement("path", { class: "rims", d: Object.keys(spaces.shapes)
      .filter((id) => id !== "ring").map((id) => pathOf(spaces.rim(spaces.shapes[id]))).join("") }, svg);
    shapes.setAttribute("aria-hidden", "true");
    for (const name of ["pieces", "leader", "letters", "done", "open", "choice", "cursor"]) this.layers[name] = layer(name);
    this.listen();
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
    this.place();
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

  box() {
    return this.svg.getBoundingClientRect();
  }

  // Show a window, the present one by default.
  place(at = this.at) {
    const box = this.box();
    if (!box.width) return;
    this.at = clamped(at || wholeBoard(box), box, this.thumb);
    const [x, y] = boardPoint(this.at, box, 0, 0);
    const view = [x, y, box.width / this.at.scale, box.height / this.at.scale].map(round1).join(" ");
    if (view !== this.shown.view) {
      this.shown.view = view;
      this.svg.setAttribute("viewBox", view);
      this.on.window();
    }
  }

  whole() {
    return !this.at || this.at.scale < wholeBoard(this.box()).scale * 1.05;
  }

  // Large enough for thumbs, around a space (or the middle).
  near(space) {
    const [x, y] = space === null ? [0, 0] : this.spaces.signs[space];
    this.place({ x, y, scale: this.thumb });
  }

  // One step in or out, around the middle of what is seen.
  step(factor) {
    const box = this.box();
    this.place(zoomed(this.at, box, this.at.scale * factor, box.width / 2, box.height / 2));
  }

  fit() {
    this.place({ x: 0, y: 0, scale: 0 });
  }

  listen() {
    const { svg } = this;
    const place = (event) => {
      const box = this.box();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    svg.addEventListener("pointerdown", (event) => {
      if (!this.pointers.size) this.still = true;
      this.pointers.set(event.pointerId, place(event));
      this.from = place(event);
      if (this.pointers.size > 1) this.still = false;
      if (svg.setPointerCapture) svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointermove", (event) => {
      if (!this.pointers.has(event.pointerId)) return;
      const before = [...this.pointers.values()];
      const here = place(event);
      if (this.still && Math.hypot(here[0] - this.from[0], here[1] - this.from[1]) < SLOP_PX) return;
      this.still = false;
      this.pointers.set(event.pointerId, here);
      this.place(moved(this.at, this.box(), before, [...this.pointers.values()]));
    });
    svg.addEventListener("pointerup", (event) => {
      if (this.pointers.delete(event.pointerId) && this.still && !this.pointers.size) this.tapped(place(event), event.pointerType);
    });
    svg.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.place(zoomed(this.at, this.box(), this.at.scale * Math.exp(-event.deltaY / 300), ...place(event)));
    }, { passive: false });
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("blur", () => this.point(null));
  }

  // A finger on spaces that are too small for it brings them nearer first.
  tapped([px, py], pointer) {
    const [x, y] = boardPoint(this.at, this.box(), px, py);
    const space = this.spaces.at(x, y, REACH_PX / this.at.scale);
    if (pointer !== "mouse" && this.at.scale < this.thumb * 0.7) this.near(space);
    else if (space !== null) this.on.tap(space);
  }

  key(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way) this.point(this.cursor === null ? this.spaces.at(0, 0, REACH) : this.spaces.beside(this.cursor, ...way));
    else if (event.key === "+") this.step(1.5);
    else if (event.key === "-") this.step(1 / 1.5);
    else if ((event.key === "Enter" || event.key === " ") && this.cursor !== null) this.on.tap(this.cursor);
    else return;
    event.preventDefault();
  }

  point(space) {
    this.cursor = space;
    this.layer("cursor", space, (group) => space !== null && svgElement("polygon", { points: pointsOf(this.spaces.corners[space]) }, group));
    if (space !== null) this.on.point(space);
  }
}

// The outline of some spaces as a small picture of its own.
export function outlinePicture(spaces, covered) {
  const corners = [].concat(...covered.map((space) => spaces.corners[space]));
  const low = [0, 1].map((axis) => Math.min(...corners.map((corner) => corner[axis])) - 8);
  const high = [0, 1].map((axis) => Math.max(...corners.map((corner) => corner[axis])) + 8);
  const picture = svgElement("svg", { class: "outline", viewBox: [...low, high[0] - low[0], high[1] - low[1]].map(round1).join(" "), "aria-hidden": "true" });
  for (const space of covered) svgElement("polygon", { points: pointsOf(spaces.corners[space]) }, picture);
  svgElement("path", { d: pathOf(spaces.rim(covered)) }, picture);
  return picture;
}

function round1(value) {
  return Math.round(value * 10) / 10;
}

function pointsOf(corners) {
  return corners.map((corner) => corner.map(round1).join()).join(" ");
}

function pathOf(sides) {
  return sides.map(([from, to]) => `M${from.map(round1).join()}L${to.map(round1).join()}`).join("");
}
