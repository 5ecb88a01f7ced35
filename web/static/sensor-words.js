// What the strip says of the sensors, once what a page needs soon is there.
// Faults that spoil what is seen of the whole board, the gravest first: a part of it, load cell, supply, computer, cable.
const GRAVE = [["part", /^(multiplexer|tile)_missing|^select_stuck/], ["load", /^load_/], ["supply", /voltage|brown/], ["behind", /behind/], ["link", /^messages/]];
const ONE_SENSOR = /^sensor_\w+:/;
const TOLD = 2; // as many as there is room for

// What is wrong with the sensors, and what people said against them, in words, the gravest first; single sensors are counted,
// of what else there is the page says where to look.
export function sensorTexts({ differs, health: { faults } }, texts) {
  const grave = GRAVE.filter(([, codes]) => faults.some((code) => codes.test(code)));
  const sensors = faults.filter((code) => ONE_SENSOR.test(code)).length;
  const other = faults.some((code) => !ONE_SENSOR.test(code) && !GRAVE.some(([, codes]) => codes.test(code)));
  const told = [
    ...grave.map(([key]) => texts("faults_" + key)),
    differs ? texts("differs", differs.seen, differs) : "",
    sensors ? texts("faults", sensors) : "",
    other ? texts("faults_other") : "",
  ].filter(Boolean);
  return told.slice(0, TOLD).join(" · ");
}
