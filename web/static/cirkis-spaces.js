// The board's spaces as the page needs them: corners, which share a side, which lies under a finger, and what a tap makes
// of the spaces chosen. Pure; which placement is legal is the server's to say.
export class Spaces {
  // drawing: of companion/views/cirkis_drawing.py; turn: tenths of a turn to draw it by.
  constructor(drawing, turn = 0) {
    const a = (turn * Math.PI) / 5;
    const point = (list, n) => [list[2 * n] * Math.cos(a) - list[2 * n + 1] * Math.sin(a),
      list[2 * n] * Math.sin(a) + list[2 * n + 1] * Math.cos(a)];
    this.corners = drawing.spaces.map((numbers) => numbers.map((n) => point(drawing.points, n)));
    this.outline = drawing.outline.slice(0, 10).map((_, n) => point(drawing.outline, n));
    this.kinds = drawing.kinds;
    this.shapes = drawing.shapes;
    this.numbers = drawing.spaces;
    this.signs = this.corners.map((corners, n) => middleOf(corners, drawing.kinds[n]));
    const owners = {};
    this.edge = this.corners.map(() => []);
    drawing.spaces.forEach((numbers, space) => sidesOf(numbers).forEach((side) => {
      const other = owners[side];
      owners[side] = space;
      if (other === undefined || this.edge[space].includes(other)) return; // a sliver shares two sides with one space
      this.edge[space].push(other);
      this.edge[other].push(space);
    }));
  }

  // The outline of a piece or shape: the sides that only one of its spaces has, as pairs of corners.
  rim(spaces) {
    const count = {};
    for (const space of spaces) for (const side of sidesOf(this.numbers[space])) count[side] = (count[side] || 0) + 1;
    const sides = [];
    for (const space of spaces) {
      sidesOf(this.numbers[space]).forEach((side, k) => {
        if (count[side] === 1) sides.push([this.corners[space][k], this.corners[space][(k + 1) % 4]]);
      });
    }
    return sides;
  }

  // The space at a point: the one it lies in, else the nearest within `reach`; null where there is none.
  at(x, y, reach) {
    let best = null;
    let least = reach;
    for (let space = 0; space < this.corners.length; space += 1) {
      if (inside(this.corners[space], x, y)) return space;
      const [sx, sy] = this.signs[space];
      const far = Math.hypot(sx - x, sy - y);
      if (far < least) [best, least] = [space, far];
    }
    return best;
  }

  // The space next to one in a direction (dx, dy), for arrow keys: of those that share a side the one most that way.
  beside(space, dx, dy) {
    const [fromX, fromY] = this.signs[space];
    let best = space;
    let least = Infinity;
    for (const other of this.edge[space]) {
      const [x, y] = this.signs[other];
      const along = (x - fromX) * dx + (y - fromY) * dy;
      const across = Math.abs((x - fromX) * dy - (y - fromY) * dx);
      if (along > across && along + across < least) [best, least] = [other, along + across];
    }
    return best;
  }

  // The spaces chosen after a tap: one that adjoins is added, one that is chosen is taken out, any other begins anew. What
  // no longer hangs together after taking one out is let go, but for the part of the space chosen last.
  chosen(before, space) {
    if (before.includes(space)) {
      const rest = before.filter((each) => each !== space);
      return rest.length ? this.joined(rest, rest[rest.length - 1]) : rest;
    }
    return before.some((each) => this.edge[each].includes(space)) ? [...before, space] : [space];
  }

  joined(spaces, from) {
    const reached = [from];
    for (const space of reached) {
      for (const next of spaces) if (!reached.includes(next) && this.edge[space].includes(next)) reached.push(next);
    }
    return spaces.filter((space) => reached.includes(space));
  }

  // The shape under a finger in quick mode: a star or circle of the space, else the ring where it is played.
  shapeAt(space, ring) {
    const own = Object.keys(this.shapes).filter((id) => this.shapes[id].includes(space));
    return own.find((id) => id !== "ring") || (ring && own.includes("ring") ? "ring" : null);
  }
}

function sidesOf(numbers) {
  return numbers.map((n, k) => [n, numbers[(k + 1) % 4]].sort((a, b) => a - b).join());
}

// A place well inside a space: the mean of its corners, a dart's moved towards its tip.
function middleOf(corners, kind) {
  const weights = kind === "d" ? [0.55, 0, 0.45, 0] : [0.25, 0.25, 0.25, 0.25];
  return [0, 1].map((axis) => corners.reduce((sum, corner, k) => sum + weights[k] * corner[axis], 0));
}

function inside(corners, x, y) {
  let within = false;
  corners.forEach(([ax, ay], k) => {
    const [bx, by] = corners[(k + 1) % 4];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
  });
  return within;
}
