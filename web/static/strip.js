// What the page of Yikerz says under its head: what has been taken, and what is wrong with link or sensors.
import { byId, part, rebuild } from "./dom.js";

// Stones to take as dots, those taken ticked off.
export function drawPips(view) {
  const { taken = 0, left = 0 } = view.remove || {};
  rebuild(byId("pips"), [taken, left], () => Array.from({ length: Math.min(taken + left, 12) }, (_, k) =>
    part("i", k < taken ? "done" : "", k < taken ? "✓" : "")));
}

// What is to be done with stones that an undo left elsewhere: {back, off} of a view's laying, without the part that is none.
export const layingWords = (laying, texts) =>
  ["back", "off"].filter((key) => laying[key]).map((key) => texts("laying_" + key, laying[key], laying)).join(", ");

// Faults that spoil what is seen of the whole board, the gravest first: a part of it, load cell, supply, computer, cable.
const GRAVE = [["part", /^(multiplexer|tile)_missing|^select_stuck/], ["load", /^load_/], ["supply", /voltage|brown/], ["behind", /behind/], ["link", /^messages/]];
const ONE_SENSOR = /^sensor_\w+:/;
const TOLD = 2; // as many as there is room for

// What is wrong with the sensors, and what people said against them, in words, the gravest first; single sensors are counted,
// of what else there is the page says where to look.
export function sensorTexts({ differs, health: { faults } }, texts) {
  const grave = GRAVE.filter(([, codes]) => faults.some((code) => codes.test(code)));
  const sensors = faults.filter((code) => ONE_SENSOR.test(code)).length;
  const other = faults.some((code) => !ONE_SENSOR.test(code) && !GRAVE.some(([, codes]) => codes.test(code)));
  return [
    ...grave.map(([key]) => texts("faults_" + key)),
    differs ? texts("differs", differs.seen, differs) : "",
    sensors ? texts("faults", sensors) : "",
    other ? texts("faults_other") : "",
  ].filter(Boolean);
}

// What the strip under the head says, {text, bad?}: the gravest thing first. texts(key, n, values): "" until they have come.
export function stripWords(view, { link, note, boundMs }, texts) {
  if (link !== "live") return { text: texts("link_lost"), bad: true };
  if (view.sensors === "lost" || view.sensors === "stale") return { text: texts("sensors_" + view.sensors), bad: true };
  if (view.sensors === "late") return { text: texts("sensors_late", view.health.late_s), bad: true };
  if (view.notice) return { text: texts("notice_" + view.notice) || texts("notice_other"), bad: true };
  if (note) return { text: note };
  if (view.early) return { text: texts("early_" + view.early.code), bad: true };
  const told = sensorTexts(view, texts);
  if (told.length) return { text: told.slice(0, TOLD).join(" · ") };
  if (view.unwatched) return { text: texts("unwatched") };
  return { text: boundMs > 25 && boundMs < Infinity ? texts("clock_bound", Math.ceil(boundMs)) : view.unasked ? texts("unasked") : "" };
}
