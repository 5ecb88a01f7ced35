// A game's views, kept live: the stream, a watchdog, polling when the house is full, and sleep.
//
// A stream that says OPEN may be dead (phones that slept): only what arrives counts. After each doubt the view is
// fetched first, then the stream is opened anew.
export const SILENCE_MS = 1900; // beats come each second; a page must tell within 2 s
const HIDDEN_MS = 10000;
const RETRY_MS = 500;
const POLL_MS = 1000;
const POLLS_PER_TRY = 10;

export class LiveView {
  // env: {EventSource, fetchView() -> Promise of an envelope, later(f, ms) -> id, cancel(id), now() -> ms}
  // on: {view(envelope, receivedMs), beat({s, rate}, receivedMs), state("live" | "lost")}
  // url: of the stream, to which the number of the newest view is appended, so that none comes twice.
  constructor(url, seq, env, on) {
    this.url = url;
    this.seq = seq;
    this.env = env;
    this.on = on;
    this.state = "";
    this.source = null;
    this.timers = {};
    this.round = 0;
  }

  // Begin with the view that came with the page.
  start() {
    this.open();
  }

  setState(state) {
    if (state !== this.state) {
      this.state = state;
      this.on.state(state);
    }
  }

  timer(name, ms, f) {
    this.env.cancel(this.timers[name]);
    this.timers[name] = f && this.env.later(f, ms);
  }

  // Something has arrived: the watchdog starts again.
  alive() {
    this.setState("live");
    this.timer("watch", SILENCE_MS, () => {
      this.setState("lost");
      this.reopen(0);
    });
  }

  take(envelope) {
    this.alive();
    this.seq = envelope.seq;
    this.on.view(envelope, this.env.now());
  }

  closeSource() {
    if (this.source) this.source.close();
    this.source = null;
  }

  open() {
    this.closeSource();
    const source = new this.env.EventSource(this.url + this.seq);
    this.source = source;
    let opened = false;
    source.onmessage = (event) => {
      if (source !== this.source) return;
      opened = true;
      this.take(JSON.parse(event.data));
    };
    source.addEventListener("beat", (event) => {
      if (source !== this.source) return;
      opened = true;
      this.alive();
      this.on.beat(JSON.parse(event.data), this.env.now());
    });
    source.onerror = () => {
      if (source !== this.source) return;
      this.closeSource();
      if (opened) this.setState("lost");
      this.reopen(opened ? 0 : POLLS_PER_TRY); // refused at once: the house may be full
    };
    this.timer("watch", SILENCE_MS, () => {
      this.setState("lost");
      this.reopen(0);
    });
  }

  // Fetch the view; if it comes, poll `polls` times at 1 Hz, then open the stream.
  async reopen(polls) {
    this.closeSource();
    this.timer("watch", SILENCE_MS, () => this.setState("lost"));
    this.timer("next", 0, null);
    this.round += 1;
    const round = this.round;
    let envelope = null;
    try {
      envelope = await this.env.fetchView();
    } catch (error) {
      envelope = null;
    }
    if (round !== this.round) return;
    if (envelope === null) {
      this.setState("lost");
      this.timer("next", RETRY_MS, () => this.reopen(0));
      return;
    }
    this.take(envelope);
    if (polls > 0) this.timer("next", POLL_MS, () => this.reopen(polls - 1));
    else this.open();
  }

  // visible: what the document says now. A page shown again never trusts the stream it had.
  visibility(visible) {
    if (visible) {
      this.timer("hide", 0, null);
      this.reopen(0);
    } else {
      this.timer("hide", HIDDEN_MS, () => this.stop());
    }
  }

  stop() {
    this.round += 1;
    this.closeSource();
    this.timer("watch", 0, null);
    this.timer("next", 0, null);
    this.setState("lost");
  }
}
