// The part of the board that is shown: pan and zoom as plain numbers. A window is {x, y, scale}: the board's point in the
// middle of the box, and pixels per unit of the drawing (companion/views/cirkis_drawing.py). Pure.
export const REACH = 535; // half of what can be shown, units: the board's corners lie 524 from its middle
const THUMB_PX = 44;

// The whole board in a box of these pixels.
export function wholeBoard(box) {
  return { x: 0, y: 0, scale: Math.min(box.width, box.height) / (2 * REACH) };
}

// The scale at which the narrowest of some spaces is as wide as a thumb needs. corners: of each, [[x, y]].
export function thumbScale(corners) {
  let narrow = Infinity;
  for (const each of corners) {
    for (const axis of [0, 1]) {
      const along = each.map((corner) => corner[axis]);
      narrow = Math.min(narrow, Math.max(...along) - Math.min(...along));
    }
  }
  return THUMB_PX / narrow;
}

// No further out than the whole board, no further in than a few times a thumb's scale, never beside the board.
export function clamped(at, box, most) {
  const least = wholeBoard(box).scale;
  const scale = Math.min(Math.max(at.scale, least), Math.max(most * 2.5, least));
  const room = (size) => Math.max(0, REACH - size / (2 * scale));
  const within = (value, reach) => Math.min(reach, Math.max(-reach, value));
  return { x: within(at.x, room(box.width)), y: within(at.y, room(box.height)), scale };
}

// The board's point under a pixel of the box.
export function boardPoint(at, box, px, py) {
  return [at.x + (px - box.width / 2) / at.scale, at.y + (py - box.height / 2) / at.scale];
}

// Another scale, with the board's point under a pixel staying there.
export function zoomed(at, box, scale, px, py) {
  const [x, y] = boardPoint(at, box, px, py);
  return { x: x - (px - box.width / 2) / scale, y: y - (py - box.height / 2) / scale, scale };
}

// Fingers moved: one drags, two pinch. before, after: [[px, py]], as many in both.
export function moved(at, box, before, after) {
  const middle = (points) => [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  const span = (points) => (points.length < 2 ? 1 : Math.hypot(points[0][0] - points[1][0], points[0][1] - points[1][1]) || 1);
  const [fromX, fromY] = middle(before);
  const [toX, toY] = middle(after);
  const next = zoomed(at, box, (at.scale * span(after)) / span(before), fromX, fromY);
  return { x: next.x - (toX - fromX) / next.scale, y: next.y - (toY - fromY) / next.scale, scale: next.scale };
}
