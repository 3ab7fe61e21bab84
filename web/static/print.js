// A button that prints the page; without a script it could not, and stays hidden.

import { $$ } from "./dom.js";

export function dressPrint(root) {
  for (const button of $$("[data-print]", root)) button.hidden = false;
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) print();
});
