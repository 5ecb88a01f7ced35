// Rulings of Tiki Topple in words. Texts by key, never prose.
import { tikiName, whoIs } from "./tiki-words.js";

// A ruling in a sentence.
export function rulingText(view, ruling, t) {
  const data = ruling.data || {};
  let key = "ruling_" + ruling.kind;
  if (ruling.kind === "played") key += "_" + (data.card.startsWith("up_") ? "up" : data.card);
  else if (ruling.kind === "round_end") key += "_" + data.reason;
  else if (ruling.kind === "round_start" && data.final) key += "_final";
  else if (ruling.kind === "mode") key += "_" + data.mode;
  const ids = data.winners || data.players || [];
  return t(t.has(key) ? key : "ruling_other", {
    name: whoIs(view, ruling.player),
    names: ids.map((id) => whoIs(view, typeof id === "number" ? id : ruling.player)).join(", "),
    tiki: data.tiki ? tikiName(data.tiki) : "",
    places: (data.places || []).map(tikiName).join(", "),
    card: (data.card instanceof Array ? data.card : []).map(tikiName).join(", "),
    up: typeof data.card === "string" ? data.card.slice(3) : "",
    from: data.from, to: data.to, total: data.total, round: data.number,
    n: data.points === undefined ? ids.length : data.points,
  });
}

const BRIEF = 8; // letters of a name where it stands in one line with more

// A name that leaves room for what is said of it.
function brief(name) {
  const signs = [...name];
  return signs.length > BRIEF ? signs.slice(0, BRIEF - 1).join("").trimEnd() + "…" : name;
}

// A ruling in one line: what was played must fit too.
export function briefText(view, ruling, t) {
  return rulingText({ ...view, players: view.players.map((p) => ({ ...p, name: brief(p.name) })) }, ruling, t);
}
