// What was typed into fields with a `data-key` outlives the exchange of their part of the page, with
// what is told beside it.

import { $, $$ } from "./dom.js";
import { sentenceAt, tellAt } from "./refused.js";
import { complain } from "./toast.js";

// The fields that were typed into, each with the one in `next` that has it now.
export function carryTyped(old, next) {
  const heirs = new Map();
  const pass = (field, heir, sentence) => {
    heir.value = field.value;
    if (sentence) tellAt(heir, sentence);
    heirs.set(field, heir);
  };
  const typed = $$("input[data-key]", old).filter((field) => field.value !== field.defaultValue);
  const gone = typed.filter((field) => {
    const same = $(`input[data-key="${CSS.escape(field.dataset.key)}"]`, next);
    if (same) pass(field, same, sentenceAt(field));
    return !same && field.dataset.moves && !isKnown(field.value, next);
  });
  for (const field of gone) {
    const free = $$("input[data-moves]", next).find((one) => !one.value);
    if (free) pass(field, free, field.dataset.moves);
    else complain(field.dataset.lost);
  }
  return heirs;
}

// Whether somebody of that name plays by now: another device has added the same person.
const isKnown = (name, next) =>
  $$("input[data-key^='name-']", next).some((one) => one.value.toLowerCase() === name.trim().toLowerCase());
