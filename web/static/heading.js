// The head of the live page: whose turn and what to do, what has been taken, and what is wrong with link or sensors.
import { byId, part, rebuild, write } from "./dom.js";
import { tokenPicture } from "./shapes.js";

export function drawHead(view, words) {
  const who = view.players.find((p) => p.id === words.player);
  write(byId("turn"), "className", "turn c-" + (who ? who.colour : "none"));
  for (const id of ["sign", "who"]) rebuild(byId(id), who && [who.colour, who.shape, who.letter], () => (who ? [tokenPicture(who)] : []));
  write(byId("title"), "textContent", words.title);
  write(byId("line"), "textContent", words.line);
}

// Stones to take as dots, those taken ticked off.
export function drawPips(view) {
  const { taken = 0, left = 0 } = view.remove || {};
  rebuild(byId("pips"), [taken, left], () => Array.from({ length: Math.min(taken + left, 12) }, (_, k) =>
    part("i", k < taken ? "done" : "", k < taken ? "✓" : "")));
}

// What the strip under the head says, {text, bad}: the gravest thing first. texts(key, n): "" until they have come.
export function stripWords(view, { link, note, boundMs }, texts) {
  if (link !== "live") return { text: texts("link_lost"), bad: true };
  if (view.sensors === "lost" || view.sensors === "stale") return { text: texts("sensors_" + view.sensors), bad: true };
  if (view.notice) return { text: texts("notice_" + view.notice) || texts("notice_other"), bad: true };
  if (note) return { text: note, bad: false };
  if (view.early) return { text: texts("early_" + view.early.code), bad: true };
  if (view.health.faults.length) return { text: texts("faults", view.health.faults.length), bad: false };
  return { text: boundMs > 25 && boundMs < Infinity ? texts("clock_bound", Math.ceil(boundMs)) : "", bad: false };
}

export function drawStrip({ text, bad }) {
  write(byId("strip"), "textContent", text);
  write(byId("strip"), "className", bad ? "bad" : "");
  write(byId("strip"), "hidden", !text);
}
