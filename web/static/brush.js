// By hand: a player's colour is chosen once, then every route that is touched is given to them. A
// second touch takes it back. A route that is somebody else's is asked about as always.

import { $, $$ } from "./dom.js";

let colour = null;

const group = (route) => $(`#r-${CSS.escape(route)}`);
const holds = (route) => group(route).dataset.owner === colour;
const isOpen = (route) => !group(route).dataset.owner && !$(".barred", group(route));

function show() {
  for (const button of $$("[data-brush]")) {
    button.setAttribute("aria-pressed", String(button.dataset.brush === colour));
  }
  const hint = $("[data-brush-hint]");
  if (hint) hint.textContent = $(`[data-brush="${colour}"]`)?.dataset.hint ?? "";
}

// The buttons as the page has them now; without this script they would do nothing.
export function dressBrushes() {
  const brushes = $("[data-brushes]");
  if (brushes) brushes.hidden = false;
  if (!$(`[data-brush="${colour}"]`)) colour = null;
  show();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-brush]");
  if (!button) return;
  colour = colour === button.dataset.brush ? null : button.dataset.brush;
  show();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !colour || $("dialog[open]")) return;
  colour = null;
  show();
});

// Of the lines of a double one is enough while a colour is chosen, for which of them is whose scores
// alike: the one that the colour holds, else the nearest that it can have.
export function oneOfEachDouble(ids) {
  if (!colour) return ids;
  const double = (id) => `${id.replace(/-\d$/, "")} of ${$$(".space", group(id)).length}`;
  const first = (lines) => lines.find(holds) ?? lines.find(isOpen) ?? lines[0];
  const linesOf = (id) => ids.filter((one) => double(one) === double(id));
  return [...new Set(ids.map((id) => first(linesOf(id))))];
}

// What a touched route is to become: { route, owner }, or null where it is to be asked about.
export function painted(route) {
  if (!colour) return null;
  const owner = group(route)?.dataset.owner ?? "";
  if (owner && owner !== colour) return null;
  return { route, owner: owner === colour ? "nobody" : colour };
}
