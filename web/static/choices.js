// What can be chosen before a game begins, in one form for every kind of game. Pure: a view in, choices out.

const LAYOUTS = ["novice", "intermediate", "advanced"];
const YIKERZ = { best_of: [1, 3, 5, 7], last_call: ["after", "before", "assumed"], unsaid: ["ask", "penalty"],
  hand_stone: ["back", "may_place"], played_stone: ["turn", "hand"], early: ["next", "bag"], loser: ["most_left", "before_winner"] };

// {most, fewest, colours, first: {command, label, drawn, player}, near, choices: [{name, values, value, command, args}]}
// near: how many choices stand in the open, the others are folded away. args: value -> args of the command.
export function choicesOf(view) {
  if (view.kind !== "yikerz") {
    const first = view.first === null && view.players.length ? view.players[0].id : view.first;
    return { most: view.most, fewest: view.fewest, colours: view.colours, near: 2,
      first: { command: "set_first", label: "who_begins", drawn: false, player: first },
      choices: view.choices.map((choice) => setting(choice.name, choice.values, choice.value)) };
  }
  const choices = Object.keys(YIKERZ).map((name) => setting(name, YIKERZ[name], view.settings[name]));
  const byHand = view.sensors === "none";
  if (byHand) choices.splice(1, 0, { name: "layout", values: LAYOUTS, value: view.settings.layout, command: "set_layout", args: (layout) => ({ layout }) });
  const dealer = view.players.find((p) => p.dealer);
  return { most: 6, fewest: 1, colours: [], near: byHand ? 2 : 1, choices,
    first: { command: "set_dealer", label: "who_first", drawn: true, player: dealer ? dealer.id : null } };
}

function setting(name, values, value) {
  return { name, values, value, command: "set_setting", args: (chosen) => ({ name, value: chosen }) };
}

// The colour after a player's own, for a button that goes through them.
export function nextColour(colours, colour) {
  return colours[(colours.indexOf(colour) + 1) % colours.length];
}
