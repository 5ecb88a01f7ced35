// The sensors as they are now: field or residual as a map, stones with ellipses, health in words, weight, losses.
// Its own stream, open only while the page is seen: the table sends nothing of it otherwise.
import { gramsText } from "./amounts.js";
import { faultWords, history, labelPlaces, linkWords, mapFrame, redBlue, zeroWords, stoneNumbers } from "./diagnostics-drawn.js";
import { byId, part, rebuild } from "./dom.js";
import { translator } from "./i18n.js";
import { LiveView } from "./live.js";
import { written } from "./numbers.js";
import { bootData, fetchJson } from "./phone.js";

const boot = bootData();
const t = translator(boot.texts, boot.lang);
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const KEPT_S = 60;
const ELLIPSE = 10; // times as large as it is, or nobody would see a tenth of a millimetre
const page = { glimpse: null, health: null, sound: [], notice: "", drawn: false, shown: "field", link: "waiting", weight: [], lost: [], numbers: new Map() };

function drawMap(glimpse) {
  const canvas = byId("map");
  const pen = canvas.getContext("2d");
  const { x, y, scale } = mapFrame(glimpse.corners, canvas.width, canvas.height);
  const values = glimpse[page.shown];
  const most = Math.max(page.shown === "field" ? 5 : 0.5, ...values.map((v) => Math.abs(v)));
  const look = dark.matches ? "dark" : "day";
  const ink = getComputedStyle(document.body).color;
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.strokeStyle = "#888";
  for (let k = 0; k < glimpse.corners.length; k += 6) {
    const c = glimpse.corners.slice(k, k + 6);
    pen.beginPath();
    pen.moveTo(x(c[0]), y(c[1]));
    pen.lineTo(x(c[2]), y(c[3]));
    pen.lineTo(x(c[4]), y(c[5]));
    pen.closePath();
    pen.stroke();
  }
  values.forEach((value, k) => {
    const px = x(glimpse.places[2 * k]);
    const py = y(glimpse.places[2 * k + 1]);
    if (glimpse.trusted[k] === "1") {
      pen.fillStyle = redBlue(value / most, look);
      pen.beginPath();
      pen.arc(px, py, 6.2 * scale, 0, 2 * Math.PI);
      pen.fill();
    } else {
      pen.fillStyle = ink;
      pen.fillRect(px - 2 * scale, py - 2 * scale, 4 * scale, 4 * scale);
    }
  });
  pen.strokeStyle = ink;
  pen.fillStyle = ink;
  pen.font = "bold 26px sans-serif";
  pen.lineWidth = 2;
  for (const stone of glimpse.stones) {
    pen.beginPath();
    pen.ellipse(x(stone.x), y(stone.y), (ELLIPSE * stone.width * scale) / 2, (ELLIPSE * stone.height * scale) / 2, (-stone.angle * Math.PI) / 180, 0, 2 * Math.PI);
    pen.stroke();
  }
  const labels = glimpse.stones.map((stone) => {
    const text = String(page.numbers.get(stone.track));
    return { text, x: x(stone.x), y: y(stone.y), width: pen.measureText(text).width };
  });
  labelPlaces(labels, canvas.width, canvas.height, 26).forEach((at, k) => pen.fillText(labels[k].text, at.x, at.y));
  pen.lineWidth = 1;
  byId("scale").textContent = t("diagnostics_scale", { n: written(most, 1) });
}

function drawCurve(id, points) {
  const canvas = byId(id);
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, canvas.width, canvas.height);
  const known = points.filter((p) => p[1] !== null);
  if (known.length < 2) return;
  const low = Math.min(...known.map((p) => p[1]));
  const high = Math.max(low + 1, ...known.map((p) => p[1]));
  const end = points[points.length - 1][0];
  pen.strokeStyle = dark.matches ? "#6bf" : "#07c";
  pen.lineWidth = 2;
  pen.beginPath();
  known.forEach(([at, value], k) => {
    const px = canvas.width * (1 - (end - at) / KEPT_S);
    const py = 6 + (canvas.height - 12) * (1 - (value - low) / (high - low));
    if (k) pen.lineTo(px, py);
    else pen.moveTo(px, py);
  });
  pen.stroke();
}

function list(id, texts) {
  rebuild(byId(id), texts, () => texts.map((text) => part("li", "", text)));
}

function stoneWords(stone) {
  const place = { n: page.numbers.get(stone.track), x: written(stone.x, 1), y: written(stone.y, 1), sigma: written(Math.max(stone.width, stone.height) / 4, 2) };
  if (stone.stone < 0) return t("diagnostics_stone", place);
  return t("diagnostics_stone_named", { ...place, stone: stone.stone, p: Math.round(100 * stone.p) });
}

function drawHealth(health) {
  const stale = health.state === "stale" ? [health.frame_rate ? t("diagnostics_late", { n: Math.max(1, Math.round(health.lag_ms / 1000)) }) : t("diagnostics_quiet")] : [];
  const words = [...stale, ...faultWords([...health.faults, ...page.sound], t)];
  list("faults", words.length || health.state !== "ok" ? words : [t("diagnostics_sound")]);
  byId("link").textContent = linkWords(health, t);
  byId("said").hidden = !health.board_text;
  byId("said-text").textContent = health.board_text;
  byId("figures").textContent = t("diagnostics_figures",
    { rate: health.frame_rate, lag: health.lag_ms, damaged: health.damaged, drops: health.drops });
}

function draw() {
  const { glimpse } = page;
  const silent = page.health && ["starting", "lost"].includes(page.health.state); // nothing to wait for: Health says why
  const waiting = glimpse || silent ? "" : t("diagnostics_waiting");
  const gone = page.link === "lost";
  byId("state").textContent = gone ? t("diagnostics_gone") : waiting;
  byId("state").className = gone ? "gone" : "";
  document.body.dataset.link = page.link;
  document.body.dataset.fresh = page.drawn && (gone || !glimpse) ? "no" : "yes"; // what is drawn is old
  byId("link").hidden = gone;
  byId("notice").textContent = page.notice ? t("diagnostics_" + page.notice) : "";
  if (page.health) drawHealth(page.health);
  if (!glimpse) return;
  page.drawn = true;
  drawMap(glimpse);
  byId("zeroed").textContent = zeroWords(glimpse, t);
  byId("arithmetic").textContent = glimpse.arithmetic ? t("diagnostics_arithmetic", { by: glimpse.arithmetic }) : "";
  list("stones", glimpse.stones.length ? glimpse.stones.map(stoneWords) : [t("diagnostics_empty")]);
  drawCurve("weight", page.weight);
  byId("grams").textContent = glimpse.weight_g === null ? t("diagnostics_no_weight") : t("diagnostics_grams", { n: gramsText(glimpse.weight_g) });
  drawCurve("lost", page.lost);
  byId("losses").textContent = t("diagnostics_losses", { n: glimpse.lost });
}

function take(envelope) {
  if (!envelope.view) return;
  page.health = envelope.view.health;
  page.sound = envelope.view.sound || [];
  page.notice = envelope.view.notice || "";
  page.glimpse = "field" in envelope.view ? envelope.view : null;
  if (page.glimpse) page.numbers = stoneNumbers(page.glimpse.stones.map((stone) => stone.track), page.numbers);
  if (!page.glimpse) {
    draw();
    return;
  }
  const at = page.glimpse.t_us / 1e6;
  history(page.weight, at, page.glimpse.weight_g, KEPT_S);
  history(page.lost, at, page.glimpse.lost, KEPT_S);
  draw();
}

const live = new LiveView("/diagnostics/events?after=", -1, {
  EventSource: window.EventSource,
  fetchView: () => fetchJson("/diagnostics/view"),
  later: (f, ms) => setTimeout(f, ms),
  cancel: (id) => clearTimeout(id),
  now: () => performance.now(),
}, {
  view: take,
  beat() {},
  state(state) {
    page.link = state;
    draw();
  },
});

for (const name of ["field", "residual"]) {
  byId("show-" + name).addEventListener("click", () => {
    page.shown = name;
    for (const other of ["field", "residual"]) byId("show-" + other).setAttribute("aria-pressed", String(other === name));
    byId("map").setAttribute("aria-label", t("diagnostics_" + name));
    draw();
  });
}
dark.addListener(draw);
document.addEventListener("visibilitychange", () => live.visibility(!document.hidden));
live.start();
