// What a player has typed into their own hand and not added: it goes with the hand, and is there
// again when the same hand is opened in this game, in this tab.

import { $, $$, keepInTab, keptInTab } from "./dom.js";

export const typedIn = (form) => $$("input", form).filter((field) => field.value !== field.defaultValue);

const forms = () => $$("[data-hand] form.typed");
const fields = () => forms().flatMap((form) => $$("input:not([type=hidden])", form));
const place = () => `typed ${document.body.dataset.game} ${$("[data-hand]").dataset.private}`;

export const isTyped = () => forms().some((form) => typedIn(form).length);

export function keepTyped() {
  if (!isTyped()) return;
  keepInTab(place(), JSON.stringify(fields().map((field) => field.value)));
}

export function putBackTyped() {
  const typed = JSON.parse(keptInTab(place()) ?? "[]");
  keepInTab(place(), null);
  fields().forEach((field, n) => (field.value ||= typed[n] ?? ""));
  for (const form of forms()) {
    const folded = form.closest("details");
    if (folded && typedIn(form).length) folded.open = true;
  }
}
