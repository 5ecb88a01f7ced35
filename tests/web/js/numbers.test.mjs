import assert from "node:assert/strict";
import { test } from "node:test";
import { written, writtenAll } from "../../../web/static/numbers.js";

test("numbers are written as where the phone is at home, in the language of the page", () => {
  assert.equal(written(12345.5, undefined, "es", ["es-ES", "en"]), "12345,5");
  for (const home of ["es-MX", "es-419", "es-US"]) assert.equal(written(0.25, undefined, "es", ["en-US", home]), "0.25", home);
  assert.equal(written(0.5, undefined, "es", ["en-US"]), "0,5");
  assert.equal(written(0.5, undefined, "en", ["es-ES"]), "0.5");
  assert.equal(written(-3, 1, "es", ["es-AR"]), "-3,0");
});

test("a number that is missing is written as nothing", () => {
  for (const missing of [undefined, null]) assert.equal(written(missing, 1, "es", []), "");
  assert.equal(written(0, 1, "en", []), "0.0");
});

test("of a text's values only numbers that are not whole are touched", () => {
  global.document = { documentElement: { lang: "es" } };
  assert.deepEqual(writtenAll({ n: 12345, p: 0.61, name: "v1.2" }), { n: 12345, p: "0,61", name: "v1.2" });
  delete global.document;
});
