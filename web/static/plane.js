// From the table, in mm and seen from above with y up, to the drawing, with y down, turned to a seat.

// Seats go clockwise from the bottom of the table (-y); the angle in degrees that brings a seat to the bottom.
export function seatAngle(seat, seats) {
  return seats > 0 ? (seat * 360) / seats : 0;
}

export function turned(x, y, degrees) {
  const a = (degrees * Math.PI) / 180;
  return [x * Math.cos(a) - y * Math.sin(a), -(x * Math.sin(a) + y * Math.cos(a))];
}

// The corners of a tile {x, y, rot}: origin in the centroid, corner 0 at +y, rot counter-clockwise. inset: mm that
// every edge is drawn in.
export function tileCorners(tile, side, inset) {
  const radius = side / Math.sqrt(3) - 2 * inset;
  return [0, 120, 240].map((corner) => {
    const a = ((corner + 90 + tile.rot) * Math.PI) / 180;
    return [tile.x + radius * Math.cos(a), tile.y + radius * Math.sin(a)];
  });
}

// The part of the drawing to show, {x, y, width, height}: all tiles, `margin` around them, in a box of this aspect
// (width / height).
export function frameOf(tiles, side, degrees, aspect, margin) {
  let points = [];
  for (const tile of tiles) points = points.concat(tileCorners(tile, side, 0).map(([x, y]) => turned(x, y, degrees)));
  if (!points.length) points = [[-side, -side], [side, side]];
  const xs = points.map((p) => p[0]);
  const ys = points.map((p) => p[1]);
  const left = Math.min(...xs) - margin;
  const top = Math.min(...ys) - margin;
  let width = Math.max(...xs) + margin - left;
  let height = Math.max(...ys) + margin - top;
  const cx = left + width / 2;
  const cy = top + height / 2;
  if (width / height < aspect) width = height * aspect;
  else height = width / aspect;
  return { x: cx - width / 2, y: cy - height / 2, width, height };
}

// Where a seat lies on the rim of the frame: from its middle in the seat's direction.
export function seatPlace(frame, seat, seats, degrees, inset) {
  const a = ((-90 - (seat * 360) / Math.max(1, seats) + degrees) * Math.PI) / 180;
  const dx = Math.cos(a);
  const dy = -Math.sin(a);
  const halfWidth = frame.width / 2 - inset;
  const halfHeight = frame.height / 2 - inset;
  const reach = Math.min(
    Math.abs(dx) > 1e-9 ? halfWidth / Math.abs(dx) : Infinity,
    Math.abs(dy) > 1e-9 ? halfHeight / Math.abs(dy) : Infinity,
  );
  return [frame.x + frame.width / 2 + dx * reach, frame.y + frame.height / 2 + dy * reach];
}
