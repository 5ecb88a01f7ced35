// The words for what became of a press.

// The text of an answer that is not "applied", "" for one that is, and where not even the words have come.
export function answerText(answer, t) {
  if (answer.status === "applied") return "";
  const key = answer.status === "received" ? "note_received" : "refused_" + answer.code;
  const found = [key, "refused", "link_lost"].find(t.has);
  return found ? t(found) : "";
}
