// The server's clock as seen from a page, with a proven bound of its error.
//
// Each round trip bounds the offset: s - t1 <= offset <= s - t0; each pushed message raises the lower bound. The
// interval is intersected, widened by the drift that two quartzes may have, and its middle is used. Times of the page
// are performance.now() in ms; server times are microseconds of a clock that runs `rate` times as fast as real time.
const DRIFT = 1e-4;

export class ServerClock {
  constructor() {
    this.rate = 1;
    this.reset();
  }

  reset() {
    this.low = -Infinity;
    this.high = Infinity;
    this.at = 0;
  }

  // A round trip: asked at t0, answered at t1 (ms).
  sample(t0, t1, serverUs, rate) {
    this.follow(rate);
    const s = this.real(serverUs);
    this.intersect(t1, s - t1, s - t0);
  }

  // A message pushed by the server, received at t (ms).
  push(t, serverUs, rate) {
    this.follow(rate);
    this.intersect(t, this.real(serverUs) - t, Infinity);
  }

  follow(rate) {
    if (rate > 0 && rate !== this.rate) {
      this.rate = rate;
      this.reset();
    }
  }

  // Server microseconds as milliseconds of real time.
  real(serverUs) {
    return serverUs / 1000 / this.rate;
  }

  intersect(t, low, high) {
    const widen = Math.max(0, t - this.at) * DRIFT;
    this.at = t;
    this.low = Math.max(this.low - widen, low);
    this.high = Math.min(this.high + widen, high);
    if (this.low > this.high) {
      // One of the clocks jumped: only the newest observation still holds.
      this.low = low;
      this.high = high;
    }
  }

  known() {
    return this.low > -Infinity && this.high < Infinity;
  }

  // Half the interval: the offset is proven to be within this many ms.
  boundMs() {
    return this.known() ? (this.high - this.low) / 2 : Infinity;
  }

  // The server's time at the page's t, microseconds; null before the first round trip.
  serverUs(t) {
    if (!this.known()) return null;
    return Math.round((t + (this.low + this.high) / 2) * 1000 * this.rate);
  }
}

// Takes `count` round trips, one after the other; fetchClock resolves to {s, rate}.
export async function sampleClock(clock, fetchClock, nowMs, count) {
  for (let i = 0; i < count; i += 1) {
    const t0 = nowMs();
    try {
      const answer = await fetchClock();
      clock.sample(t0, nowMs(), answer.s, answer.rate);
    } catch (error) {
      return;
    }
  }
}
