// What was typed into fields with a `data-key` outlives the exchange of their part of the page, with
// what is told beside it; names outlive a reload of the page, too.

import { $, $$, keepInTab, keptInTab } from "./dom.js";
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

const TYPED = "typed-names";

const names = () => $$(".renaming input[data-key]");

addEventListener("pagehide", () => {
  const typed = names().filter((field) => field.value !== field.defaultValue);
  const kept = typed.map((field) => [field.dataset.key, field.value]);
  keepInTab(TYPED, kept.length ? JSON.stringify({ game: document.body.dataset.game, kept }) : null);
});

// Only where this page is shown again: who went elsewhere has let go of what was not sent.
export function putBackNames() {
  const { game, kept } = JSON.parse(keptInTab(TYPED) ?? "{}");
  keepInTab(TYPED, null);
  const isReloaded = performance.getEntriesByType("navigation")[0]?.type === "reload";
  if (!isReloaded || game !== document.body.dataset.game) return;
  const typed = new Map(kept);
  for (const field of names()) {
    if (!typed.has(field.dataset.key)) continue;
    field.value = typed.get(field.dataset.key);
    const folded = field.closest("details");
    if (folded) folded.open = true;
  }
}

// Whether somebody of that name plays by now: another device has added the same person.
const isKnown = (name, next) =>
  $$("input[data-key^='name-']", next).some((one) => one.value.toLowerCase() === name.trim().toLowerCase());
