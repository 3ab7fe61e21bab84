// What a player has typed into their own hand and not added, or chosen among the cards of a photo and
// not entered: it goes with the hand, and is there again when the same hand is opened in this game,
// in this tab.

import { $, $$, keepInTab, keptInTab } from "./dom.js";

export const typedIn = (form) => $$("input", form).filter((field) => field.value !== field.defaultValue);

const forms = () => $$("[data-hand] form.typed");
const fields = () => forms().flatMap((form) => $$("input:not([type=hidden])", form));
const placeOf = (what) => `${what} ${document.body.dataset.game} ${$("[data-hand]").dataset.private}`;

export const isTyped = () => forms().some((form) => typedIn(form).length);

export function keepTyped() {
  if (isTyped()) keepInTab(placeOf("typed"), JSON.stringify(fields().map((field) => field.value)));
  const cards = choices();
  if (!cards.some((one) => one.checked !== one.defaultChecked)) return;
  keepInTab(placeOf("chosen"), JSON.stringify(cards.map((one) => [signOf(one), one.checked])));
}

export function putBackTyped() {
  const typed = taken("typed");
  fields().forEach((field, n) => (field.value ||= typed[n] ?? ""));
  for (const form of forms()) {
    const folded = form.closest("details");
    if (folded && typedIn(form).length) folded.open = true;
  }
  const chosen = new Map(taken("chosen"));
  for (const one of choices()) one.checked = chosen.get(signOf(one)) ?? one.checked;
}

function taken(what) {
  const kept = JSON.parse(keptInTab(placeOf(what)) ?? "[]");
  keepInTab(placeOf(what), null);
  return kept;
}

const choices = () => $$("[data-hand] .seen :is([type=checkbox], [type=radio])");

// Tells one choice from another, also once a further photo has joined, without naming a ticket.
function signOf({ type, name, value }) {
  const words = type === "radio" ? `${name} ${value}` : value;
  return [...words].reduce((sum, sign) => (sum * 31 + sign.codePointAt(0)) | 0, 0);
}
