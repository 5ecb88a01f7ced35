// The sensors see the stones otherwise than a press says: what they see, drawn and in numbers, and to say so all the same.
import { html, nothing } from "../vendor/lit-html.js";
import { BoardDrawing } from "../board.js";
import { svgElement } from "../shapes.js";
import { holdItem } from "../sheets.js";

const svg = svgElement("svg", { class: "seen-board", role: "img" });
const drawing = new BoardDrawing(svg);

// told: {seen, expected, absent, extra} of companion/games/yikerz/unlike.py; button, player: what was pressed.
export function unlike(page, { button, player, told }) {
  const { t, view } = page;
  const extra = new Set(told.extra.map((stone) => stone.track));
  const stones = view.board.stones.map((stone) => ({ ...stone, glow: extra.has(stone.track) }))
    .concat(told.absent.map((stone) => ({ ...stone, track: "absent" + stone.track, ghost: true })));
  requestAnimationFrame(() => drawing.show({ ...view, board: { ...view.board, stones } }, page.seat(), (seen) => t("board_label", { n: seen.length })));
  const line = (key, n) => (n ? html`<p>${t(key, { n })}</p>` : nothing);
  return { title: t("refused_unlike"), body: html`<p>${t("unlike_seen", told)}</p>
    ${svg}${line("unlike_absent", told.absent.length)}${line("unlike_extra", told.extra.length)}
    ${holdItem(t("unlike_insist"), { ...button, key: "insist", args: { ...button.args, insist: true } }, player)}` };
}
