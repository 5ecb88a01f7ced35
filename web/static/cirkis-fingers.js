// Fingers, wheel and keys on the drawn board: pan and zoom, and which space a tap means.
import { pathOf, pointsOf, round1 } from "./cirkis-board.js";
import { Taps } from "./cirkis-taps.js";
import { boardPoint, clamped, moved, REACH, thumbScale, wholeBoard, zoomed } from "./cirkis-window.js";
import { svgElement } from "./shapes.js";

const SLOP_PX = 8; // a finger that moved less has tapped
const REACH_PX = 26; // a tap beside a space still means it

export class Fingers {
  // board: a CirkisBoard in svg. on: {tap(space), point(space), window()}: a space was tapped, is under the keys; the
  // window has moved.
  constructor(svg, board, on) {
    this.svg = svg;
    this.on = on;
    this.at = null;
    this.pointers = new Map();
    this.take(board);
    this.listen();
  }

  // Another drawing of the board, turned to another seat.
  take(board) {
    this.board = board;
    this.spaces = board.spaces;
    this.taps = new Taps(board.spaces);
    this.cursor = null;
    // slivers are slim: a tap beside one means it too
    this.thumb = 1.1 * thumbScale(this.spaces.corners.filter((_, space) => this.spaces.kinds[space] !== "s"));
    this.view = "";
    this.place();
  }

  box() {
    return this.svg.getBoundingClientRect();
  }

  // Show a window, the present one by default.
  place(at = this.at) {
    const box = this.box();
    if (!box.width || !box.height) return; // it has no place yet
    this.at = clamped(at || wholeBoard(box), box, this.thumb);
    const [x, y] = boardPoint(this.at, box, 0, 0);
    const view = [x, y, box.width / this.at.scale, box.height / this.at.scale].map(round1).join(" ");
    if (view === this.view) return;
    this.view = view;
    this.svg.setAttribute("viewBox", view);
    this.on.window();
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
    const space = this.taps.at(x, y, REACH_PX / this.at.scale);
    if (pointer !== "mouse" && this.at.scale < this.thumb * 0.8) this.near(space);
    else if (space !== null) this.on.tap(space);
  }

  key(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way) this.point(this.cursor === null ? this.taps.at(0, 0, REACH) : this.taps.beside(this.cursor, ...way));
    else if (event.key === "+") this.step(1.5);
    else if (event.key === "-") this.step(1 / 1.5);
    else if ((event.key === "Enter" || event.key === " ") && this.cursor !== null) this.on.tap(this.cursor);
    else return;
    event.preventDefault();
  }

  point(space) {
    this.cursor = space;
    this.board.layer("cursor", space, (group) => space !== null && svgElement("polygon", { points: pointsOf(this.spaces.corners[space]) }, group));
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

