// What the diagnostics page works out before it draws: where a place lies on the canvas, colours, words for faults.
import { agoText } from "./amounts.js";

const MARGIN = 12;

// corners: x, y of the tiles' corners (mm), in a row. Gives functions of x and y in mm, y upwards, and pixels a mm.
export function mapFrame(corners, width, height) {
  const xs = corners.filter((_, k) => k % 2 === 0);
  const ys = corners.filter((_, k) => k % 2 === 1);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  const scale = Math.min((width - 2 * MARGIN) / (right - left), (height - 2 * MARGIN) / (top - bottom));
  return {
    scale,
    x: (mm) => width / 2 + (mm - (left + right) / 2) * scale,
    y: (mm) => height / 2 - (mm - (bottom + top) / 2) * scale,
  };
}

// Nothing, north and south as a map shows them by day, and on a dark page.
const HUES = { day: [[238, 238, 238], [208, 48, 48], [48, 48, 208]], dark: [[74, 62, 52], [255, 112, 96], [122, 164, 255]] };

// part: -1 (blue, south) to 1 (red, north), 0 is nearly as the ground. The square root shows faint fields too.
export function redBlue(part, look = "day") {
  const deep = Math.sqrt(Math.min(1, Math.abs(part)));
  const [none, north, south] = HUES[look];
  return `rgb(${(part >= 0 ? north : south).map((most, k) => Math.round(none[k] + (most - none[k]) * deep)).join()})`;
}

// Short numbers for stones' tracks: each keeps the one that it had, a new one takes the lowest that is free.
export function stoneNumbers(tracks, before = new Map()) {
  const kept = new Map(tracks.filter((track) => before.has(track)).map((track) => [track, before.get(track)]));
  const used = new Set(kept.values());
  let next = 1;
  return new Map(tracks.map((track) => {
    while (!kept.has(track) && used.has(next)) next += 1;
    if (!kept.has(track)) used.add(next);
    return [track, kept.has(track) ? kept.get(track) : next];
  }));
}

// Where to write what belongs to points {x, y, width of its text}: beside its point, inside the canvas, over no text that
// was written before, as far as there is room. The start of each one's base line; high: the letters' size.
export function labelPlaces(points, width, height, high) {
  const written = [];
  return points.map((point) => {
    const sides = [8, -8 - point.width].flatMap((dx) => [-8, 8 + high].map((dy) => [dx, dy]));
    const further = [1, 2, 3].flatMap((n) => sides.map(([dx, dy]) => [dx, dy + Math.sign(dy) * n * high]));
    const places = [...sides, ...further].map(([dx, dy]) => ({
      x: Math.max(0, Math.min(point.x + dx, width - point.width)), y: Math.max(high, Math.min(point.y + dy, height - 2)) }));
    const free = places.find(({ x, y }) => written.every((w) => x >= w.x + w.width || w.x >= x + point.width || Math.abs(y - w.y) >= high));
    const at = free || places[0];
    written.push({ ...at, width: point.width });
    return at;
  });
}

// Codes such as "sensor_dead:A17" in the phone's language.
export function faultWords(faults, t) {
  return faults.map((fault) => {
    const [code, named, of] = [...fault.split(":"), ""];
    const where = of ? `${named} (${of})` : named; // a select line of one multiplexer
    if (t.has("fault_" + code)) return t("fault_" + code, { where });
    if (!t.has(code)) return t("fault_other", { code: fault });
    const advice = code.replace("link_", "advice_"); // of a link that is not live: what to do about it
    return advice !== code && t.has(advice) ? t(code) + " " + t(advice) : t(code);
  });
}

// How the connection to the board stands, "" where that is not known.
export function linkWords(health, t) {
  const key = "state_" + health.link;
  const radio = health.rssi_dbm === null ? "" : " " + t("diagnostics_radio", { n: health.rssi_dbm });
  const held = health.held_by?.length ? " " + t("diagnostics_held", { names: health.held_by.join(", ") }) : "";
  return health.link && t.has(key) ? t("diagnostics_link", { state: t(key) }) + radio + held : "";
}

// How long before the glimpse the sensors were last zeroed, on the empty board.
export function zeroWords(glimpse, t) {
  if (glimpse.zeroed_us === null || glimpse.zeroed_us === undefined) return t("diagnostics_no_zero");
  return agoText("diagnostics_zeroed", Math.max(0, (glimpse.t_us - glimpse.zeroed_us) / 1e6), t);
}

// Adds a point to a curve and takes away what is older than keptS, or of another session.
export function history(points, at, value, keptS) {
  if (points.length && at < points[points.length - 1][0]) points.length = 0;
  if (!points.length || at > points[points.length - 1][0]) points.push([at, value]);
  while (points.length && at - points[0][0] > keptS) points.shift();
}
