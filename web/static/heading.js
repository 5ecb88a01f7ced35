// The head of a live page: whose turn and what to do; and the strip under it.
import { byId, rebuild, write } from "./dom.js";
import { tokenPicture } from "./shapes.js";

// words: {player, title, line}.
export function drawHead(view, words) {
  const who = view.players.find((p) => p.id === words.player);
  write(byId("turn"), "className", "turn c-" + (who ? who.colour : "none"));
  for (const box of document.querySelectorAll("#sign,#who")) rebuild(box, who && [who.colour, who.shape, who.letter], () => (who ? [tokenPicture(who)] : []));
  write(byId("title"), "textContent", words.title);
  write(byId("line"), "textContent", words.line);
}

export function drawStrip({ text, bad }) {
  write(byId("strip"), "textContent", text);
  write(byId("strip"), "className", bad ? "bad" : "");
  write(byId("strip"), "hidden", !text);
}
