// What the big digits show: always deadline - now, never a count of ticks. The server alone decides that time is up.
const SECOND_US = 1e6;

// The time to count down from: while a ruling is doubted, or stones are laid back, every clock stands.
export function standing(view, nowUs) {
  const reason = view.dispute || view.laying;
  return reason ? reason.since_us : nowUs;
}

// deadlineUs: null when no time runs; nowUs: null when the clock is not known; fresh: whether the view is.
// asked: whether people are asked something, and nothing is checked before they answer.
// Returns {text, mood}: mood is "none", "unknown", "run", "soon" (3 s and less) or "checking" (0 is reached).
export function countdown(deadlineUs, nowUs, fresh, asked) {
  if (deadlineUs === null || deadlineUs === undefined) return { text: "", mood: "none" };
  if (!fresh || nowUs === null) return { text: "–", mood: "unknown" };
  const left = Math.max(0, Math.ceil((deadlineUs - nowUs) / SECOND_US));
  if (left === 0 && asked) return { text: "", mood: "none" };
  if (left === 0) return { text: "0", mood: "checking" };
  return { text: String(left), mood: left <= 3 ? "soon" : "run" };
}
