// The drawn board: tiles, stones, seats. Written to the DOM directly, only what has changed.
import { frameOf, seatAngle, seatPlace, tileCorners, turned } from "./plane.js";
import { svgElement, token } from "./shapes.js";

const STONE_MM = 10; // drawn radius; the stones are 13-20 mm across
const SEAT_PX = 15;

function round(value) {
  return Math.round(value * 10) / 10;
}

export class BoardDrawing {
  constructor(svg) {
    this.svg = svg;
    this.layout = "";
    this.degrees = 0;
    this.stones = new Map();
    this.tiles = svgElement("g", { class: "tiles" }, svg);
    this.seats = svgElement("g", { class: "seats" }, svg);
    this.rest = svgElement("g", {}, svg);
    this.held = svgElement("g", {}, svg);
  }

  // view: the public view; mySeat: number, -1: none; texts for screen readers: label(stones) -> text.
  show(view, mySeat, label) {
    const box = this.svg.getBoundingClientRect();
    const layout = JSON.stringify([view.board.tiles, view.board.side, mySeat, view.turn, box.width, box.height,
      view.players.map((p) => [p.seat, p.colour, p.shape, p.letter])]);
    if (layout !== this.layout && box.width > 0) {
      this.layout = layout;
      this.drawTable(view, mySeat, box);
    }
    const here = new Set();
    for (const stone of view.board.stones) {
      here.add(stone.track);
      this.drawStone(stone);
    }
    for (const [track, drawn] of this.stones) {
      // One lost for a moment stays drawn: in a heap that moves, tracks end and begin again.
      if (here.has(track)) drawn.ends = clearTimeout(drawn.ends);
      else drawn.ends ||= setTimeout(() => drawn.group.remove() || this.stones.delete(track), 400);
    }
    const text = label(view.board.stones.filter((stone) => !stone.ghost));
    if (text !== this.label) this.svg.setAttribute("aria-label", (this.label = text));
  }

  // Asks for a new drawing where the box has changed its size since the last one.
  resized(draw) {
    const { width, height } = this.svg.getBoundingClientRect();
    if (this.size !== `${width}x${height}`) draw();
  }

  drawTable(view, mySeat, box) {
    this.size = `${box.width}x${box.height}`;
    const seats = view.players.length;
    this.degrees = mySeat < 0 ? 0 : seatAngle(mySeat, seats);
    const roomy = box.height >= 230;
    const flat = frameOf(view.board.tiles, view.board.side, this.degrees, box.width / box.height, 6);
    const perPx = flat.width / box.width;
    const margin = roomy ? 6 + SEAT_PX * 2.6 * perPx : 6;
    const frame = frameOf(view.board.tiles, view.board.side, this.degrees, box.width / box.height, margin);
    this.svg.setAttribute("viewBox", [frame.x, frame.y, frame.width, frame.height].map(round).join(" "));
    this.tiles.textContent = "";
    this.seats.textContent = "";
    view.board.tiles.forEach((tile, index) => {
      const points = (inset) => tileCorners(tile, view.board.side, inset)
        .map(([x, y]) => turned(x, y, this.degrees).map(round).join(",")).join(" ");
      svgElement("polygon", { points: points(4), class: "tile t" + (index % 4) }, this.tiles);
      svgElement("polygon", { points: points(11), class: "tile-line" }, this.tiles);
      svgElement("polygon", { points: points(30), class: "tile-heart" }, this.tiles);
    });
    if (!roomy) return;
    const scale = SEAT_PX * (frame.width / box.width);
    for (const player of view.players) {
      const [x, y] = seatPlace(frame, player.seat, seats, this.degrees, scale * 1.65);
      const mark = svgElement("g", { transform: `translate(${round(x)} ${round(y)}) scale(${round(scale)})` }, this.seats);
      if (player.id === view.turn) svgElement("circle", { r: 1.32, class: "seat-turn" }, mark);
      token(player, mark);
    }
    for (const drawn of this.stones.values()) drawn.key = "";
  }

  drawStone(stone) {
    const key = [stone.x, stone.y, stone.turn, stone.upright, stone.pole, stone.held, stone.glow].join();
    let drawn = this.stones.get(stone.track);
    if (drawn && drawn.key === key) return;
    if (!drawn) {
      drawn = { key: "", look: "", group: svgElement("g", {}) };
      this.stones.set(stone.track, drawn);
    }
    drawn.key = key;
    const look = [stone.upright, stone.pole, stone.held, stone.glow].join();
    if (look !== drawn.look) {
      drawn.look = look;
      drawn.body = this.fill(drawn.group, stone);
      (stone.held ? this.held : this.rest).appendChild(drawn.group);
    }
    const [x, y] = turned(stone.x, stone.y, this.degrees);
    drawn.group.setAttribute("transform", `translate(${round(x)} ${round(y)})` + (stone.held ? " scale(1.25)" : ""));
    if (drawn.body) drawn.body.setAttribute("transform", `rotate(${round(-((stone.turn || 0) + this.degrees))})`);
  }

  // Returns the part that turns with the stone.
  fill(group, stone) {
    group.textContent = "";
    group.setAttribute("class", "stone" + (stone.held ? " held" : "") + (stone.ghost ? " ghost" : "") + (stone.glow ? " glow" : ""));
    const r = STONE_MM;
    if (stone.glow) svgElement("circle", { r: r + 4, class: "halo" }, group);
    if (!stone.upright) svgElement("circle", { cx: stone.held ? 4 : 1, cy: stone.held ? 7 : 2, r, class: "shadow" }, group);
    if (stone.held || stone.ghost) svgElement("circle", { r: r + 3, class: "hand" }, group);
    if (stone.upright) {
      // The moment lies level along x of this group: north towards +x.
      const body = svgElement("g", {}, group);
      const box = { x: -5, y: -r, width: 10, height: 2 * r, rx: 2.5 };
      svgElement("rect", { x: -7.5, y: -r - 1, width: 15, height: 2 * r + 3, rx: 4, class: "shadow" }, body);
      svgElement("rect", { ...box, class: "south" }, body);
      svgElement("path", { d: `M0 ${-r}H2.5A2.5 2.5 0 0 1 5 ${2.5 - r}V${r - 2.5}A2.5 2.5 0 0 1 2.5 ${r}H0Z`, class: "north" }, body);
      svgElement("rect", { ...box, class: "rim" }, body);
      return body;
    }
    svgElement("circle", { r, class: "body" }, group);
    if (stone.pole > 0) svgElement("circle", { r: r - 2.6, class: "north" }, group);
    if (stone.pole < 0) svgElement("rect", { x: -5.6, y: -5.6, width: 11.2, height: 11.2, rx: 1.8, class: "south" }, group);
    if (stone.pole) {
      const letter = svgElement("text", { y: 3.1 }, group);
      letter.textContent = stone.pole > 0 ? "N" : "S";
    }
    return null;
  }
}
