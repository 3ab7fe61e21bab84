// Tickets and routes are found while somebody types.

import { $, $$ } from "./dom.js";
import { exchange, load, source } from "./follow.js";
import { released } from "./held.js";

const AGAIN_MS = 1500; // after so long a box that did not answer is asked again

let typing = 0;
let searching = false; // whether what was typed last has not been answered yet

export function search(input) {
  if (gone(input)) return;
  if (!$("[data-hand]")) history.replaceState(null, "", source(input));
  clearTimeout(typing);
  searching = true;
  typing = setTimeout(() => find(input), 110);
}

// Whether its hand was hidden meanwhile: what was typed into it goes with it.
const gone = (input) => !input.isConnected;

async function find(input) {
  if (gone(input)) return;
  const address = source(input);
  const loaded = await load(address);
  await released();
  if (gone(input) || address !== source(input)) return; // somebody typed on meanwhile
  if (!loaded) return void (typing = setTimeout(() => find(input), AGAIN_MS));
  searching = false;
  exchange(loaded.page, input.dataset.search);
  take(input);
}

// Take the first answer to what was typed, once it is there: "first", or "only" where it is alone.
function take(input) {
  const wanted = input.dataset.take;
  if (!wanted || searching) return;
  delete input.dataset.take;
  const hits = $$(`${input.dataset.search} :is(a, button)`);
  if (hits.length === 1 || (hits.length && wanted === "first")) hits[0].click();
}

document.addEventListener("input", (event) => {
  const input = event.target;
  if (!input.matches("[data-search]")) return;
  if (event.isTrusted) delete input.dataset.take; // typed on: the answer is not that one yet
  search(input);
});

// Whoever opens a search types next.
document.addEventListener("click", (event) => {
  const closed = event.target.closest("details:not([open]) > summary")?.parentElement;
  const field = closed && $("[data-search]", closed);
  if (!field) return;
  event.preventDefault();
  closed.open = true;
  field.focus();
});

document.addEventListener("keydown", (event) => {
  const field = $("[data-search]");
  if (!field || !["ArrowDown", "ArrowUp", "Enter"].includes(event.key)) return;
  const hits = $$(`${field.dataset.search} :is(a, button)`);
  const at = hits.indexOf(document.activeElement);
  if (event.key === "Enter") {
    if (document.activeElement !== field || !field.value) return;
    field.dataset.take = "first";
    take(field);
    return;
  }
  if (at < 0 && document.activeElement !== field) return;
  event.preventDefault();
  (hits[at + (event.key === "ArrowDown" ? 1 : -1)] ?? field).focus();
});
