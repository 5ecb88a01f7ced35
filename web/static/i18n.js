// The texts of a page: key -> text, or {one, other} where a number n decides. Placeholders are {name}.
//
// Numbers are written as where the phone is at home: 3,5 in Spain, 3.5 in Mexico. spoken: the languages of the phone.
export function translator(texts, lang, spoken = globalThis.navigator?.languages || []) {
  const plural = new Intl.PluralRules(lang);
  const home = spoken.find((tag) => tag.split("-")[0] === lang) || lang;
  const written = (value, least, most) => new Intl.NumberFormat(home, { useGrouping: false, minimumFractionDigits: least, maximumFractionDigits: most }).format(value);
  const t = (key, values = {}) => {
    let text = texts[key];
    if (text === undefined) throw new Error("no text for " + key);
    if (typeof text !== "string") text = text[plural.select(values.n)] || text.other;
    return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? shown(values[name]) : whole));
  };
  const shown = (value) => (typeof value === "number" && value % 1 ? written(value, 0, 9) : String(value));
  t.has = (key) => key in texts;
  t.fixed = (value, digits) => written(value, digits, digits);
  return t;
}
