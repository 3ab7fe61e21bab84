// Short words for finding things in the page and for drawing on the board.

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
export const calm = matchMedia("(prefers-reduced-motion: reduce)");

const SVG = "http://www.w3.org/2000/svg";

export function drawn(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// A sign in a circle, of the radius 9 on the board and `scale` times that.
export function badge(sign, [x, y], scale = 1) {
  const group = drawn("g", { transform: `translate(${x} ${y}) scale(${scale})`, class: "badge" });
  group.append(drawn("circle", { r: 9 }), drawn("text"));
  group.lastChild.textContent = sign;
  return group;
}

// What a form says when one of its buttons is tapped.
export function fieldsOf(form, button) {
  const fields = new FormData(form);
  if (button?.name) fields.set(button.name, button.value);
  return fields;
}

// A picture that was chosen before the page's script had come: its "change" is told once more. What
// the browser itself puts back on reloading or going back is left alone.
export function tellEarlyFiles(selector) {
  if (performance.getEntriesByType("navigation")[0]?.type !== "navigate") return;
  const chosen = $$(`input[type=file]${selector}`).filter((input) => input.files.length);
  for (const input of chosen) input.dispatchEvent(new Event("change", { bubbles: true }));
}
