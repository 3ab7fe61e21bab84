// The order of play on the start page: a button moves a row up, the first named row begins.

import { isChanged, keyOf } from "./carried.js";
import { $, $$, keepInTab, keptInTab } from "./dom.js";

function number(list) {
  const rows = $$("li", list);
  const first = rows.find((row) => $("[name^='name-']", row).value.trim());
  rows.forEach((row, i) => {
    $("[name^='seat-']", row).value = i + 1;
    $(".begins", row).hidden = row !== first;
    $("[data-up]", row).hidden = i === 0;
  });
}

const namesIn = (list) =>
  $$("[name^='name-']", list)
    .filter((field) => field.value.trim())
    .map((field) => [field.name, field.value]);

// The names stand in the page's address: they are there still after a reload, on the way back, and
// in another language.
function keep(list) {
  const address = new URL(location.href);
  const said = address.searchParams;
  for (const key of [...said.keys()]) if (key.startsWith("name-")) said.delete(key);
  for (const [name, value] of namesIn(list)) said.append(name, value);
  said.set("names", "none"); // who took a name out does not get it back
  history.replaceState(history.state, "", address);
  for (const link of $$(".languages a")) {
    said.set("lang", link.lang);
    link.search = address.search;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-up]");
  const row = button?.closest("li");
  if (!row) return;
  row.previousElementSibling.before(row);
  number(row.parentElement);
  keep(row.parentElement);
  (button.hidden ? $("[name^='name-']", row) : button).focus();
});

// A name counts while it is typed: whoever reloads the page has not left its field yet. Safari lets
// an address be changed a hundred times in half a minute.
const PAUSE_MS = 400;
let pause = 0;

document.addEventListener("input", (event) => {
  const list = event.target.closest("[data-seats]");
  if (!list) return;
  number(list);
  clearTimeout(pause);
  pause = setTimeout(keep, PAUSE_MS, list);
});

document.addEventListener("change", (event) => {
  const list = event.target.closest("[data-seats]");
  if (list) keep(list);
});

for (const list of $$("[data-seats]")) number(list);

// Whoever looks at another game first, at help or at a set-up, finds the typed names again on the way
// back to a game, and the settings on the way back to theirs; not once one has begun.
const TYPED = "typed-seats";
const SETTINGS = "typed-settings";

const settingsBeside = (list) => $$("[name^='setting-'], [name=camera]:not([type=hidden])", list.closest("form"));
const gameOf = (list) => $("[name=board]", list.closest("form")).value;
const keptSettings = () => JSON.parse(keptInTab(SETTINGS) ?? "{}");

let isLeavingForTyped = false;

addEventListener("pagehide", () => {
  const list = $("[data-seats]");
  if (!list || document.body.dataset.phase !== "start" || isLeavingForTyped) return;
  const names = namesIn(list);
  const isSaid = names.length || new URLSearchParams(location.search).has("names"); // perhaps that nobody is seated
  keepInTab(TYPED, isSaid ? new URLSearchParams([["names", "none"], ...names]) : null);
  const changed = settingsBeside(list).filter(isChanged);
  const settings = changed.map((one) => [keyOf(one), [one.value, one.checked]]);
  keepInTab(SETTINGS, JSON.stringify({ ...keptSettings(), [gameOf(list)]: settings }));
});

if (document.body.dataset.phase !== "start") {
  keepInTab(TYPED, null);
  keepInTab(SETTINGS, null);
}

addEventListener("pageshow", () => {
  const list = $("[data-seats]");
  if (!list) return;
  const kept = new Map(keptSettings()[gameOf(list)]);
  for (const one of settingsBeside(list)) {
    if (!kept.has(keyOf(one))) continue;
    [one.value, one.checked] = kept.get(keyOf(one));
    const folded = one.closest("details");
    if (folded) folded.open = true;
  }
});

// On arrival, by whatever link: one that was tapped before the script of its page had come leads here,
// too. The server seats whom the address names; without any, perhaps those of a start that was taken
// back, who are older than what was typed.
function seatTyped(list) {
  const address = new URL(location.href);
  const typed = new URLSearchParams(keptInTab(TYPED) ?? "");
  const isSaid = [...address.searchParams.keys()].some((key) => key.startsWith("name"));
  if (!typed.has("names") || isSaid || $$("[name^='name-']", list).some(isChanged)) return;
  const names = [...typed].filter(([name]) => name !== "names");
  if (String(names) === String(namesIn(list))) return;
  for (const [name, value] of typed) address.searchParams.append(name, value);
  isLeavingForTyped = true;
  location.replace(address);
}

for (const list of $$("[data-seats]")) seatTyped(list);
