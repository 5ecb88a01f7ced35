// What the page calls out: the newest ruling that all should see now, as word, colour, sound and glow; fetched once the
// page is live, since the first picture does not need it.

const CALL_MS = 2600;

// Which rulings all should see at once, and how: the look of the word and its sound. A word over the board would hide
// what is asked about where it could not be seen: the head says so.
const WORDLESS = new Set(["unseen"]);
const CALLS = { collapse: "fault", fell_off: "fault", call_missed: "fault", unseen: "fault", call_said: "said", call_due: "said",
  wait: "said", not_in_turn: "said", extra_stone: "said", taken_back: "said", round_end: "win", game_end: "win" };

const lastRuling = (view) => (view.rulings.length ? view.rulings[view.rulings.length - 1].n : 0);

// A ruling in words: {text, call}; call is "" where no word is due.
export function rulingWords(view, ruling, t) {
  const data = ruling.data || {};
  let key = "ruling_" + ruling.kind;
  for (const more of [data.reason, data.code, data.how, data.insisted && "insisted"]) if (more && t.has(key + "_" + more)) key += "_" + more;
  if (ruling.player === null && t.has(key + "_bag")) key += "_bag"; // nobody takes the stones: they go to the bag (Y33)
  const who = view.players.find((p) => p.id === ruling.player);
  const values = { ...data, n: data.count || (data.stones || []).length, name: who ? who.name : "" };
  return { text: t(t.has(key) ? key : "ruling_other", values), call: CALLS[ruling.kind] || "", wordless: WORDLESS.has(ruling.kind) };
}

// Follows the views of a page and calls. box: where the word stands; say(call, text): its sound and its voice.
export class Caller {
  constructor(view, box, t, say) {
    this.announced = lastRuling(view);
    this.undone = view.undone;
    this.box = box;
    this.t = t;
    this.say = say;
    this.timer = 0;
  }

  follow(view) {
    const fresh = view.rulings.filter((ruling) => ruling.n > this.announced);
    this.announced = Math.max(this.announced, lastRuling(view));
    const words = fresh.map((ruling) => rulingWords(view, ruling, this.t)).filter((word) => word.call);
    if (view.undone > this.undone) words.push({ text: this.t("undone"), call: "said" });
    this.undone = view.undone;
    const grave = words.filter((word) => word.call !== "said"); // a collapse is not covered by what it brings with it
    const word = (grave.length ? grave : words).pop();
    if (word) this.show(word);
  }

  show({ text, call, wordless }) {
    this.write(wordless ? "" : text, call);
    this.say(call, text);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write("", ""), CALL_MS);
  }

  write(text, call) {
    this.box.textContent = text;
    this.box.className = call;
    document.body.dataset.call = call; // the whole page flashes once, in the colour of the call
  }
}
