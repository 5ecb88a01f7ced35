// What the page of every game does besides drawing: its views come in, presses go out and are answered, notes come and
// go, and what the first picture does not need is fetched once the page is live.
import { translator } from "./i18n.js";
import { LiveView } from "./live.js";
import { bootData, fetchJson, keep, kept, viewLink } from "./phone.js";
import { tokenPicture } from "./shapes.js";

// on: {draw(); second(page) -> Promise of the module whose begin(page) brings the rest; news?(before): a newer view is in
// page.view; clock?: of ticking.js; gathers?: the page shows a game before it begins too}. The object that it returns is what the page
// knows; what comes later reads and changes it.
export function tablePage(on) {
  const boot = bootData();
  const t = translator(boot.texts, boot.lang);
  const game = boot.first.view.game;
  const clock = on.clock || { heard() {}, now: () => null, woken() {} };
  const fetched = {};
  let came;
  const there = new Promise((done) => (came = done));
  const whenThere = (name) => (...args) => there.then(() => page[name](...args));

  // Whose phone this is: what was said here, else the player who has the name that was given at the join; null: nobody's.
  function whose() {
    const said = kept("seat:" + game);
    if (said !== null) return said === "" ? null : Number(said);
    const named = boot.first.view.players.find((p) => p.name === kept("name"));
    return named ? named.id : null;
  }

  const page = {
    boot, game, t, now: clock.now, lang: boot.lang, languages: boot.languages, view: boot.first.view, mayAct: boot.may_act && !boot.big, me: whose(),
    link: "live", said: "", sheet: null, sheets: null, ready: false, draw: on.draw, fetchJson, keep, kept, tokenPicture,
    named: (id) => page.view.players.find((p) => p.id === id) || null,

    // What table-second.js does, once it is there.
    open: whenThere("open"),
    later: whenThere("later"),
    note: whenThere("note"),
    tell: whenThere("tell"),
    isPending: () => false,
    press: (button, player, args, at = clock.now()) => there.then(() => page.press(button, player, args, at)),

    // Where the player of this phone sits, -1 where it is nobody's.
    seat: () => page.view.players.findIndex((p) => p.id === page.me),

    // Each thing that is fetched, once; asked for again where it did not come.
    once(name, make) {
      if (!fetched[name]) {
        fetched[name] = make();
        fetched[name].catch(() => (fetched[name] = null));
      }
      return fetched[name];
    },

    addTexts: (part) => page.once("/" + part, () => fetchJson(`/locale/${boot.lang}/${part}.json`).then((more) => Object.assign(boot.texts, more))),

    // Styles that the first picture does not need, or not every phone, are drawn with when they are there.
    addStyle: (name) => page.once("." + name, () => new Promise((done) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = `/css/${name}.css`;
      link.onerror = done;
      link.onload = () => done(on.draw());
      document.head.appendChild(link);
    })),

    addStyleWhere(query, name) {
      const media = window.matchMedia(query);
      const look = () => media.matches && page.addStyle(name);
      look();
      media.addListener(look);
    },

    second: () => page.once("second", () => on.second(page).then((more) => {
      more.begin(page);
      page.ready = true;
      came();
      on.draw();
    })),

    // The sheet that is open is drawn, and the page under it takes no press.
    drawSheet() {
      if (page.sheets) page.sheets.drawSheet(page, document.getElementById("sheet"));
      document.getElementById("page").inert = page.sheet !== null;
    },

    start() {
      on.draw();
      live.start();
    },
  };

  function bring() {
    if (on.second) page.second().catch(() => setTimeout(bring, 1000));
  }

  function take(envelope, at) {
    const { view } = envelope;
    const before = page.view;
    clock.heard(envelope, at);
    page.link = view.phase ? "live" : "lost"; // without a phase the referee cannot show the game: what is drawn is old
    if (view.phase === "lobby" && !on.gathers) {
      window.location.reload(); // the table gathers again: another page
      return;
    }
    if (view.phase) {
      page.view = view;
      if (page.ready) page.hear(view);
      if (on.news) on.news(before);
    }
    on.draw();
  }

  const live = new LiveView(`/g/${game}/events?after=`, boot.first.seq, viewLink(game), {
    view: take,
    beat: clock.heard,
    state(state) {
      page.link = state;
      on.draw();
      if (state === "live") bring();
    },
  });

  function woken(visible) {
    if (visible) clock.woken();
    live.visibility(visible);
  }

  for (const name of ["hand", "read", "motion"]) document.body.dataset[name] = kept(name) || "";
  document.addEventListener("visibilitychange", () => woken(!document.hidden));
  window.addEventListener("pageshow", (event) => event.persisted && woken(true));
  window.addEventListener("resize", on.draw);
  return page;
}
