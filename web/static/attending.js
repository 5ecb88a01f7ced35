// A demonstration asks nobody until somebody is there to answer: a player's phone, or the table's own, says that it is.
import { commandLink, kept } from "./phone.js";

// Follows the views of a page. Said once for each time that nobody is asked (another game, the players play on), and
// again where it did not come through. A phone that only watches says nothing.
export class Attending {
  constructor(page) {
    this.page = page;
    this.said = false;
    this.link = commandLink(page.game);
  }

  async follow({ unasked, version }) {
    const { page } = this;
    const joined = ["player", "table"].includes(kept("role")) || page.me !== null;
    if (!unasked) this.said = false;
    if (!unasked || this.said || !page.mayAct || !joined) return;
    this.said = true;
    const args = { name: "answers", value: "people" };
    try {
      const { status, code } = await this.link.send({ id: this.link.random(), name: "set_setting", version, by: kept("name") || "", player: null, args });
      // stale: another phone has said so just now. What is refused otherwise (a new code, a game judged no more) stays so.
      if (status !== "refused" || code === "stale") page.note(page.t("asked_now"));
      else this.said = code !== "too_fast";
    } catch (error) {
      this.said = false; // the next view comes soon
    }
  }
}
