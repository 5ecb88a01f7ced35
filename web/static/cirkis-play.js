// What hands do with a game of CirKis: spaces are tapped, the server says what a piece there would do, one button puts it.
import { playAgain } from "./again.js";
import { buttonsFor, hintKey, newDeeds, stillChosen } from "./cirkis-actions.js";
import { Fingers, outlinePicture } from "./cirkis-fingers.js";
import { foreseenWords, shapeWord } from "./cirkis-foreseen.js";
import { completedShapes, headWords } from "./cirkis-words.js";
import { byId, part, rebuild, write } from "./dom.js";
import { holdToPress } from "./hold.js";
import { tokenPicture } from "./shapes.js";
import { beginTable } from "./table-second.js";

const CALL_MS = 2600;
let page;
let t;
let fingers;
const onPress = { main: null, side: null };

// Takes the page over.
export function begin(thePage) {
  page = thePage;
  t = page.t;
  beginTable(page, () => Promise.all([import("/js/cirkis-sheets.js"), page.addTexts("cirkis_more"), page.addStyle("cirkis-sheets")]).then(([sheets]) => sheets));
  Object.assign(page, { foreseen: null, correcting: null, mayInsist: false, choose, showSpaces, lost, correct,
    outline: (spaces) => outlinePicture(page.board.spaces, spaces), hand: { received, draw } });
  fingers = new Fingers(byId("board"), page.board, { tap, point,
    window: () => fingers && write(byId("out"), "disabled", fingers.whole()) });
  listen();
}

function received(before) {
  const { view } = page;
  if (view.version === before.version) return;
  announce(before);
  if (!page.correcting) choose(stillChosen(page.chosen, before, view));
}

// What all should see at once: points and free turns of a piece just played, or that something was taken back.
function announce(before) {
  const { view, named } = page;
  const words = view.undone > before.undone ? [t("undone")] : [];
  for (const deed of newDeeds(before, view)) {
    for (const [id, points] of deed.points || []) words.push(`${named(id).name} +${points}`);
    if (deed.why && view.free) words.push(t("free_turn"));
  }
  const over = view.phase === "over" && before.phase !== "over";
  if (over) words.push(`${headWords(view, t).title} ${headWords(view, t).line}`);
  if (!words.length) return;
  byId("call").textContent = words.join(" · ");
  byId("call").className = over ? "win" : "said";
  clearTimeout(announce.timer);
  announce.timer = setTimeout(() => {
    byId("call").textContent = "";
    byId("call").className = "";
  }, CALL_MS);
}

// Other spaces are chosen: ask what a piece there would do.
async function choose(spaces) {
  page.chosen = spaces;
  page.foreseen = null;
  page.mayInsist = false;
  page.draw();
  if (!spaces.length || page.correcting || page.view.mode !== "map") return;
  const answer = await ask({ name: "place", player: page.view.turn, args: { spaces } });
  if (answer && answer.problems.length) await page.later().catch(() => null);
  if (spaces !== page.chosen) return;
  page.foreseen = answer;
  page.draw();
}

// What a command would do, by the rules of the server; null where that does not come.
function ask(command) {
  return page.fetchJson(`/g/${page.game}/foresee?asked=${encodeURIComponent(JSON.stringify(command))}`).catch(() => null);
}

function tap(space) {
  const { view } = page;
  if (!page.mayAct || page.link !== "live" || !(view.phase === "play" || page.correcting)) return;
  const deed = view.deeds.find((each) => each.s && each.s.includes(space));
  if (view.mode === "quick") {
    const shape = fingers.taps.shapeAt(space, view.settings.ring);
    if (shape && !completedShapes(view).some((done) => done.shape === shape)) page.open("claim", { shape });
  } else if (deed && deed !== page.correcting) {
    page.note(t("lies_here", { name: page.named(deed.p).name }));
  } else {
    choose(fingers.taps.chosen(page.chosen, space));
  }
}

// The space under the arrow keys, in words.
function point(space) {
  const deed = page.view.deeds.find((each) => each.s && each.s.includes(space));
  const shape = shapeWord(fingers.taps.shapeAt(space, true) || "", t);
  byId("where").textContent = t(deed ? "where_held" : "where_empty", { n: space, shape, name: deed ? page.named(deed.p).name : "" });
}

// A part of the board to be seen, with the sheet closed.
function showSpaces(spaces) {
  page.sheet = null;
  page.draw();
  fingers.near(spaces[0]);
}

// What the buttons do.
const RUN = {
  place: () => place(false),
  overrule: () => (page.correcting ? change(true) : place(true)),
  clear: () => choose([]),
  lose: () => lost(false),
  lapse: () => lost(false),
  next_round: () => page.press("next_round", null),
  turn_over: () => page.press("turn_over", null),
  stuck: () => page.press("stuck", null),
  out: () => page.open("claim", {}),
  unplayed: () => page.open("unplayed"),
  why: () => page.open("log"),
  leave: () => correct(null),
  change: () => change(false),
  again: () => playAgain(page),
  doubt: () => page.open("doubt"),
};

function place(overrule) {
  return page.press("place", page.view.turn, { spaces: page.chosen, overrule });
}

// Nothing fits. Where the set says otherwise, the page shows where, and the table may insist.
async function lost(overrule) {
  const player = page.view.turn;
  const answer = await page.press("cannot_place", player, { overrule });
  if (!answer || answer.code !== "can_place") return;
  const seen = await ask({ name: "cannot_place", player, args: {} });
  page.open("can_place", { spaces: seen && seen.fits });
}

// An earlier piece is put right: begins with the spaces it has, and leaving it changes nothing (I3).
function correct(deed) {
  page.correcting = deed;
  page.asOf = page.view.version;
  page.sheet = null;
  choose(deed ? deed.s : []);
  if (deed) fingers.near(deed.s[0]);
}

async function change(overrule) {
  const answer = await page.press({ name: "edit", version: page.asOf }, null, { entry: page.correcting.n, args: { spaces: page.chosen, overrule } });
  page.mayInsist = Boolean(answer) && answer.status === "refused";
  if (answer && answer.status === "applied") correct(null);
  page.draw();
}

// What a piece on the chosen spaces would do, or what to do now.
function drawSay(words) {
  const { named } = page;
  const hint = hintKey(page.view, page);
  write(byId("say"), "className", words && words.stop.length ? "stop" : "");
  rebuild(byId("say"), words || hint, () => {
    if (!words) return [part("span", "", t(hint))];
    if (words.stop.length) return words.stop.map(({ text, clause }) => part("span", "", `${text} (${clause})`));
    const gains = words.points.map(({ player, points, text }) => {
      const gain = part("span", "gain c-" + named(player).colour);
      gain.append(tokenPicture(named(player)), part("b", "", "+" + points), part("span", "", text));
      return gain;
    });
    const parts = [...gains, ...words.more.map((text) => part("span", "", text))];
    return parts.length ? parts : [part("span", "", t("brings_nothing"))];
  });
}

function drawButton(id, button) {
  const element = byId(id);
  write(element, "hidden", !button);
  onPress[id] = button;
  if (!button) return;
  write(element, "textContent", t("do_" + button.key));
  write(element, "disabled", page.isPending() || button.off === true);
  write(element, "className", id === "side" || button.quiet ? "side" : "main");
  element.dataset.hold = button.hold ? "yes" : "no";
  element.dataset.do = button.key;
}

function draw() {
  const words = page.foreseen && foreseenWords(page.foreseen, t);
  drawSay(words);
  if (page.mayAct) {
    write(byId("undo"), "disabled", !page.view.undo || page.isPending("undo"));
    const { side, main } = buttonsFor(page.view, { chosen: page.chosen, correcting: page.correcting, known: words !== null,
      stopped: words !== null && words.stop.length > 0, overrule: page.mayInsist || (words !== null && words.overrule) });
    drawButton("side", side);
    drawButton("main", main);
  }
  page.drawSheet();
  if (fingers.board !== page.board) fingers.take(page.board); // it has been turned
  fingers.place();
}

// A button that is held or only pressed, as it says of itself at the moment.
function listenTo(id) {
  const element = byId(id);
  element.onclick = () => onPress[id] && !onPress[id].hold && RUN[onPress[id].key]();
  const whileHeld = (f) => (event) => element.dataset.hold === "yes" && f(event); // else a key is a plain press
  const held = { get disabled() { return element.disabled || element.dataset.hold !== "yes"; }, classList: element.classList,
    addEventListener: (name, f) => element.addEventListener(name, name.startsWith("key") ? whileHeld(f) : f) };
  holdToPress(held, 1000, () => RUN[onPress[id].key](), () => element.dataset.hold === "yes" && page.note(t("keep_pressed")));
}

function listen() {
  byId("in").onclick = () => {
    const last = page.view.deeds.filter((deed) => deed.s).pop();
    if (fingers.whole()) fingers.near(page.chosen.length ? page.chosen[0] : last ? last.s[0] : null);
    else fingers.step(1.5);
  };
  byId("out").onclick = () => fingers.fit();
  if (!page.mayAct) return;
  listenTo("main");
  listenTo("side");
}
