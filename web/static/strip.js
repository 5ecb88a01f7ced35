// What the page of Yikerz says under its head: what has been taken, and what is wrong with link or sensors.
import { byId, part, rebuild } from "./dom.js";

// Stones to take as dots, those taken ticked off.
export function drawPips(view) {
  const { taken = 0, left = 0 } = view.remove || {};
  rebuild(byId("pips"), [taken, left], () => Array.from({ length: Math.min(taken + left, 12) }, (_, k) =>
    part("i", k < taken ? "done" : "", k < taken ? "✓" : "")));
}

// What the strip under the head says, {text, bad?}: the gravest thing first. texts(key, n, values): "" until they have come;
// sensors(view, texts): what is wrong with them (sensor-words.js), likewise.
export function stripWords(view, { link, note, boundMs, sensors }, texts) {
  if (link !== "live") return { text: texts("link_lost"), bad: true };
  if (view.sensors === "lost" || view.sensors === "stale") return { text: texts("sensors_" + view.sensors), bad: true };
  if (view.sensors === "late") return { text: texts("sensors_late", view.health.late_s), bad: true };
  if (view.notice) return { text: texts("notice_" + view.notice) || texts("notice_other"), bad: true };
  if (note) return { text: note };
  if (view.early) return { text: texts("early_" + view.early.code), bad: true };
  const told = sensors ? sensors(view, texts) : "";
  if (told) return { text: told };
  if (view.unwatched) return { text: texts("unwatched") };
  return { text: boundMs > 25 && boundMs < Infinity ? texts("clock_bound", Math.ceil(boundMs)) : view.unasked ? texts("unasked") : "" };
}
