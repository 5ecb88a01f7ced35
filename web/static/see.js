// What is seen only while a button is held: a secret card, which nobody beside should read for longer.
export function holdToSee(button, show, hide) {
  let shown = false;
  const down = () => {
    if (shown) return;
    shown = true;
    button.classList.add("holding");
    show();
  };
  const up = () => {
    if (!shown) return;
    shown = false;
    button.classList.remove("holding");
    hide();
  };
  button.addEventListener("pointerdown", down);
  for (const name of ["pointerup", "pointerleave", "pointercancel", "blur"]) button.addEventListener(name, up);
  button.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && !event.repeat && down());
  button.addEventListener("keyup", up);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
}
