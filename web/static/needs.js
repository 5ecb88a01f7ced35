// What a press has to say besides its name, so that it is asked first. Pure: codes in, codes out.

// What the answer to a question needs (companion/games/yikerz/answers.py): {sheet?, count?, args?}; no more stones than
// lie on the board can have stuck together or fallen (Y21). How many are too few on the board the question knows itself.
export function needOf(choice, view, question) {
  const most = view.loose;
  if (choice === "collapsed") return { sheet: "count", count: [2, Math.max(2, most)] };
  if (choice === "fell_off" && question.code === "fewer") return {};
  if (choice === "fell_off") return most > 1 ? { sheet: "count", count: [1, most] } : { args: { n: 1 } };
  if (choice === "into_pile" || choice === "from_pile") return { sheet: "pile" };
  return {};
}

// How many stones a question about the count is about; of any other it is for the answer to say.
export function missed({ code, args }) {
  return code === "fewer" ? args.expected - args.seen : 1;
}

// Where the stone of the turn may have been when this was pressed: only before it is let go is there a question, and
// n that is one more than lie on the board includes it.
export function handsOf(name, view, n) {
  if (!view.hand) return [];
  if (name === "collapsed") return n > view.loose ? ["part"] : ["part", "apart", "none"];
  return name === "fell_off" ? ["apart", "none"] : [];
}
