// Numbers as they are written where the phone is at home, in the language of the page: 3,5 in Spain, 3.5 in Mexico.

const pageLanguage = () => globalThis.document?.documentElement?.lang || "en";

// A value that is missing is written as nothing. digits: behind the sign; none given: as many as there are, three at most. spoken: the languages of the phone.
export function written(value, digits, lang = pageLanguage(), spoken = globalThis.navigator?.languages || []) {
  if (value === undefined || value === null) return "";
  const home = spoken.find((tag) => tag.split("-")[0] === lang) || lang;
  return value.toLocaleString(home, { useGrouping: false, minimumFractionDigits: digits, maximumFractionDigits: digits });
}

// The values of a text, those that are no whole numbers as they are written.
export const writtenAll = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) =>
  [name, typeof value === "number" && !Number.isInteger(value) ? written(value) : value]));
