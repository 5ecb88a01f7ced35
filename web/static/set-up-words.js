// What a step of the set-up says, and where it draws a seam.
import { writtenAll } from "./numbers.js";

// The line of a seam: the edge that tiles a and b have nearly in common, as its two ends, y downwards.
export function seamLine(corners, a, b) {
  const edges = (k) => [0, 1, 2].map((i) => {
    const at = (j) => [corners[6 * k + 2 * (j % 3)], -corners[6 * k + 2 * (j % 3) + 1]];
    return [at(i), at(i + 1)];
  });
  const middle = ([p, q]) => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
  const away = (e, f) => Math.hypot(middle(e)[0] - middle(f)[0], middle(e)[1] - middle(f)[1]);
  let best = null;
  for (const e of edges(a)) for (const f of edges(b)) if (!best || away(e, f) < best[1]) best = [e, away(e, f)];
  return best[0];
}

// Why something cannot be used: {code, ...values}; "" for nothing.
export function whyWords(why, t) {
  if (!why) return "";
  return t(t.has("why_" + why.code) ? "why_" + why.code : "why_not_learned", writtenAll(why));
}

// The grams that somebody typed, "50,5 g" too; null for what is no number of grams.
export function gramsTyped(text) {
  const typed = /^\s*(\d+(?:[.,]\d+)?)\s*(?:g|gr|grams?|gramos?)?\.?\s*$/i.exec(text);
  return typed && Number(typed[1].replace(",", "."));
}

// What to do now, of the step that is under way.
export function todoWords(told, t) {
  const { stage, progress, step } = told;
  const next = progress.next;
  if (stage === "clear") return t("su_clear");
  if (stage === "tell") return t(progress.done >= progress.wanted ? "su_tell_more" : "su_tell");
  if (stage === "slide") return t("su_slide");
  if (stage === "take") return t(step === "grams" ? "su_take_weight" : "su_take_stone");
  if (step === "check" && stage === "enough") return t(progress.findings.length ? "su_check_bad" : "su_check_well");
  if (stage === "enough") return t("su_enough");
  if (step === "check") return t(progress.names[next].includes("/") ? "su_check_seam" : "su_check_tile", { k: progress.names[next] });
  if (step === "grams") return t("su_put_weight", writtenAll({ grams: next }));
  if (step === "tiles") return t("su_put_slid");
  return step === "gains" ? t("su_put_point", { k: progress.names[next] }) : t("su_put_stone", { k: next });
}

// What the check of a new box has found: one sentence for each, with what to do.
export const findingWords = (findings, t) => findings.map((found) => t("check_" + found.code, writtenAll(found)));
