// Which space of the board a finger means, and what a tap makes of the spaces chosen. Pure; which placement is legal is the
// server's to say.
import { sidesOf } from "./cirkis-spaces.js";

export class Taps {
  // spaces: a Spaces. edge: for each space those that share a side with it.
  constructor(spaces) {
    this.spaces = spaces;
    this.edge = spaces.corners.map(() => []);
    const owners = {};
    spaces.numbers.forEach((numbers, space) => sidesOf(numbers).forEach((side) => {
      const other = owners[side];
      owners[side] = space;
      if (other === undefined || this.edge[space].includes(other)) return; // a sliver shares two sides with one space
      this.edge[space].push(other);
      this.edge[other].push(space);
    }));
  }

  // The space at a point: the one it lies in, else the nearest within `reach`; null where there is none.
  at(x, y, reach) {
    let best = null;
    let least = reach;
    for (let space = 0; space < this.spaces.corners.length; space += 1) {
      if (inside(this.spaces.corners[space], x, y)) return space;
      const [sx, sy] = this.spaces.signs[space];
      const far = Math.hypot(sx - x, sy - y);
      if (far < least) [best, least] = [space, far];
    }
    return best;
  }

  // The space next to one in a direction (dx, dy), for arrow keys: of those that share a side the one most that way.
  beside(space, dx, dy) {
    const [fromX, fromY] = this.spaces.signs[space];
    let best = space;
    let least = Infinity;
    for (const other of this.edge[space]) {
      const [x, y] = this.spaces.signs[other];
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
    const own = Object.keys(this.spaces.shapes).filter((id) => this.spaces.shapes[id].includes(space));
    return own.find((id) => id !== "ring") || (ring && own.includes("ring") ? "ring" : null);
  }
}

function inside(corners, x, y) {
  let within = false;
  corners.forEach(([ax, ay], k) => {
    const [bx, by] = corners[(k + 1) % 4];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
  });
  return within;
}
