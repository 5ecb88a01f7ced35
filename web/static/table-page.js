// What the page of a game that is kept by hand does besides drawing: its views come in, presses go out and are answered,
// notes come and go, and what the first picture does not need is fetched when it is wanted.
import { Commands } from "./commands.js";
import { translator } from "./i18n.js";
import { LiveView } from "./live.js";
import { answerText, bootData, commandLink, fetchJson, keep, kept, viewLink } from "./phone.js";

const NOTE_MS = 4000;

// on: {draw(), news(before): a newer view is in page.view}; kind: name of the game's files. The object that it returns is
// what the page knows; sheets read and change it too.
export function tablePage(kind, on) {
  const boot = bootData();
  const t = translator(boot.texts, boot.lang);
  const game = boot.first.view.game;
  const waiting = new Set();
  const commands = new Commands(commandLink(game), () => on.draw());
  let asked = null;
  let second = null;

  // Whose phone this is: what was said here, else the player who has the name that was given at the join.
  function whose() {
    const said = kept("seat:" + game);
    if (said !== null) return said === "" ? null : Number(said);
    const named = boot.first.view.players.find((p) => p.name === kept("name"));
    return named ? named.id : null;
  }

  const page = {
    game, t, lang: boot.lang, mayAct: boot.may_act && !boot.big, view: boot.first.view, link: "live", note: "", sheet: null, sheets: null, second: null,
    boot, me: whose(),
    isPending: (key) => commands.isPending(key),

    // This phone is a player's, or (null) nobody's.
    sit(player) {
      page.me = player;
      keep("seat:" + game, player === null ? "" : String(player));
    },

    // Send a command; resolves to its answer, null where the same button still waits.
    async press(name, player, args) {
      const answer = await commands.press(name, name, page.view.version, null, kept("name") || "", player, args);
      if (answer === null) return null;
      if (answer.status === "received") waiting.add(answer.id); // its time is judged later; the view brings the answer
      await tell(answer);
      return answer;
    },

    say(text) {
      page.note = text;
      clearTimeout(page.say.timer);
      if (text) page.say.timer = setTimeout(() => page.say(""), NOTE_MS);
      on.draw();
    },

    // Why something cannot be, by the code of its refusal.
    async explain(code) {
      await page.later().catch(() => null);
      page.say(answerText({ status: "refused", code }, t));
    },

    // Once it is live: what the first picture did not need, though every page does.
    bringSecond() {
      if (!second) {
        page.addStyle(kind + "-second");
        second = Promise.all([fetchJson(`/locale/${boot.lang}/${kind}_second.json`), import(`/js/${kind}-second.js`)])
          .then(([texts, more]) => {
            Object.assign(boot.texts, texts);
            page.second = more.begin(page);
            on.draw();
          });
        second.catch(() => (second = null));
      }
      return second;
    },

    // Styles that come later are drawn with when they are there.
    addStyle(name) {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = `/static/${name}.css`;
      link.onload = () => on.draw();
      document.head.appendChild(link);
    },

    later() {
      if (!asked) {
        asked = Promise.all([fetchJson(`/locale/${boot.lang}/${kind}_more.json`), import(`/js/${kind}-sheets.js`), page.bringSecond()])
          .then(([texts, sheets]) => {
            Object.assign(boot.texts, texts);
            page.sheets = sheets;
          });
        asked.catch(() => (asked = null));
      }
      return asked;
    },

    // Open a sheet over the page; more: what it is about.
    async open(name, more) {
      page.sheet = { name, ...more };
      try {
        await page.later();
      } catch (error) {
        page.sheet = null;
        page.say(t("link_lost"));
        return;
      }
      on.draw();
      const first = document.querySelector("#sheet button, #sheet a");
      if (first) first.focus();
    },

    redraw: () => on.draw(),

    close() {
      page.sheet = null;
      on.draw();
    },
  };

  async function tell(answer) {
    if (answer.status !== "applied") await page.later().catch(() => null);
    page.say(answerText(answer, t));
  }

  const live = new LiveView(`/g/${game}/events?after=`, boot.first.seq, viewLink(game), {
    view(envelope) {
      if (!envelope.view.phase) {
        page.link = "lost"; // the referee cannot show the game: what is drawn here is old
        on.draw();
        return;
      }
      const before = page.view;
      page.link = "live";
      page.view = envelope.view;
      if (page.view.phase === "lobby") {
        window.location.reload(); // the table gathers again: another page
        return;
      }
      for (const id of waiting) {
        const answer = page.view.answers[id];
        if (answer && waiting.delete(id)) tell(answer);
      }
      on.news(before);
      on.draw();
    },
    beat() {},
    state(state) {
      page.link = state;
      if (state === "live") page.bringSecond().catch(() => null);
      on.draw();
    },
  });

  document.addEventListener("visibilitychange", () => live.visibility(document.visibilityState === "visible"));
  window.addEventListener("pageshow", (event) => event.persisted && live.visibility(true));
  page.start = () => {
    on.draw();
    live.start();
  };
  return page;
}
