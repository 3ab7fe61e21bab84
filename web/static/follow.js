// Keeps the page in step with the table: the server's HTML is the truth, only what differs is
// exchanged.

import { $, $$, calm } from "./dom.js";
import { markEvidence } from "./evidence.js";
import { dressBrushes } from "./brush.js";
import { carryTyped } from "./carried.js";
import { isChoosing } from "./choosing.js";
import { released } from "./held.js";
import { inItsLanguage } from "./language.js";
import { newsLine, whileHeard } from "./line.js";
import { dressMap } from "./map.js";
import { dressPrint } from "./print.js";
import { hideHand, isLeft, waits } from "./secret.js";
import { isOfTheBox } from "./send.js";

const body = document.body;

const shown = new Map();
export const remember = (root) => $$("[data-live]", root).forEach((e) => shown.set(e.id, e.outerHTML));

const ASK_AGAIN_MS = 1500;
let again = null;

// Say that the box doesn't answer, and ask until it does: the line of news, which says so too, may
// have outlived the gap.
export function unanswered() {
  $("#offline").hidden = false;
  again ??= setTimeout(() => {
    again = null;
    refresh();
  }, ASK_AGAIN_MS);
}

// Whether the box answers; the banner stands where it does not.
export async function answers() {
  const answer = await fetch("/api/state", { method: "HEAD", signal: whileHeard() }).catch(() => null);
  const isBack = isOfTheBox(answer);
  $("#offline").hidden = isBack;
  return isBack;
}

const pause = () => new Promise((done) => setTimeout(done, ASK_AGAIN_MS));

// Waits until the box answers.
export async function answering() {
  while (!(await answers())) await pause();
}

// The same where it did not answer just now.
export const answeringAgain = () => pause().then(answering);

// The page at an address, or null (and the banner) where the box doesn't answer.
export async function load(address) {
  try {
    const headers = { Accept: "text/html", ...inItsLanguage };
    const hand = $("[data-hand]");
    if (hand) headers["X-Hand"] = hand.dataset.hand;
    const answer = await fetch(address, { headers, signal: whileHeard() });
    $("#offline").hidden = true;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return { page, moved: answer.redirected };
  } catch {
    unanswered();
    return null;
  }
}

export function exchange(page, only) {
  const fresh = $$(only ?? "[data-live]", page);
  const missing = $$("[data-live]").some((e) => !page.getElementById(e.id));
  const added = fresh.some((e) => !document.getElementById(e.id));
  if (!only && (missing || added)) return exchangeAll(page);
  for (const element of fresh) {
    const html = element.outerHTML;
    if (shown.get(element.id) === html) continue;
    if ($("input.number", document.getElementById(element.id))) continue; // later: somebody types there
    shown.set(element.id, html);
    swap(document.getElementById(element.id), document.importNode(element, true));
  }
  markEvidence();
  dressMap();
  dressBrushes();
  document.dispatchEvent(new Event("followed"));
}

// What was typed into fields with a `data-key`, and where the focus was, outlives the exchange.
export function swap(old, next) {
  const active = document.activeElement;
  const key = old.contains(active) ? active.dataset.key : null;
  const { selectionStart, selectionEnd } = active;
  const carried = carryTyped(old, next);
  const opened = $$("details[data-keep][open]", old).map((e) => e.id);
  const inside = old.contains(active);
  next = renew(old, next);
  if (opened.length) $$("details[data-keep]", next).forEach((e) => (e.open = opened.includes(e.id)));
  const focused = carried.get(active) ?? (key && $(`[data-key="${CSS.escape(key)}"]`, next));
  if (focused) {
    focused.focus();
    if (focused.type === "text") focused.setSelectionRange(selectionStart, selectionEnd);
  } else if (inside && next.closest("svg")) $("a", next)?.focus({ preventScroll: true });
  if (inside) keepFocus(next);
  dress(next);
}

// A line that is read aloud stays itself and only gets other words: one that is new is not heard.
function renew(old, next) {
  if (!old.matches("[role=status]")) {
    old.replaceWith(next);
    return next;
  }
  old.replaceChildren(...next.childNodes);
  return old;
}

// What had the focus is gone, an answered question for example: the heading of its part of the
// page takes it, so that the keyboard and a screen reader go on from there.
function keepFocus(region) {
  if (document.activeElement !== body && document.activeElement) return;
  const heading = $("h1, h2", region) ?? $("#main h1") ?? $("#main");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

// What follows the table; the rest of the page stays where it has nothing of the table.
function exchangeAll(page) {
  if (isElsewhere(page)) exchangeParts(page, ["#banner", ".tabs", ".tools"]);
  else exchangeMain(page);
}

// Whether nothing on a page is of the table: of the studio, or of set-up. Somebody may be at work in
// it, and it stays whatever the table does.
function isElsewhere(page) {
  const parts = "#main :is([data-live], form[action^='/api/act/'])";
  return body.dataset.tab === "" && ![document, page].some((root) => $(parts, root));
}

export function exchangeMain(page) {
  exchangeParts(page, ["#banner", "#main", ".tabs", ".tools"]);
}

function exchangeParts(page, selectors) {
  for (const selector of selectors) {
    const [old, next] = [$(selector), $(selector, page)];
    if (old && next) swap(old, document.importNode(next, true));
  }
  body.dataset.tab = page.body.dataset.tab;
  shown.clear();
  remember(document);
  dressMap();
  dressBrushes();
  if (selectors.includes("#main")) document.dispatchEvent(new Event("exchanged"));
}

let running = null;
let next = null; // the one that waits for it
let leaving = -Infinity; // when somebody last went to another page

const LEAVING_MS = 3000;

// Safari on phones and tablets says of no page that it is being left: there the tap itself says so.
const leave = () => (leaving = performance.now());
addEventListener("beforeunload", leave);
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (link && !event.defaultPrevented && !link.target && !isHere(link)) leave();
});
addEventListener("submit", (event) => event.defaultPrevented || leave());

const isHere = (link) =>
  link.hasAttribute("download") || link.href.split("#")[0] === location.href.split("#")[0];

export function goTo(address) {
  leave();
  location.assign(address);
}

// Follow the table; whoever asks while that is under way gets what comes after it.
export function refresh() {
  if (!running) return (running = followTable().finally(() => (running = null)));
  const then = () => {
    next = null;
    return refresh();
  };
  return (next ??= running.then(then, then));
}

// Follow the table at least to a version, which may have come by the live line already.
export async function followTo(version) {
  await running;
  if (!(Number(body.dataset.version) >= version)) await refresh();
}

// Where the page's content comes from. What a player types over an open hand stays out of the
// address, which the browser's history keeps.
export function source(field = $("[data-hand] [data-search]")) {
  if (!field) return location.href;
  const address = new URL(location.href);
  address.searchParams.set("q", field.value);
  return address.href;
}

// Whether a photo is on its way from this page to the box, or waits on it.
const isUnsent = () => "unsent" in body.dataset;

async function followTable() {
  if (isLeft()) return;
  const address = source();
  const wasUnsent = isUnsent();
  const loaded = await load(address);
  if (!loaded || isLeft()) return; // a hand that was hidden meanwhile comes back with it
  // A hand that is no longer shown here, for its seat was freed perhaps, waits for no finger.
  if ($("[data-hand]") && !$("[data-hand]", loaded.page)) return hideHand();
  if (address !== source()) return void refresh(); // somebody typed meanwhile
  // A table that moves on must not undo the tap that is just leading elsewhere.
  if (performance.now() - leaving < LEAVING_MS) return void setTimeout(refresh, LEAVING_MS);
  await released();
  if (isLeft() || waits() || isChoosing()) return; // what is not sent yet stands in this page
  const { page, moved } = loaded;
  if (!page.body.dataset.phase) return location.reload(); // the page of a fault: it has a way out
  const { phase, version, home, game } = page.body.dataset;
  const turned = phase !== body.dataset.phase;
  const isOther = game !== body.dataset.game;
  const busy = $("[data-hand]") && phase !== "sheet";
  const following = !busy && !["box", ""].includes(body.dataset.tab);
  const leads = moved || (turned && following);
  if ((wasUnsent || isUnsent()) && (leads || isOther)) return; // the page catches up afterwards
  Object.assign(body.dataset, { phase, version, home, game });
  // Whoever chose a board before the new game has it still.
  if (leads) return void location.assign(location.pathname === home ? location.href : home);
  if (isOther) showOtherGame(page);
  document.title = page.title;
  exchange(page);
}

// Every form is exchanged, for those of the game before are refused, and so is what was typed in it.
function showOtherGame(page) {
  $("#dialog").close();
  if (!isElsewhere(page)) $$("#main form").forEach((form) => form.reset());
  exchangeAll(page);
}

export function dress(root) {
  dressPrint(root);
  for (const image of $$("img[data-missing]", root)) {
    const hide = () => {
      const words = document.createElement("p");
      words.className = "no-crop";
      words.textContent = image.dataset.missing;
      image.replaceWith(words);
    };
    image.addEventListener("error", hide, { once: true });
    if (image.complete && !image.naturalWidth) hide(); // it failed before this script had come
  }
  // The first question stands in sight by itself, under its heading.
  const pointed = $(".doubt.pointed", root);
  if (pointed && pointed !== $(".doubt")) {
    pointed.scrollIntoView({ block: "start", behavior: calm.matches ? "auto" : "smooth" });
  }
}

// The next question after an answer, from its heading on.
export function showQuestion() {
  const next = $(".doubt.pointed") ?? $(".doubt");
  if (!next) return;
  const { bottom } = $("header.top").getBoundingClientRect();
  const top = Math.max(bottom, next.closest(".side").getBoundingClientRect().top);
  if (next.getBoundingClientRect().top >= top) return;
  next.scrollIntoView({ block: "start", behavior: calm.matches ? "auto" : "smooth" });
}

/* ---------- the line of news ------------------------------------------------------------------ */

export const listen = newsLine({
  address: () => "/events",
  kind: "version",
  hear: (event) => event.data !== body.dataset.version && refresh(),
  refused: refresh, // no line is free: this page asks now and then
  back: refresh,
});

document.addEventListener("chosen", refresh);

addEventListener("pageshow", (event) => {
  if (!event.persisted || waits()) return;
  if (isLeft()) return location.reload();
  leaving = -Infinity; // back again
  listen();
  refresh();
});
