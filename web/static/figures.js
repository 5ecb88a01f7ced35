// Tables of figures: one line a player.
import { written } from "./numbers.js";
import { html } from "./vendor/lit-html.js";

const SHOWN = ["games", "games_won", "rounds_won", "turns", "placed", "collapses", "biggest_collapse", "falls", "taken", "calls_missed",
  "longest_streak", "longest_turn_s",
  "points", "pieces", "completed", "most", "bonuses", "free_turns", "lost_turns", "best_piece", "rounds", "best_round", "full_cards", "empty", "finals", "toasts"];

// Which figures say something: those that are not 0 for everybody. Pure.
export function telling(byName) {
  const all = Object.values(byName);
  return SHOWN.filter((name) => all.some((figures) => figures[name] > 0));
}

// byName: player's name -> figures. Figures that have no text are of another kind of game.
export function figureTable(byName, t) {
  const names = telling(byName).filter((name) => t.has("fig_" + name));
  return html`<div class="scrolls" tabindex="0" role="region" aria-label=${t("figures")}><table><thead><tr><td></td>${Object.keys(byName).map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${names.map((name) => html`<tr><th scope="row">${t("fig_" + name)}</th>
      ${Object.values(byName).map((figures) => html`<td>${written(figures[name], Number.isInteger(figures[name]) ? 0 : 1)}</td>`)}</tr>`)}</tbody></table></div>`;
}
