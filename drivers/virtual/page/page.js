// The virtual table: draws what it says ten times a second, and tells it what the finger does.
const SVG = "http://www.w3.org/2000/svg";
const BOARD = 1, HAND = 2, FALLING = 3, PILE = 0;
const board = document.getElementById("board"), state = document.getElementById("state");
const play = document.getElementById("play"), flip = document.getElementById("flip");
let texts = {}, table = null, picture = null, held = null, chosen = null, sending = false, next = null;

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

async function ask(what) {
  try {
    const answer = await fetch("/do", { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify(what) });
    return answer.ok;
  } catch (error) {
    return false;
  }
}

async function move(point) {
  // The newest place wins; one request at a time.
  next = point;
  if (sending) return;
  sending = true;
  while (next) {
    const to = next;
    next = null;
    await ask({ do: "move", x: to.x, y: to.y });
  }
  sending = false;
}

function pointOf(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  return { x: Math.max(-390, Math.min(390, at.x)), y: Math.max(-390, Math.min(390, -at.y)) };
}

function drawMats() {
  let far = 0;
  for (const mat of table.corners) {
    make("polygon", { class: "mat", points: mat.map(([x, y]) => x + "," + -y).join(" ") }, board);
    for (const [x, y] of mat) far = Math.max(far, Math.abs(x), Math.abs(y));
  }
  for (const [x, y] of table.homes) far = Math.max(far, Math.abs(x) + 30, Math.abs(y) + 30);
  board.setAttribute("viewBox", [-far, -far, 2 * far, 2 * far].join(" "));
}

let circles = [];
function draw() {
  if (!circles.length) {
    circles = picture.stones.map((stone, k) => {
      const group = make("g", { "data-stone": k }, board);
      make("circle", { class: "stone", r: stone.r }, group);
      make("text", {}, group);
      return group;
    });
  }
  const inPile = {};
  picture.stones.forEach((stone, k) => {
    let x = stone.x, y = stone.y;
    if (stone.where === PILE && k !== held) {
      const n = inPile[stone.owner] = (inPile[stone.owner] || 0) + 1;
      const home = table.homes[stone.owner] || [0, -table.homes[0][1]];
      x = home[0] + ((n - 1) % 5 - 2) * 19;
      y = home[1] + (Math.floor((n - 1) / 5) - 0.5) * 19;
    }
    circles[k].setAttribute("transform", "translate(" + x + " " + -y + ")");
    circles[k].firstChild.setAttribute("class", "stone " + (stone.pole > 0 ? "north" : "south") +
      (k === chosen ? " chosen" : ""));
    circles[k].firstChild.setAttribute("r", stone.where === HAND || stone.where === FALLING ? stone.r * 1.25 : stone.r);
    circles[k].lastChild.textContent = stone.pole > 0 ? "N" : "S";
  });
  const on = picture.stones.filter((stone) => stone.where === BOARD).length;
  const parts = [t("on_board", { n: on }), t("piles", { piles: picture.piles.join(" · ") })];
  for (const name of picture.misbehaving) parts.push(t("fault_" + name));
  state.textContent = parts.join(" — ");
  play.textContent = t(picture.playing ? "stop" : "play");
  flip.disabled = chosen === null;
  for (const button of document.querySelectorAll("#faults button"))
    button.setAttribute("aria-pressed", String(picture.misbehaving.indexOf(button.name) >= 0));
}

board.addEventListener("pointerdown", (event) => {
  const group = event.target.closest("[data-stone]");
  if (!group) return;
  event.preventDefault();
  board.setPointerCapture(event.pointerId);
  held = chosen = Number(group.getAttribute("data-stone"));
  ask({ do: "grab", stone: held }).then(() => move(pointOf(event)));
});
board.addEventListener("pointermove", (event) => { if (held !== null) move(pointOf(event)); });
for (const name of ["pointerup", "pointercancel"])
  board.addEventListener(name, async (event) => {
    if (held === null) return;
    held = null;
    await move(pointOf(event));
    ask({ do: "drop" });
  });
play.addEventListener("click", () => ask({ do: "play", on: !picture.playing }));
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
  follow();
}
begin();
