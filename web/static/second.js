// What the live page of Yikerz needs soon, not at once: calls, sounds and voice, the sheets.
import { playAgain } from "./again.js";
import { Attending } from "./attending.js";
import { Caller, rulingWords } from "./calls.js";
import { sensorTexts } from "./sensor-words.js";
import { Sounds } from "./sound.js";
import { beginTable } from "./table-second.js";
import { Voice } from "./voice.js";

export function begin(page) {
  const sounds = new Sounds(window);
  const voice = new Voice(window, page.lang);
  const { t, kept } = page;
  beginTable(page, () => Promise.all([import("/static/sheets.js"), page.addTexts("sheet"), page.addStyle("yikerz-sheets")]).then(([sheets]) => sheets));
  const { press } = page;
  page.press = async (button, player, args, ...more) => {
    const answer = await press(button, player, args, ...more);
    if (answer && answer.code === "not_ready") page.open("unready", { button });
    if (answer && answer.code === "unlike") page.open("unlike", { button: { ...button, args: { ...button.args, ...args } }, player, told: answer.body.args });
    return answer;
  };
  // look: that of a call, or "tick"; text: what is said aloud where the phone speaks.
  page.call = (look, text) => {
    if (kept("sound") === "on") sounds.play(look);
    if (text && kept("voice") === "on") voice.say(text);
  };
  page.allowSound = () => {
    if (kept("sound") === "on") sounds.allow(); // sound may only begin in a tap
  };
  page.again = () => playAgain(page);
  page.voice = voice;
  page.rulingWords = rulingWords;
  page.sensorTexts = sensorTexts;
  page.caller = new Caller(page.boot.first.view, document.getElementById("call"), t, page.call);
  document.addEventListener("pointerdown", page.allowSound);
  const attending = new Attending(page);
  page.news = () => {
    page.caller.follow(page.view);
    attending.follow(page.view);
  };
  page.news(); // what has come meanwhile
}
