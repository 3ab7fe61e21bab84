// What the table does not take is told at the fields that it is about, the first of which has the
// focus.

import { $, $$ } from "./dom.js";

let told = 0;

// Whether all that was refused is told at fields of the form; the foot of the page tells the rest.
export function tellAtFields(form, { error, fields = [] }) {
  let rest = error;
  let place = form;
  for (const { field, error: sentence } of fields) {
    const input = standing(form.elements.namedItem(field));
    if (!(input instanceof HTMLInputElement) || input.type === "hidden") continue;
    tellAt(input, sentence);
    place = input.form;
    rest = rest.replaceAll(sentence, "");
  }
  $("[aria-invalid]", place)?.focus();
  return !rest.trim();
}

// The field that has the place of one whose part of the page was exchanged while the table answered.
const standing = (input) =>
  input?.isConnected === false ? $(`input[data-key="${CSS.escape(input.dataset.key)}"]`) : input;

const wordsAt = (input) => document.getElementById(input.getAttribute("aria-describedby"));

export const sentenceAt = (input) => wordsAt(input)?.textContent;

export function tellAt(input, sentence) {
  const words = document.createElement("p");
  Object.assign(words, { id: `refused-${(told += 1)}`, className: "refused", textContent: sentence });
  words.setAttribute("role", "alert");
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", words.id);
  (input.closest("label") ?? input.parentElement.lastElementChild).after(words);
  const folded = input.closest("details");
  if (folded) folded.open = true;
}

// Once something else is typed, or sent, it is no longer so.
export function forgetRefused(root) {
  for (const input of $$("[aria-invalid]", root)) {
    wordsAt(input)?.remove();
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-describedby");
  }
}

document.addEventListener("focusin", ({ target }) => {
  if (target.matches("[aria-invalid]")) wordsAt(target)?.scrollIntoView({ block: "nearest" });
});

document.addEventListener("input", ({ target }) => {
  if (target.matches("[aria-invalid]")) forgetRefused(target.parentElement);
});
