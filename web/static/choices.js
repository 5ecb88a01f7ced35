// What can be chosen before a game begins, in one form for every kind of game. Pure: a view in, choices out.

const LAYOUTS = ["novice", "intermediate", "advanced"];
// {most, fewest, colours, first: {command, label, drawn, player}, near, choices: [{name, values, value, command, args}]}
// near: how many choices stand in the open, the others are folded away. args: value -> args of the command.
export function choicesOf(view) {
  if (view.kind !== "yikerz") {
    const first = view.first === null && view.players.length ? view.players[0].id : view.first;
    return { most: view.most, fewest: view.fewest, colours: view.colours, near: 2,
      first: { command: "set_first", label: "who_begins", drawn: false, player: first },
      choices: view.choices.map((choice) => setting(choice.name, choice.values, choice.value)) };
  }
  const choices = view.choices.filter((choice) => matters(choice.name, view.choices)).map((choice) => setting(choice.name, choice.values, choice.value));
  const byHand = view.sensors === "none";
  if (byHand) choices.splice(0, 0, { name: "layout", values: LAYOUTS, value: view.layout, command: "set_layout", args: (layout) => ({ layout }) });
  const dealer = view.players.find((p) => p.dealer);
  return { most: 6, fewest: 1, colours: [], near: byHand ? 3 : 2, choices,
    first: { command: "set_dealer", label: "who_first", drawn: true, player: dealer ? dealer.id : null } };
}

// What hangs on another choice is offered only where that is so: no limit of points where rounds are counted.
const ONLY_WITH = { best_of: ["scoring", "best_of"], best_of_mode: ["scoring", "best_of"], points_limit: ["scoring", "points"],
  join_points: ["scoring", "points"], speed_s: ["speed", "on"], unsaid: ["last_call", "after", "before"] };

function matters(name, choices) {
  const [other, ...values] = ONLY_WITH[name] || [];
  const chosen = choices.find((choice) => choice.name === other);
  return !chosen || values.includes(chosen.value);
}

function setting(name, values, value) {
  return { name, values, value, command: "set_setting", args: (chosen) => ({ name, value: chosen }) };
}

// The colour after a player's own, for a button that goes through them.
export function nextColour(colours, colour) {
  return colours[(colours.indexOf(colour) + 1) % colours.length];
}
