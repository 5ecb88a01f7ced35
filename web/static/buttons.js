// The buttons of the live page: which there are now, and what they send.
import { actionsFor, openQuestion } from "./actions.js";
import { byId, write } from "./dom.js";

const onPress = { main: null, side0: null, side1: null, last: null };

function drawButton(page, id, button, label, className) {
  const element = byId(id);
  write(element, "hidden", !button);
  onPress[id] = button;
  if (!button) return;
  write(element, "textContent", label);
  write(element, "disabled", page.isPending(button.key) || button.off === true || !(page.ready || button.name));
  write(element, "className", className);
  if (element.dataset.do !== button.key) element.dataset.do = button.key;
}

export function drawButtons(page, words) {
  if (!page.mayAct) return;
  const { view, t } = page;
  const open = openQuestion(view);
  if (open) page.texts("");
  const question = page.sheets ? open : null;
  const { main, side, last } = actionsFor(view, page.byHand || view.sensors === "none" || view.sensors === "lost");
  write(byId("undo"), "disabled", !view.undo || !page.ready || page.isPending("undo"));
  drawButton(page, "main", question ? null : main, main && t("do_" + main.key), "main");
  write(byId("hint"), "hidden", !question && main !== null);
  write(byId("hint"), "textContent", question ? page.sheets.questionText(page, question) : words.hint);
  write(byId("last").parentElement, "hidden", question !== null || (last === null && !side.length));
  for (const k of [0, 1]) drawButton(page, "side" + k, side[k], side[k] && t("do_" + side[k].key), "side");
  const player = view.call ? view.call.player : view.turn;
  drawButton(page, "last", last && { key: "last_yiker", name: "last_yiker", player, off: last === "said" || last === "missed" },
    t(last === "said" || last === "missed" ? "last_" + last : "last_yiker"), "last " + last);
  write(byId("choices"), "hidden", question === null);
  if (question) page.sheets.drawChoices(page, byId("choices"), question);
}

export function listenToButtons(page) {
  for (const id of page.mayAct ? Object.keys(onPress) : []) {
    byId(id).onclick = () => {
      const button = onPress[id];
      if (button.key === "again") page.again();
      else if (button.count) page.open("count", { button });
      else page.press(button, button.player === undefined ? page.view.turn : button.player);
    };
  }
}
