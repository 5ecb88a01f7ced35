// The server's clock on a page, kept by all that arrives, and the big digits that count down by it: drawn from deadline
// and server time at every frame, written only when they change.
import { ServerClock, sampleClock } from "./clock.js";
import { countdown, standing } from "./countdown.js";
import { byId, write } from "./dom.js";
import { fetchJson } from "./phone.js";

export function tickingClock() {
  const clock = new ServerClock();
  const now = () => clock.serverUs(performance.now());
  let page = null;

  function sync(count) {
    sampleClock(clock, () => fetchJson("/clock"), () => performance.now(), count).then(() => page.draw());
  }

  // fresh(): what is seen is of now; changed(mood): other digits stand there.
  function tick(fresh, changed) {
    const { deadline_us, limit_us, questions } = page.view;
    const { text, mood } = countdown(deadline_us || limit_us, standing(page.view, now()), fresh(), questions.length > 0);
    if (text + mood !== tick.shown) {
      tick.shown = text + mood;
      byId("digits").textContent = text;
      byId("digits").className = text.length > 1 ? "two" : "";
      byId("clock").className = mood;
      write(byId("checking"), "textContent", mood === "checking" ? page.t("checking") : "");
      changed(mood);
    }
    window.requestAnimationFrame(() => tick(fresh, changed));
  }

  return {
    now,
    heard: ({ s, rate }, at) => clock.push(at, s, rate),
    boundMs: () => clock.boundMs(),

    // After a sleep, in which the page's clock may have stood still.
    woken() {
      clock.reset();
      sync(6);
    },

    start(thePage, fresh, changed) {
      page = thePage;
      sync(6);
      setInterval(() => !document.hidden && sync(1), 5000);
      tick(fresh, changed);
    },
  };
}
