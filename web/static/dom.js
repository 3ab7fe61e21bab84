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

// Send a form as a tap on its button would. Safari before 16 has no word for it.
export function submit(form) {
  if (form.requestSubmit) return form.requestSubmit();
  const event = new Event("submit", { bubbles: true, cancelable: true });
  if (form.dispatchEvent(event)) form.submit();
}

// A picture that was chosen before the page's script had come: its "change" is told once more. What
// the browser itself puts back on reloading or going back is left alone.
export function tellEarlyFiles(selector) {
  if (performance.getEntriesByType("navigation")[0]?.type !== "navigate") return;
  const chosen = $$(`input[type=file]${selector}`).filter((input) => input.files.length);
  for (const input of chosen) input.dispatchEvent(new Event("change", { bubbles: true }));
}

// What this tab keeps until it is closed; null takes it away. A browser that is told to keep nothing
// refuses even the question.
export function keepInTab(key, value) {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // then it is gone
  }
}

export function keptInTab(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
