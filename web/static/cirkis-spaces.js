// The board's spaces as they are drawn. Pure.
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
}

// The sides of a space, each named by the numbers of its two points.
export function sidesOf(numbers) {
  return numbers.map((n, k) => [n, numbers[(k + 1) % 4]].sort((a, b) => a - b).join());
}

// A place well inside a space: the mean of its corners, a dart's moved towards its tip.
function middleOf(corners, kind) {
  const weights = kind === "d" ? [0.55, 0, 0.45, 0] : [0.25, 0.25, 0.25, 0.25];
  return [0, 1].map((axis) => corners.reduce((sum, corner, k) => sum + weights[k] * corner[axis], 0));
}
