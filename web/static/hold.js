// A press that counts only when held: undo and its like are too easily touched. Works with finger, mouse and keys.
export function holdToPress(ms, done, tooShort) {
  let timer = null;
  const begin = (event) => {
    if (timer !== null || event.currentTarget.disabled) return;
    const button = event.currentTarget;
    button.classList.add("holding");
    timer = setTimeout(() => {
      timer = null;
      button.classList.remove("holding");
      done();
    }, ms);
  };
  return {
    down: begin,
    keyDown(event) {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        begin(event);
      }
    },
    up(event) {
      if (timer === null) return;
      clearTimeout(timer);
      timer = null;
      event.currentTarget.classList.remove("holding");
      tooShort();
    },
  };
}
