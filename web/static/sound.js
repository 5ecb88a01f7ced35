// Sounds made on the phone, after a tap has allowed them; a phone without sound or vibration misses nothing else.
const NOTES = { tick: [[660, 0.07]], fault: [[330, 0.18], [220, 0.3]], win: [[523, 0.12],
  [659, 0.12], [784, 0.12], [1046, 0.3]], said: [[784, 0.1], [988, 0.18]] };

export class Sounds {
  constructor(scope) {
    this.scope = scope;
    this.context = null;
  }

  // To be called inside a tap.
  allow() {
    const Context = this.scope.AudioContext || this.scope.webkitAudioContext;
    if (!Context) return;
    if (!this.context) this.context = new Context();
    if (this.context.state !== "running") this.context.resume().catch(() => {});
  }

  // name: "tick", "said", "fault" or "win".
  play(name) {
    const { navigator } = this.scope;
    if (name === "fault" && navigator && typeof navigator.vibrate === "function") navigator.vibrate(200);
    if (!this.context || this.context.state !== "running") return;
    let at = this.context.currentTime;
    for (const [pitch, length] of NOTES[name]) {
      const tone = this.context.createOscillator();
      const volume = this.context.createGain();
      tone.type = "triangle";
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.25, at);
      volume.gain.exponentialRampToValueAtTime(0.001, at + length);
      tone.connect(volume).connect(this.context.destination);
      tone.start(at);
      tone.stop(at + length);
      at += length * 0.8;
    }
  }
}
