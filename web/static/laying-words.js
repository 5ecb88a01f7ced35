// What is to be done with stones that an undo left elsewhere: {back, off} of a view's laying, without the part that is none.
export const layingWords = (laying, texts) =>
  ["back", "off"].filter((key) => laying[key]).map((key) => texts("laying_" + key, laying[key], laying)).join(", ");
