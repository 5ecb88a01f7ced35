// The texts of a page: key -> text, or {one, other} where a number n decides. Placeholders are {name}.
export function translator(texts, lang) {
  const plural = new Intl.PluralRules(lang);
  const t = (key, values = {}) => {
    let text = texts[key];
    if (text === undefined) throw new Error("no text for " + key);
    if (typeof text !== "string") text = text[plural.select(values.n)] || text.other;
    return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
  };
  t.has = (key) => key in texts;
  return t;
}
