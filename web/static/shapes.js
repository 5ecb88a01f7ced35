// The shapes of players, around the origin, about 1 in radius: a sign beside colour and letter.
export const SHAPES = {
  circle: "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1-1 0Z",
  square: "M-.7-.9H.7A.2.2 0 0 1 .9-.7V.7A.2.2 0 0 1 .7.9H-.7A.2.2 0 0 1-.9.7V-.7A.2.2 0 0 1-.7-.9Z",
  triangle: "M-.13-1.1A.16.16 0 0 1 .13-1.1L1.13.6A.17.17 0 0 1 1 .88H-1A.17.17 0 0 1-1.13.6Z",
  diamond: "M-.12-1.13A.17.17 0 0 1 .12-1.13L1.13-.12A.17.17 0 0 1 1.13.12L.12 1.13A.17.17 0 0 1-.12 1.13" +
    "L-1.13.12A.17.17 0 0 1-1.13-.12Z",
  star: "M0-1.25L.4-.5 1.22-.36.63.24.76 1.07 0 .7-.76 1.07-.63.24-1.22-.36-.4-.5Z",
  heart: "M0 1.05C-1.5 0-1.2-.95-.6-.95-.25-.95-.08-.75 0-.58.08-.75.25-.95.6-.95 1.2-.95 1.5 0 0 1.05Z",
};
const LOWER = { triangle: 0.24, star: 0.1, heart: -0.03 };

const SVG = "http://www.w3.org/2000/svg";

export function svgElement(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (parent) parent.appendChild(element);
  return element;
}

// A player's token: shape, colour (a class) and letter, as a group of radius 1.
export function token(player, parent) {
  const group = svgElement("g", { class: "token c-" + player.colour }, parent);
  svgElement("path", { d: SHAPES[player.shape] || SHAPES.circle }, group);
  const letter = svgElement("text", { y: 0.38 + (LOWER[player.shape] || 0) }, group);
  letter.textContent = player.letter;
  return group;
}

// The same as an own picture, for lists.
export function tokenPicture(player) {
  const picture = svgElement("svg", { viewBox: "-1.35 -1.35 2.7 2.7", class: "token-picture", "aria-hidden": "true" });
  token(player, picture);
  return picture;
}
