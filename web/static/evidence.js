// What was sensed, as lines of text: numbers rounded as a person says them, nothing where nothing was measured.
import { written } from "./numbers.js";

export function evidenceLines(data, t) {
  const lines = [];
  const seen = data.evidence || {};
  const say = (key, values) => t.has("seen_" + key) && lines.push(t("seen_" + key, values));
  if (data.insisted) say("insisted", data);
  if (data.how) say("how_" + data.how, {});
  if (data.count) say("count", { n: data.count });
  if (typeof seen.gap_mm === "number") say("gap", { n: written(Math.round(seen.gap_mm * 10) / 10) });
  if (typeof seen.closing_speed_mm_s === "number") say("speed", { n: Math.round(seen.closing_speed_mm_s / 10) });
  if (typeof seen.weight_step_g === "number") say("weight", { n: Math.round(seen.weight_step_g) });
  for (const note of (seen.note || "").split(" ")) say("note_" + note, {});
  if (typeof data.p === "number") say("sure", { n: Math.round(data.p * 100) });
  return lines;
}
