// The order of play on the start page: a button moves a row up, the first named row begins.

import { $, $$ } from "./dom.js";

function number(list) {
  const rows = $$("li", list);
  const first = rows.find((row) => $("[name^='name-']", row).value.trim());
  rows.forEach((row, i) => {
    $("[name^='seat-']", row).value = i + 1;
    $(".begins", row).hidden = row !== first;
    $("[data-up]", row).hidden = i === 0;
  });
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-up]");
  const row = button?.closest("li");
  if (!row) return;
  row.previousElementSibling.before(row);
  number(row.parentElement);
  (button.hidden ? $("[name^='name-']", row) : button).focus();
});

document.addEventListener("input", (event) => {
  const list = event.target.closest("[data-seats]");
  if (list) number(list);
});

for (const list of $$("[data-seats]")) number(list);
