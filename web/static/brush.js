// By hand: a player's colour is chosen once, then every route that is touched is given to them. A
// second touch takes it back. A route that is somebody else's is asked about as always.

import { $, $$ } from "./dom.js";

let colour = null;

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

// What a touched route is to become: { route, owner }, or null where it is to be asked about.
export function painted(route) {
  if (!colour) return null;
  const owner = $(`#r-${CSS.escape(route)}`)?.dataset.owner ?? "";
  if (owner && owner !== colour) return null;
  return { route, owner: owner === colour ? "nobody" : colour };
}
