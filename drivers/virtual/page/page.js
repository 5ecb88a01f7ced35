// The virtual table: draws what it says ten times a second, and tells it what the finger does.
const SVG = "http://www.w3.org/2000/svg";
const BOARD = 1, HAND = 2, FALLING = 3, PILE = 0;
const board = document.getElementById("board"), state = document.getElementById("state");
const play = document.getElementById("play"), flip = document.getElementById("flip");
const stand = document.getElementById("stand");
let texts = {}, table = null, picture = null, homes = [], held = null, chosen = null, next = null;

function t(key, values) {
  let text = texts[key] || key;
  for (const name of Object.keys(values || {})) text = text.split("{" + name + "}").join(values[name]);
  return text;
}

function make(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const key of Object.keys(attributes)) element.setAttribute(key, attributes[key]);
  if (parent) parent.appendChild(element);
  return element;
}

// What is asked goes out in order, one request at a time; of places that wait, only the newest.
let asked = Promise.resolve();
function ask(what) {
  asked = asked.then(() => fetch("/do", { method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify(typeof what === "function" ? what() : what) })).catch(() => null);
  return asked;
}

function move(point) {
  const waits = next !== null;
  next = point;
  if (!waits) ask(() => {
    const to = next;
    next = null;
    return { do: "move", x: to.x, y: to.y };
  });
}

function pointOf(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  return { x: Math.max(-390, Math.min(390, at.x)), y: Math.max(-390, Math.min(390, -at.y)) };
}

function drawMats() {
  const halves = make("linearGradient", { id: "halves" }, make("defs", {}, board));
  for (const [at, pole] of [[0, "south"], [0.5, "south"], [0.5, "north"], [1, "north"]])
    make("stop", { offset: at, class: "stop-" + pole }, halves);
  // Piles are drawn nearer than they lie, so that stones are as large as can be.
  const corners = [].concat(...table.corners);
  homes = table.homes.map(([x, y]) => {
    const far = Math.hypot(x, y);
    const near = Math.max(...corners.map(([a, b]) => (a * x + b * y) / far)) + 42;
    return [x / far * near, y / far * near];
  });
  for (const mat of table.corners)
    make("polygon", { class: "mat", points: mat.map(([x, y]) => x + "," + -y).join(" ") }, board);
}

// A pile lies in rows of five: two stand around its place, more grow away from the board.
const ROW = 5, APART = 19;
function inRows(home, n) {
  const out = home[1] < 0 ? -1 : 1;
  return [home[0] + (n % ROW - 2) * APART, home[1] + out * (Math.floor(n / ROW) - 0.5) * APART];
}

// Mats and piles, whole and as large as can be; while a finger drags, nothing moves under it.
let fitted = "";
function fit() {
  const last = homes.map((_, owner) => Math.max(2 * ROW, ROW * Math.ceil(picture.stones.filter((stone) =>
    stone.where === PILE && stone.owner === owner).length / ROW)) - 1);
  if (held !== null || last.join() === fitted) return;
  fitted = last.join();
  const corners = [].concat(...table.corners);
  const ends = homes.map((home) => inRows(home, 0)).concat(homes.map((home, owner) => inRows(home, last[owner])));
  const xs = corners.map((c) => c[0]).concat(ends.map((e) => e[0] - 10), ends.map((e) => e[0] + 10));
  const ys = corners.map((c) => -c[1]).concat(ends.map((e) => -e[1] - 17), ends.map((e) => 17 - e[1]));
  const x = Math.min(...xs), y = Math.min(...ys);
  board.setAttribute("viewBox", [x, y, Math.max(...xs) - x, Math.max(...ys) - y].join(" "));
}

let circles = [];
function draw() {
  fit();
  if (!circles.length) {
    circles = picture.stones.map((stone, k) => {
      const group = make("g", { "data-stone": k }, board);
      make("ellipse", { class: "stone" }, group);
      make("circle", { class: "touch", r: 15 }, group);
      make("text", {}, group);
      return group;
    });
  }
  const inPile = {};
  picture.stones.forEach((stone, k) => {
    let x = stone.x, y = stone.y;
    if (stone.where === PILE && k !== held) {
      const n = inPile[stone.owner] = (inPile[stone.owner] || 0) + 1;
      [x, y] = inRows(homes[stone.owner] || [0, 0], n - 1);
    }
    circles[k].setAttribute("transform", "translate(" + x + " " + -y + ")");
    // A stone on its edge is seen from above as a bar, one half north and one south.
    const shape = circles[k].firstChild, stands = stone.tilt > 0.5;
    const large = stone.where === HAND || stone.where === FALLING ? 1.25 : 1;
    shape.setAttribute("class", "stone " + (stands ? "standing" : stone.pole > 0 ? "north" : "south") +
      (k === chosen ? " chosen" : ""));
    shape.setAttribute("rx", large * (stone.r + (stone.half - stone.r) * stone.tilt));
    shape.setAttribute("ry", large * stone.r);
    shape.setAttribute("transform", "rotate(" + -stone.turn + ")");
    circles[k].lastChild.textContent = stands ? "" : stone.pole > 0 ? "N" : "S";
  });
  const on = picture.stones.filter((stone) => stone.where === BOARD).length;
  const parts = [t("on_board", { n: on }), t("piles", { piles: picture.piles.join(" · ") })];
  for (const name of picture.misbehaving) parts.push(t("fault_" + name));
  state.textContent = parts.join(" — ");
  play.textContent = t(picture.playing ? "stop" : "play");
  flip.disabled = stand.disabled = chosen === null;
  stand.textContent = t(chosen !== null && picture.stones[chosen].tilt > 0.5 ? "lay" : "stand");
  for (const button of document.querySelectorAll("#weights button"))
    button.setAttribute("aria-pressed", String(picture.laid_g > 0 && Number(button.name) === picture.laid_g));
  document.querySelector("#weights button").disabled = !picture.laid_g; // nothing to take off
  for (const button of document.querySelectorAll("#faults button"))
    button.setAttribute("aria-pressed", String(picture.misbehaving.indexOf(button.name) >= 0));
}

board.addEventListener("pointerdown", (event) => {
  const group = event.target.closest("[data-stone]");
  if (!group) return;
  event.preventDefault();
  board.setPointerCapture(event.pointerId);
  held = chosen = Number(group.getAttribute("data-stone"));
  ask({ do: "grab", stone: held });
  move(pointOf(event));
});
board.addEventListener("pointermove", (event) => { if (held !== null) move(pointOf(event)); });
for (const name of ["pointerup", "pointercancel"])
  board.addEventListener(name, (event) => {
    if (held === null) return;
    held = null;
    move(pointOf(event));
    ask({ do: "drop" });
  });
play.addEventListener("click", () => ask({ do: "play", on: !picture.playing }));
stand.addEventListener("click", () => ask({ do: "stand", stone: chosen }));
flip.addEventListener("click", () => ask({ do: "flip", stone: chosen }));
document.getElementById("behave").addEventListener("click", () => ask({ do: "behave" }));

async function follow() {
  for (;;) {
    try {
      picture = await (await fetch("/picture")).json();
      draw();
    } catch (error) {
      state.textContent = t("gone");
    }
    await new Promise((done) => setTimeout(done, document.hidden ? 1000 : 100));
  }
}

async function begin() {
  const language = (navigator.language || "es").slice(0, 2) === "en" ? "en" : "es";
  document.documentElement.lang = language;
  texts = await (await fetch("/" + language + ".json")).json();
  document.title = t("title");
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = t(element.dataset.text);
  table = await (await fetch("/table")).json();
  drawMats();
  const faults = document.getElementById("faults");
  for (const name of Object.keys(table.misbehaviours)) {
    const button = document.createElement("button");
    button.type = "button";
    button.name = name;
    button.textContent = t("fault_" + name);
    button.addEventListener("click", () => ask({ do: "misbehave", name: name }));
    faults.appendChild(button);
  }
  for (const grams of [0, 50, 200]) {
    const button = document.createElement("button");
    button.type = "button";
    button.name = String(grams);
    button.textContent = t(grams ? "weigh" : "unweigh", { g: grams });
    button.addEventListener("click", () => ask({ do: "weigh", grams: grams }));
    document.getElementById("weights").appendChild(button);
  }
  follow();
}
begin();
