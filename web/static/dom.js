// Writing to the page: only what has changed, so that untouched parts cost nothing and assistive technology hears of
// changes alone.

export const byId = (id) => document.getElementById(id);

export function write(element, property, value) {
  if (element[property] !== value) element[property] = value;
}

// Rebuild the children of an element when what they show has changed.
export function rebuild(element, shown, children) {
  const key = JSON.stringify(shown);
  if (element.shownKey === key) return;
  element.shownKey = key;
  element.textContent = "";
  for (const child of children()) element.appendChild(child);
}

export function part(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}
