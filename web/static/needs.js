// What a press has to say besides its name, so that it is asked first. Pure: codes in, codes out.

const NEEDS = {
  collapsed: { sheet: "count", count: [2, 9] },
  fell_off: { args: { n: 1 } },
  into_pile: { sheet: "pile" },
};

// What the answer to a question needs (companion/games/yikerz/answers.py): {sheet?, count?, args?}.
export function needOf(choice) {
  return NEEDS[choice] || {};
}

const HANDS = { collapsed: ["part", "apart", "none"], fell_off: ["apart", "none"] };

// Where the stone of the turn may have been when this was pressed: only before it is let go is there a question.
export function handsOf(name, phase) {
  return (phase === "turn" && HANDS[name]) || [];
}
