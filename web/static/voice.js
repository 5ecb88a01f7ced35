// The browser's own speech, where it has one for the page's language; a phone without it stays silent.
export class Voice {
  constructor(scope, lang) {
    this.scope = scope;
    this.lang = lang;
  }

  present() {
    return Boolean(this.scope.speechSynthesis && this.scope.SpeechSynthesisUtterance);
  }

  // The newest text only: what was being said is out of date.
  say(text) {
    if (!this.present()) return;
    const words = new this.scope.SpeechSynthesisUtterance(text);
    words.lang = this.lang;
    this.scope.speechSynthesis.cancel();
    this.scope.speechSynthesis.speak(words);
  }
}
