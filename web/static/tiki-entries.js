// Entries of Tiki Topple that count: which are shown, what is stored in one, what is sent when it is put right. Pure.
import { tikiName, whoIs } from "./tiki-words.js";

// What of an entry can be changed: how many tikis, under which name.
const TIKIS_OF = { line_up: ["line", 9], places: ["places", 3], secret: ["tikis", 3], play: ["tiki", 1] };

// The entries that are shown: from the start of the game on, newest first.
export function shownEntries(entries) {
  const begun = entries.map((entry) => entry.name).lastIndexOf("start");
  return entries.slice(begun + 1).filter((entry) => entry.name !== "rename_player").reverse();
}

// What an entry holds, as the sheet changes it: {card, tikis}.
export function stored(entry) {
  const [key, most] = TIKIS_OF[entry.name] || ["", 0];
  const value = entry.args[key];
  return { card: entry.args.card || "", tikis: most === 1 ? (value ? [value] : []) : (value || []).slice(), most };
}

// The args that are sent for what the sheet shows.
export function edited(entry, now) {
  const [key, most] = TIKIS_OF[entry.name];
  const args = { ...entry.args, [key]: most === 1 ? now.tikis[0] : now.tikis };
  if (entry.name !== "play") return args;
  if (!now.tikis.length) delete args.tiki;
  return { ...args, card: now.card };
}

export function entryText(view, entry, t) {
  const { card, tikis } = stored(entry);
  const hidden = entry.name === "secret" && !entry.args.tikis;
  const line = (entry.name === "set_line" ? entry.args.line : tikis).map(tikiName).join(", ");
  const key = "entry_" + entry.name + (hidden ? "_hidden" : "");
  return t.has(key) ? t(key, { name: whoIs(view, entry.player), line, tiki: line, card: card ? t("card_" + card) : "" }) : "";
}
