// Commands: one id a press, the version it was made against, the same id on every try, the button held until answered.
const TRIES_MS = [0, 400, 1000, 2000, 4000];

export class Commands {
  // env: {send(command) -> Promise of {status, code, body}; rejects where the link failed, wait(ms) -> Promise,
  // random() -> text}. changed(): called when what is pending changes.
  constructor(env, changed) {
    this.env = env;
    this.changed = changed;
    this.pending = new Map(); // key of the button -> {id, done(answer)} of its press
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
    const answered = new Promise((done) => this.pending.set(key, { id: command.id, done }));
    this.changed();
    this.deliver(command).then((answer) => this.told({ [command.id]: answer }) && this.changed());
    return { id: command.id, ...(await answered) };
  }

  // Answers by id, of a press's own or in a newer view: a view may come before them, and who sees it presses again.
  // Whether a button is free again by them.
  told(answers) {
    const before = this.pending.size;
    for (const [key, { id, done }] of this.pending) {
      if (!answers[id]) continue;
      this.pending.delete(key);
      done(answers[id]);
    }
    return this.pending.size < before;
  }

  async deliver(command) {
    for (const pause of TRIES_MS) {
      await this.env.wait(pause);
      try {
        return await this.env.send(command);
      } catch (error) {
        // The link failed: the referee may have it or not; the same id makes another try harmless.
      }
    }
    return { status: "failed", code: "link" };
  }
}
