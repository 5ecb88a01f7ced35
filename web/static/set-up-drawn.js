// What the set-up page works out before it draws: the tiles as an SVG of their own, words for quality and time.
import { writtenAll } from "./numbers.js";

// corners: x, y of the three corners of each tile (mm), in a row. Each tile as a path and its middle, y downwards.
export function tileShapes(corners) {
  const tiles = [];
  for (let k = 0; k < corners.length; k += 6) {
    const [ax, ay, bx, by, cx, cy] = corners.slice(k, k + 6);
    tiles.push({ path: `M${ax} ${-ay}L${bx} ${-by}L${cx} ${-cy}Z`, x: (ax + bx + cx) / 3, y: -(ay + by + cy) / 3 });
  }
  return tiles;
}

// The box around corners with a margin, as a viewBox.
export function boxOf(corners, margin) {
  const xs = corners.filter((_, k) => k % 2 === 0);
  const ys = corners.filter((_, k) => k % 2 === 1).map((y) => -y);
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return [left, top, Math.max(...xs) + margin - left, Math.max(...ys) + margin - top].map((v) => Math.round(v)).join(" ");
}

// Whether something lies there, though no magnet is seen: lighter is what a scale may drift by.
export const liesHeavy = (grams) => grams !== null && grams > 2;

// "2026-05-01T18:30:05Z" as the phone writes dates.
export function whenWords(when, lang) {
  const at = new Date(when);
  return Number.isNaN(at.getTime()) ? when : at.toLocaleString(lang, { dateStyle: "medium", timeStyle: "short" });
}

// The figures of one part in words.
export function qualityWords(part, figures, t) {
  const more = part === "gains" && figures.sure < figures.n / 4 ? ". " + t("su_more_points") : ""; // as quality.py grades it
  const unshown = part === "stones" && figures.unshown ? ". " + t("su_unshown", { n: figures.unshown, of: figures.n + figures.unshown }) : "";
  return t("su_grade_" + figures.grade) + unshown + ". " + t("su_q_" + part, writtenAll(figures)) + more;
}
