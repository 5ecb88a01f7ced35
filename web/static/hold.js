// A button that counts only when held: undo is too easily touched. Works with finger, mouse and keys.
export function holdToPress(button, ms, done, tooShort) {
  let timer = null;
  const down = () => {
    if (timer !== null || button.disabled) return;
    button.classList.add("holding");
    timer = setTimeout(() => {
      timer = null;
      button.classList.remove("holding");
      done();
    }, ms);
  };
  const up = () => {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    button.classList.remove("holding");
    tooShort();
  };
  const key = (f) => (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    f();
  };
  button.addEventListener("pointerdown", down);
  for (const name of ["pointerup", "pointerleave", "pointercancel", "blur"]) button.addEventListener(name, up);
  button.addEventListener("keydown", key(down));
  button.addEventListener("keyup", key(up));
  button.addEventListener("contextmenu", (event) => event.preventDefault());
}
