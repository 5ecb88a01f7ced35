// The same people gather again for another game of the same kind, with the same choices, seats and colours. Whoever
// presses second goes where the first has made it.
import { Commands } from "./commands.js";
import { commandLink, kept } from "./phone.js";

// page.view.again: {settings, colours: whether they are chosen}. The sensors of the game that is over go on to the next.
export async function playAgain(page) {
  const { kind, again, players, sensors, version } = page.view;
  const link = (game) => new Commands(commandLink(game), () => null);
  const tell = (to, name, at, player, args) => to.press(name, name, at, null, kept("name") || "", player, args);
  const held = sensors !== "none";
  if (held) await tell(link(page.game), "release_sensors", version);
  const answer = await tell(link(""), "new_game", 0, undefined, { kind, settings: again.settings, sensors: held, after: page.game });
  if (!answer || !answer.body || !answer.body.game) {
    page.tell(answer || { status: "failed", code: "link" });
    return;
  }
  const table = link(answer.body.game);
  const stay = answer.body.joined ? [] : players.filter((p) => !p.gone && !p.left);
  for (const p of stay) await tell(table, "add_player", 0, undefined, { name: p.name });
  if (again.colours) for (const [seat, p] of stay.entries()) await tell(table, "set_colour", 0, seat, { colour: p.colour });
  window.location.href = "/g/" + answer.body.game;
}
