// What was typed into fields with a `data-key` outlives the exchange of their part of the page, with
// what is told beside it; what was typed or chosen in any form beside a hand outlives a reload of the
// page and another language, too, and within `data-typed-stays` a look at other pages of its game.

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

const TYPED = "typed-fields";

const FIELDS = "#main form[data-act] input[name]:not([type=hidden], [type=file])";
const fields = () => $$(FIELDS).filter((field) => !field.closest("[data-hand]"));
export const keyOf = (one) => one.dataset.key ?? (one.type === "radio" ? `${one.name} ${one.value}` : one.name);
export const isChanged = (one) => one.value !== one.defaultValue || one.checked !== one.defaultChecked;

const ofThisPage = () => `${document.body.dataset.game} ${location.pathname}`;
const keptAs = () => ($("[data-typed-stays]") ? `${TYPED} ${ofThisPage()}` : TYPED);

addEventListener("pagehide", () => {
  const kept = fields().filter(isChanged).map((one) => [keyOf(one), [one.value, one.checked, one.defaultValue]]);
  const { lang } = document.documentElement;
  keepInTab(keptAs(), kept.length ? JSON.stringify({ place: ofThisPage(), lang, kept }) : null);
});

// Mostly only where this page is shown again: who went elsewhere has let go of what was not sent. What
// stays all the same does so in place of what it was to correct: another device may have done that.
export function putBackFields() {
  const { place, lang, kept } = JSON.parse(keptInTab(keptAs()) ?? "{}");
  keepInTab(keptAs(), null);
  const isReloaded = performance.getEntriesByType("navigation")[0]?.type === "reload";
  const isShownAgain = isReloaded || lang !== document.documentElement.lang;
  if (place !== ofThisPage()) return;
  const typed = new Map(kept);
  for (const field of fields()) {
    if (!typed.has(keyOf(field))) continue;
    const [value, checked, before] = typed.get(keyOf(field));
    const stays = field.closest("[data-typed-stays]") && before === field.defaultValue;
    if (!isShownAgain && !stays) continue;
    [field.value, field.checked] = [value, checked];
    const folded = field.closest("details");
    if (folded) folded.open = true;
  }
}

// Whether somebody of that name plays by now: another device has added the same person.
const isKnown = (name, next) =>
  $$("input[data-key^='name-']", next).some((one) => one.value.toLowerCase() === name.trim().toLowerCase());
