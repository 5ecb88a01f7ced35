// The menu: what can be looked at, this phone, and the table.
import { html, nothing } from "../vendor/lit-html.js";
import { holdButton, item } from "../panel.js";
import { close, holdItem, opens, send } from "../sheets.js";

let sensorsFree = false; // what the list of games last said

export function menu(page) {
  const { t } = page;
  return { title: t("menu"), body: html`
    ${opens(t("rulings"), "rulings")}
    ${opens(t("standings"), "standings")}
    <a class="side" href="/help/yikerz">${t("help")}</a>
    ${opens(t("this_phone"), "phone")}
    ${page.mayAct ? opens(t("this_table"), "table") : nothing}
    <a class="side" href="/qr">${t("invite")}</a>
    <a class="side" href="/g/${page.game}/tv">${t("tv_view")}</a>` };
}

// What changes the game for all: the sensors, corrections, giving up.
export function table(page) {
  const { t, view } = page;
  const byHand = () => {
    page.byHand = !page.byHand;
    close();
  };
  const running = !view.phase.endsWith("_end");
  const remove = async () => {
    const answer = await send("delete_game");
    if (answer && answer.status === "applied") window.location.href = "/";
  };
  return { title: t("this_table"), body: html`
    ${view.sensors === "held" ? item(t(page.byHand ? "by_hand_off" : "by_hand_on"), byHand) : nothing}
    ${sensorsItem(page)}
    ${running ? opens(t("correct_piles"), "piles") : nothing}
    ${running ? opens(t("enter_result"), "result") : nothing}
    ${view.sensors === "none" ? nothing : html`<a class="side" href="/diagnostics">${t("sensors")}</a>`}
    ${opens(t("edit_entries"), "entries")}
    <a class="side" href="/phones">${t("phones")}</a>
    ${holdButton("delete_game", t("delete_game"), remove)}
    ${running ? holdItem(t("abandon_round"), { key: "abandon_round", name: "abandon_round" }) : nothing}` };
}

// This game's sensors: to be taken when no game has them, to be let go when it has.
function sensorsItem(page) {
  const { t, view } = page;
  if (view.sensors !== "none") return holdItem(t("sensors_release"), { key: "release_sensors", name: "release_sensors" });
  if (page.sheet.asked !== true) {
    page.sheet.asked = true;
    page.fetchJson("/lobby").then((answer) => (sensorsFree = answer.view.sensors === "free")).then(page.draw, () => null);
  }
  return sensorsFree ? holdItem(t("sensors_take"), { key: "take_sensors", name: "take_sensors" }) : nothing;
}
