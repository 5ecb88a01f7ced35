// What the help pages of all games share: back to the game from which one was opened, and a card for each example.
import { part } from "./dom.js";

export function linkBack() {
  if (document.referrer && new URL(document.referrer).origin === window.location.origin) {
    document.getElementById("home").href = document.referrer;
  }
}

// parts: elements under its title.
export function addExample(title, ...parts) {
  const section = part("section", "card");
  section.append(part("h2", "", title), ...parts);
  document.getElementById("examples").append(section);
}
