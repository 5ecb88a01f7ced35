import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { translator } from "../../../web/static/i18n.js";
import { layingWords } from "../../../web/static/laying-words.js";
import { sensorTexts } from "../../../web/static/sensor-words.js";
import { stripWords } from "../../../web/static/strip.js";

const said = (lang, file, faults) => {
  const t = translator(JSON.parse(readFileSync(new URL(`../../../web/locale/${lang}/${file}.json`, import.meta.url), "utf8")), lang);
  return stripWords({ sensors: "ok", health: { state: "ok", faults } }, { link: "live", note: "", boundMs: 0, sensors: sensorTexts },
    (key, n) => (t.has(key) ? t(key, { n }) : "")).text;
};

for (const file of ["sheet", "tv"]) {
  test(`only sensors are counted as sensors, what else is wrong is called by its name (${file})`, () => {
    const es = (...faults) => said("es", file, faults);
    assert.equal(es("sensor_dead:A3", "sensing_behind", "load_absent"), "Miren la célula de carga · Computadora muy ocupada");
    assert.equal(es("sensor_dead:A3", "sensor_noisy:B7"), "Hay que mirar 2 sensores");
    assert.equal(es("sensing_behind"), "Computadora muy ocupada");
    assert.equal(es("sensing_behind", "load_constant"), "Miren la célula de carga · Computadora muy ocupada");
    for (const code of ["messages_lost", "messages_damaged"]) assert.equal(es(code), "Miren el cable de la mesa");
    for (const code of ["undervoltage", "undervoltage_before", "board_brown_out"]) assert.equal(es(code), "Miren la fuente de corriente");
    for (const code of ["sensor_count", "crosstalk", "rebooted", "zero_refused:A3"]) assert.equal(es(code), "Miren la página de los sensores");
    assert.equal(said("en", file, ["sensor_stuck:C1"]), "1 sensor needs a look");
    for (const code of ["sensing_behind", "load_absent", "undervoltage", "rebooted"]) assert.ok(said("en", file, [code]), code);
  });
}

test("a computer that is behind says by how much, not that the board is not seen", () => {
  for (const file of ["sheet", "tv"]) for (const [lang, words] of [["en", "I am running late (20 s)"], ["es", "Voy con retraso (20 s)"]]) {
    const t = translator(JSON.parse(readFileSync(new URL(`../../../web/locale/${lang}/${file}.json`, import.meta.url), "utf8")), lang);
    const late = { sensors: "late", health: { state: "stale", faults: [], late_s: 20 } };
    assert.equal(stripWords(late, { link: "live", note: "", boundMs: 0, sensors: sensorTexts }, (key, n) => t(key, { n })).text, words);
  }
});

test("where nobody is asked that is said, after everything else", () => {
  for (const file of ["sheet", "tv"]) for (const lang of ["en", "es"]) {
    const t = translator(JSON.parse(readFileSync(new URL(`../../../web/locale/${lang}/${file}.json`, import.meta.url), "utf8")), lang);
    const words = (more) => stripWords({ sensors: "held", health: { state: "ok", faults: [] }, unasked: true, ...more }, { link: "live", note: "", boundMs: 0, sensors: sensorTexts }, (key, n) => t(key, { n }));
    assert.equal(words({}).text, t("unasked"));
    assert.ok(!words({}).bad);
    assert.equal(words({ unwatched: true }).text, t("unwatched"));
  }
});

test("what people said against the sensors stands there while these see it otherwise, under what is wrong", () => {
  for (const file of ["sheet", "tv"]) for (const lang of ["en", "es"]) {
    const t = translator(JSON.parse(readFileSync(new URL(`../../../web/locale/${lang}/${file}.json`, import.meta.url), "utf8")), lang);
    const words = (more) => stripWords({ sensors: "held", health: { state: "ok", faults: [] }, unasked: true, ...more },
      { link: "live", note: "", boundMs: 0, sensors: sensorTexts }, (key, n, values) => t(key, { ...values, n }));
    const differs = { seen: 5, expected: 6 };
    assert.equal(words({ differs }).text, t("differs", differs));
    assert.match(words({ differs }).text, /5.*6/);
    assert.equal(words({ differs, health: { state: "ok", faults: ["sensor_dead:1"] } }).text, t("differs", differs) + " · " + t("faults", { n: 1 }));
    assert.equal(words({ differs, notice: "journal_full" }).text, t("notice_journal_full"));
  }
});

test("a game that the sensors have left says so, after what is wrong", () => {
  for (const file of ["sheet", "tv"]) for (const lang of ["en", "es"]) {
    const t = translator(JSON.parse(readFileSync(new URL(`../../../web/locale/${lang}/${file}.json`, import.meta.url), "utf8")), lang);
    const words = (more) => stripWords({ sensors: "none", health: { state: "ok", faults: [] }, ...more }, { link: "live", note: "", boundMs: 0, sensors: sensorTexts }, (key, n) => t(key, { n }));
    assert.equal(words({}).text, "");
    assert.equal(words({ unwatched: true }).text, t("unwatched"));
    assert.equal(words({ unwatched: true, notice: "journal_full" }).text, t("notice_journal_full"));
  }
});

test("what spoils the sight of the whole board is told before single sensors and before what people said, and these too", () => {
  for (const file of ["sheet", "tv"]) for (const lang of ["en", "es"]) {
    const t = translator(JSON.parse(readFileSync(new URL(`../../../web/locale/${lang}/${file}.json`, import.meta.url), "utf8")), lang);
    const words = (faults, differs) => stripWords({ sensors: "held", health: { state: "ok", faults }, differs },
      { link: "live", note: "", boundMs: 0, sensors: sensorTexts }, (key, n, values) => t(key, { ...values, n })).text;
    const differs = { seen: 5, expected: 6 };
    for (const [code, key] of [["multiplexer_missing:A1", "faults_part"], ["tile_missing:B", "faults_part"], ["load_absent", "faults_load"], ["load_gain", "faults_load"]]) {
      assert.equal(words([code]), t(key));
      assert.equal(words(["sensor_dead:A3", code]), `${t(key)} · ${t("faults", { n: 1 })}`);
      assert.equal(words([code], differs), `${t(key)} · ${t("differs", differs)}`);
    }
    assert.equal(words(["load_absent", "multiplexer_missing:A1", "sensor_off:B2"], differs), `${t("faults_part")} · ${t("faults_load")}`);
    assert.equal(words(["rebooted", "sensor_off:B2"]), `${t("faults", { n: 1 })} · ${t("faults_other")}`);
  }
});

test("after an undo only what there is to do is said", () => {
  for (const file of ["sheet", "tv"]) for (const lang of ["en", "es"]) {
    const t = translator(JSON.parse(readFileSync(new URL(`../../../web/locale/${lang}/${file}.json`, import.meta.url), "utf8")), lang);
    const words = (laying) => layingWords(laying, (key, n, values) => t(key, { ...values, n }));
    assert.equal(words({ back: 0, off: 1 }), t("laying_off", { off: 1 }));
    assert.equal(words({ back: 2, off: 0 }), t("laying_back", { back: 2 }));
    assert.equal(words({ back: 2, off: 1 }), `${t("laying_back", { back: 2 })}, ${t("laying_off", { off: 1 })}`);
  }
});
