import { kept, sendJson } from "./phone.js";

// The table lists phones by name, and forgets them when it starts anew. Nothing waits for it: the next page says it too.
export function sayName(boot) {
  const name = kept("name");
  if (boot.named !== undefined && name !== null && name !== boot.named) sendJson("/phones", { name }).catch(() => null);
}
