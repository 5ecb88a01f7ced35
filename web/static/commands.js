// Commands: one id a press, the version it was made against, the same id on every try, the button held until answered.
const TRIES_MS = [0, 400, 1000, 2000, 4000];

export class Commands {
  // env: {send(command) -> Promise of {status, code, body}; rejects where the link failed, wait(ms) -> Promise,
  // random() -> text}. changed(): called when what is pending changes.
  constructor(env, changed) {
    this.env = env;
    this.changed = changed;
    this.pending = new Set();
  }

  isPending(key) {
    return this.pending.has(key);
  }

  // Returns the answer with the id, {status: "failed"} where nothing came through, or null where the same button still
  // waits for an answer (a double tap).
  async press(key, name, version, pressUs, by, player, args) {
    if (this.pending.has(key)) return null;
    const command = { id: this.env.random(), name, version, by, player: player === undefined ? null : player,
      press_us: pressUs, args: args || {} };
    this.pending.add(key);
    this.changed();
    try {
      for (const pause of TRIES_MS) {
        await this.env.wait(pause);
        try {
          return { id: command.id, ...(await this.env.send(command)) };
        } catch (error) {
          // The link failed: the referee may have it or not; the same id makes another try harmless.
        }
      }
      return { status: "failed", code: "link" };
    } finally {
      this.pending.delete(key);
      this.changed();
    }
  }
}
