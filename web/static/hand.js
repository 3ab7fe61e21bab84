// An open hand with the board beside it: a ticket is found by tapping its two places there, and a
// completed one that was just added shows its path.

import { $, $$ } from "./dom.js";
import { showEvidence } from "./evidence.js";

const REACH_PX = 30;

let picked = []; // the places tapped for the ticket that is looked for

// How far a point of the screen is from a rectangle.
function distance({ left, right, top, bottom }, x, y) {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

function placeAt(svg, { clientX, clientY }) {
  const far = (place) =>
    Math.min(...[...place.children].map((e) => distance(e.getBoundingClientRect(), clientX, clientY)));
  const near = $$("[data-place]", svg).map((place) => [far(place), place]);
  const [least, place] = near.reduce((a, b) => (b[0] < a[0] ? b : a), [Infinity, null]);
  return least <= REACH_PX ? place : null;
}

function markPicked() {
  for (const place of $$(".choose [data-place]")) {
    place.classList.toggle("picked", picked.includes(place.dataset.place));
  }
}

function pick(place) {
  const name = place.dataset.place;
  picked = picked.length === 1 && picked[0] !== name ? [picked[0], name] : [name];
  const field = $("[data-hand] [data-search]");
  field.value = picked.join(" – ");
  // Both places name one ticket: it is taken as soon as it is found.
  if (picked.length === 2) field.dataset.take = "only";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  markPicked();
}

document.addEventListener(
  "click",
  (event) => {
    const svg = event.target.closest(".choose svg");
    if (!svg) return;
    event.preventDefault();
    event.stopPropagation();
    const place = placeAt(svg, event);
    if (place) pick(place);
  },
  { capture: true },
);

document.addEventListener("keydown", (event) => {
  if (!event.target.matches("[data-hand] [data-search]")) return;
  picked = [];
  markPicked();
});

// Whether the ticket that is looked for was tapped on the board and not typed.
export const isTapped = () => picked.length > 0;

// Light the path of the ticket that was added last, if it is completed.
export function showNewest(list) {
  picked = [];
  markPicked();
  const button = $(`${list} li:first-child [data-routes]`);
  if (button && button.getAttribute("aria-pressed") !== "true") showEvidence(button, { follow: false });
}
