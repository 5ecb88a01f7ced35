// The piles of the players, in the order of seats.
import { byId, part, rebuild } from "./dom.js";
import { tokenPicture } from "./shapes.js";

export function drawPiles(view, t) {
  const box = byId("players");
  const shown = view.players.map((p) => [p.id, p.name, p.pile, p.wins, p.points, p.call, p.out, p.gone, p.colour, p.shape, p.letter, p.id === view.turn]);
  rebuild(box, shown, () => view.players.map((p) => {
    const cell = part("span", `player c-${p.colour}${p.id === view.turn ? " on" : ""}${p.pile === 1 ? " one" : ""}${p.out || p.gone ? " away" : ""}`);
    const visible = part("span");
    visible.setAttribute("aria-hidden", "true");
    visible.append(tokenPicture(p), part("b", "", String(p.pile)), part("span", "name", p.name), part("span", "wins", view.scoring === "points" ? t("points", { n: p.points }) : "★".repeat(p.wins)));
    cell.append(visible, part("span", "unseen", t("player_label", { name: p.name, n: p.pile, wins: p.wins })));
    return cell;
  }));
  box.classList.toggle("many", view.players.length > 4);
}
