// Amounts as pages show them.
import { written } from "./numbers.js";

// Grams: never "-0.0".
export const gramsText = (grams) => written(Math.round(grams * 10) / 10 || 0, 1);

// How long ago, in whole minutes from the first one on; the text of `key` has minutes, that of key_s seconds.
export const agoText = (key, seconds, t) => (seconds < 60 ? t(key + "_s", { n: Math.floor(seconds) }) : t(key, { n: Math.floor(seconds / 60) }));
