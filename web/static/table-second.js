// What every page of a game brings once it is live: presses go out and are answered, notes come and go, sheets open over
// it, the undo is held, and this phone is as it wants to be.
import { answerText } from "./answers.js";
import { Commands } from "./commands.js";
import { holdToPress } from "./hold.js";
import { commandLink, keep, kept } from "./phone.js";
import { sayName } from "./say-name.js";

const NOTE_MS = 4000;
const FETCH_TRIES_MS = [0, 400, 1000, 2000];

// fetchSheets() -> Promise of the module that draws the sheets: drawSheet(page, box), and ready(page, name) where one needs more.
export function beginTable(page, fetchSheets) {
  const commands = new Commands(commandLink(page.game), page.draw);
  sayName(page.boot);
  const waiting = new Map(); // presses whose time is judged later; the view brings the answer: id -> who waits for it
  let noted = 0;
  let opened = 0; // how many sheets have been opened or closed

  page.isPending = (key) => (key ? commands.isPending(key) : commands.pending.size > 0);

  // Send a command: its name, or {name, key, args, version} where several buttons send one, or it is about a view of
  // before. at: when it was pressed. Resolves to its answer, null where the same button still waits.
  page.press = async (button, player, args, at = page.now()) => {
    const { name, key = name, args: own, version = page.view.version } = button.name ? button : { name: button };
    const answer = await commands.press(key, name, version, at, kept("name") || "", player, { ...own, ...args });
    if (answer === null) return null;
    if (answer.status === "received") waiting.set(answer.id, []);
    await page.tell(answer);
    return answer;
  };

  // A newer view may bring answers.
  page.hear = ({ answers }) => {
    commands.told(answers);
    for (const [id, told] of waiting) {
      if (!answers[id]) continue;
      waiting.delete(id);
      page.tell(answers[id]);
      for (const done of told) done(answers[id]);
    }
  };

  // Resolves to what became of a press in the end.
  page.settled = (answer) => new Promise((done) => {
    const told = waiting.get(answer.id);
    if (told) told.push(done);
    else done(answer.status === "received" ? page.view.answers[answer.id] : answer);
  });

  // What became of a press; the words of refusals come when they are needed.
  page.tell = async (answer) => {
    if (answer.status !== "applied") await page.later().catch(() => null);
    page.note(answerText(answer, page.t));
  };

  page.note = (text) => {
    page.said = text;
    clearTimeout(noted);
    if (text) noted = setTimeout(() => page.note(""), NOTE_MS);
    page.draw();
  };

  page.later = () => page.once("later", () => fetchSheets().then((sheets) => (page.sheets = sheets)));

  // Open a sheet over the page; more: what it is about. What it is drawn with may not come at once: then it is asked for
  // again, unless something else is opened or closed meanwhile.
  page.open = async (name, more) => {
    const wanted = { name, ...more };
    const mine = (opened += 1);
    for (const pause of FETCH_TRIES_MS) {
      await new Promise((done) => (pause ? setTimeout(done, pause) : done()));
      if (mine !== opened) return;
      page.sheet = wanted;
      try {
        await page.later();
        if (page.sheets.ready) await page.sheets.ready(page, name);
      } catch (error) {
        if (page.sheet === wanted) page.sheet = null;
        page.note(page.t("link_lost"));
        continue;
      }
      page.draw();
      const first = document.querySelector("#sheet button, #sheet a");
      if (first) first.focus();
      return;
    }
  };

  page.close = () => {
    opened += 1;
    page.sheet = null;
    page.draw();
  };

  // This phone is a player's, or (null) nobody's.
  page.sit = (player) => {
    page.me = player;
    keep("seat:" + page.game, player === null ? "" : String(player));
  };

  // How this phone looks, kept on it.
  page.wish = (name, value) => {
    keep(name, value);
    document.body.dataset[name] = value;
  };

  if (kept("read") === "no") page.addStyle("pictures");

  // Pictures on the buttons, for those who cannot read yet, or words again.
  page.picture = () => {
    page.wish("read", kept("read") === "no" ? "" : "no");
    page.addStyle("pictures");
  };

  const undo = document.getElementById("undo");
  if (undo) holdToPress(undo, 1000, () => page.press("undo"), () => page.note(page.t("undo_hold")));
}
