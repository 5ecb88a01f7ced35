// Why a play of Tiki Topple is not allowed. Pure: codes in, codes out.
import { tikisFor } from "./tiki-line.js";

// Why a card, or a card on a tiki, may not be played now: a code of the rules; "" where it may.
export function whyNot(view, card, tiki) {
  const allowed = tikisFor(view, card);
  if (!view.held.some((each) => each.card === card)) return "card_not_in_hand";
  if (!allowed.length && card === "toast") return "toast_first_turn";
  if (!tiki || allowed.includes(tiki)) return "";
  if (!view.round.line.includes(tiki)) return "not_in_line";
  return card === "toast" ? "not_lowest" : card === "topple" ? "topple_bottom" : "too_few_above";
}
