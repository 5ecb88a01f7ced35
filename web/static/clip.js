// "Show me": what was seen around a ruling, played on the drawn board; slowly while it happens, from near, and the stones
// that it is about glow once it has.
import { seatAngle, turned } from "./plane.js";

export const SLOWER = 4;
export const LEAD_MS = 2500; // what was longer before shows nothing of it
export const NEAR_MS = 1000; // so long before and after it is slow
const JOINED_MS = 250; // between two pictures nearer than this a stone is drawn on its way
const ROOM_MM = 34; // around the stones

// What is shown at a time since the beginning, both in ms; shown: after the ruling. Pure.
export function shownAt(from, elapsed) {
  const slow = Math.max(from, -NEAR_MS);
  const left = elapsed - (slow - from);
  if (left < 0) return from + elapsed;
  const long = (NEAR_MS - slow) * SLOWER;
  return left < long ? slow + left / SLOWER : NEAR_MS + left - long;
}

// The stones of a clip at a time, ms after the ruling: between two pictures that are near each other, on their way. Pure.
export function stonesAt(frames, ms) {
  const later = frames.findIndex((frame) => frame.ms > ms);
  const last = frames[(later < 0 ? frames.length : Math.max(1, later)) - 1];
  const next = later > 0 ? frames[later] : null;
  if (!last) return [];
  if (!next || next.ms - last.ms > JOINED_MS) return last.stones;
  const part = (ms - last.ms) / (next.ms - last.ms);
  return last.stones.map((stone) => {
    const then = next.stones.find((other) => other.track === stone.track);
    return then ? { ...stone, x: stone.x + part * (then.x - stone.x), y: stone.y + part * (then.y - stone.y) } : stone;
  });
}

// The part of the board that it is about, {x, y, half}: its middle, and half of what is seen of it, mm; null where there
// are no stones of it. Pure.
export function nearOf({ frames, stones = [] }, degrees) {
  const at = frames.filter(({ ms }) => Math.abs(ms) <= NEAR_MS).flatMap((frame) => frame.stones)
    .filter(({ track }) => stones.includes(track)).map(({ x, y }) => turned(x, y, degrees));
  if (!at.length) return null;
  const [[left, right], [top, bottom]] = [0, 1].map((axis) => [Math.min(...at.map((p) => p[axis])), Math.max(...at.map((p) => p[axis]))]);
  return { x: (left + right) / 2, y: (top + bottom) / 2, half: Math.max(right - left, bottom - top) / 2 + ROOM_MM };
}

function zoom(svg, { x, y, half }) {
  const { width, height } = svg.getBoundingClientRect();
  const [w, h] = width > height ? [(half * width) / height, half] : [half, (half * height) / width];
  svg.setAttribute("viewBox", [x - w, y - h, 2 * w, 2 * h].map(Math.round).join(" "));
}

// Fetches the clip of a ruling and plays it on the page's board; resolves to false where there is none. what: the ruling
// in words. A touch of the board ends it. env: {now() -> ms, later(step), svg}.
export async function playClip(page, ruling, what, env) {
  const clip = await page.fetchJson(`/g/${page.game}/clip/${ruling}`).catch(() => null);
  if (!clip || !clip.frames || !clip.frames.length) return false;
  const from = Math.max(clip.from_ms, -LEAD_MS);
  const near = nearOf(clip, seatAngle(Math.max(0, page.seat()), page.view.players.length));
  const began = env.now();
  let over = false;
  const end = () => (over = true);
  const step = () => {
    const ms = shownAt(from, env.now() - began);
    over = over || ms > clip.to_ms;
    const happened = ms >= 0;
    page.clip = over ? null : {
      stones: stonesAt(clip.frames, ms).map((stone) => (happened && (clip.stones || []).includes(stone.track) ? { ...stone, glow: true } : stone)),
      words: happened ? page.t("showing_it", { what }) : page.t("showing_before", { n: Math.ceil(-ms / 1000) }),
    };
    document.body.dataset.clip = over ? "" : "yes";
    if (over) {
      env.svg.removeEventListener("pointerdown", end);
      page.redraw();
      return;
    }
    page.draw();
    if (near) zoom(env.svg, near);
    env.later(step);
  };
  env.svg.addEventListener("pointerdown", end);
  step();
  return true;
}
