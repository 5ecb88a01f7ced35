// What the live page needs soon, not at once: calls, sounds and voice, the undo that is held, looks that this phone wants.
import { Caller, rulingWords } from "./calls.js";
import { holdToPress } from "./hold.js";
import { Sounds } from "./sound.js";
import { Voice } from "./voice.js";

export function begin(page) {
  const sounds = new Sounds(window);
  const voice = new Voice(window, page.lang);
  const { t, keep, kept } = page;
  // call: the look of a call, or "tick"; text: what is said aloud where the phone speaks.
  page.say = (call, text) => {
    if (kept("sound") === "on") sounds.play(call);
    if (text && kept("voice") === "on") voice.say(text);
  };
  page.allowSound = () => {
    if (kept("sound") === "on") sounds.allow(); // sound may only begin in a tap
  };
  page.voice = voice;
  page.choose = (name, value) => {
    keep(name, value);
    document.body.dataset[name] = value;
  };
  page.rulingWords = rulingWords;
  page.sit = (seat) => {
    page.seat = seat;
    keep("seat:" + page.game, seat === null ? "" : String(seat));
  };
  page.caller = new Caller(page.first, document.getElementById("call"), t, page.say);
  if (page.mayAct) {
    holdToPress(document.getElementById("undo"), 1000, () => page.press({ key: "undo", name: "undo" }), () => page.note(t("undo_hold")));
  }
  page.addStyle("calls");
  if (kept("read") === "no") page.addStyle("pictures");
  document.addEventListener("pointerdown", page.allowSound);
  page.ready = true;
  page.caller.follow(page.view); // what has come meanwhile
  page.draw();
}
