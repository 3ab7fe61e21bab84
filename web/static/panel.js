// Keeps the page in step with the table: live regions, actions without reloading, the dialog and
// search while typing. Every page works without it.

import { $, $$, calm, tellEarlyFiles } from "./dom.js";
import { markEvidence, showEvidence, walkTrail } from "./evidence.js";
import { showNewest } from "./hand.js";
import { dressBrushes, painted } from "./brush.js";
import "./seats.js";
import { send } from "./send.js";
import { dressMap, light, routeOfClick } from "./map.js";

const body = document.body;

/* ---------- live regions: the server's HTML is the truth, only what differs is exchanged ------- */

const shown = new Map();
const remember = (root) => $$("[data-live]", root).forEach((e) => shown.set(e.id, e.outerHTML));

// The page at an address, or null (and the banner) where the box doesn't answer.
async function load(address) {
  try {
    const headers = { Accept: "text/html" };
    const hand = $("[data-hand]");
    if (hand) headers["X-Hand"] = hand.dataset.hand;
    const answer = await fetch(address, { headers });
    $("#offline").hidden = true;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return { page, moved: answer.redirected };
  } catch {
    $("#offline").hidden = false;
    return null;
  }
}

function exchange(page, only) {
  const fresh = $$(only ?? "[data-live]", page);
  const missing = $$("[data-live]").some((e) => !page.getElementById(e.id));
  const added = fresh.some((e) => !document.getElementById(e.id));
  if (!only && (missing || added)) return exchangeMain(page);
  for (const element of fresh) {
    const html = element.outerHTML;
    if (shown.get(element.id) === html) continue;
    shown.set(element.id, html);
    swap(document.getElementById(element.id), document.importNode(element, true));
  }
  markEvidence();
  dressMap();
  dressBrushes();
  document.dispatchEvent(new Event("followed"));
}

function swap(old, next) {
  const active = document.activeElement;
  const key = old.contains(active) ? active.dataset.key : null;
  const opened = $$("details[data-keep][open]", old).map((e) => e.id);
  const inside = old.contains(active);
  old.replaceWith(next);
  if (opened.length) $$("details[data-keep]", next).forEach((e) => (e.open = opened.includes(e.id)));
  if (key) $(`[data-key="${CSS.escape(key)}"]`, next)?.focus();
  else if (inside && next.closest("svg")) $("a", next)?.focus({ preventScroll: true });
  if (inside) keepFocus(next);
  dress(next);
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

function exchangeMain(page) {
  const inside = $("#main").contains(document.activeElement);
  for (const selector of ["#banner", "#main", ".tabs", ".tools"]) {
    const [old, next] = [$(selector), $(selector, page)];
    if (old && next) old.replaceWith(document.importNode(next, true));
  }
  body.dataset.tab = page.body.dataset.tab;
  shown.clear();
  remember(document);
  if (inside) keepFocus($("#main"));
  dress(document);
  dressMap();
  dressBrushes();
}

let running = null;
let again = false;
let leaving = -Infinity; // when somebody last went to another page

const LEAVING_MS = 3000;

addEventListener("beforeunload", () => (leaving = performance.now()));

export async function refresh() {
  if (running) {
    again = true;
    return running;
  }
  running = followTable();
  await running;
  running = null;
  if (again) {
    again = false;
    await refresh();
  }
}

// Where the page's content comes from. What a player types over an open hand stays out of the
// address, which the browser's history keeps.
function source(field = $("[data-hand] [data-search]")) {
  if (!field) return location.href;
  const address = new URL(location.href);
  address.searchParams.set("q", field.value);
  return address.href;
}

async function followTable() {
  if (hidden) return;
  const address = source();
  const loaded = await load(address);
  if (!loaded) return;
  if (address !== source()) return void (again = true); // somebody typed meanwhile
  // A table that moves on must not undo the tap that is just leading elsewhere.
  if (performance.now() - leaving < LEAVING_MS) return void setTimeout(refresh, LEAVING_MS);
  const { page, moved } = loaded;
  if (!page.body.dataset.phase) return location.reload(); // the page of a fault: it has a way out
  const { phase, version, home } = page.body.dataset;
  const turned = phase !== body.dataset.phase;
  Object.assign(body.dataset, { phase, version, home });
  const busy = $("[data-hand]") && phase !== "sheet";
  const following = !busy && !["box", ""].includes(body.dataset.tab);
  if (moved || (turned && following)) return location.assign(home);
  exchange(page);
}

/* ---------- the live line --------------------------------------------------------------------- */

const GONE_MS = 4000; // a line that is cut is there again after two seconds
let gone = null;

function listen() {
  const line = new EventSource("/events");
  line.addEventListener("version", (event) => {
    gone = clearTimeout(gone);
    $("#offline").hidden = true;
    if (event.data !== body.dataset.version) refresh();
  });
  line.onerror = () => {
    if (line.readyState !== EventSource.CLOSED) {
      gone ??= setTimeout(() => ($("#offline").hidden = false), GONE_MS);
      return;
    }
    // No seat is free: this page asks now and then.
    refresh();
    setTimeout(listen, 4000);
  };
  addEventListener("pagehide", () => line.close(), { once: true });
}

addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  if (hidden) return location.reload();
  leaving = -Infinity; // back again
  listen();
  refresh();
});

/* ---------- actions --------------------------------------------------------------------------- */

function complain(sentence) {
  const toast = $("#toast");
  toast.textContent = sentence;
  toast.hidden = false;
  clearTimeout(complain.timer);
  complain.timer = setTimeout(() => (toast.hidden = true), 9000);
}

async function act(form, button) {
  const fields = new FormData(form);
  if (button?.name) fields.set(button.name, button.value);
  form.setAttribute("aria-busy", "true");
  const typed = emptied(form);
  try {
    const said = await send(form.action, fields);
    if (said.error) return void (complain(said.error), typed.putBack());
    $("#toast").hidden = true;
    if (form.closest("dialog")) $("#dialog").close();
    if ("resets" in form.dataset) form.reset();
    // The table may be in that phase already while this page only peeked at another one.
    if (form.dataset.go) return location.assign(form.dataset.go);
    await refresh();
    if (form.dataset.lights) showNewest(form.dataset.lights);
  } catch {
    $("#offline").hidden = false;
    typed.putBack();
  } finally {
    form.removeAttribute("aria-busy");
  }
}

// Empty the search that led to this form at once, so that the next one can be typed while the table
// still answers; `putBack` undoes that.
function emptied(form) {
  const field = form.dataset.clears && $(form.dataset.clears);
  if (!field) return { putBack() {} };
  const value = field.value;
  const set = (text) => {
    field.value = text;
    field.focus();
    search(field);
  };
  set("");
  return { putBack: () => field.value || set(value) };
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.getAttribute("role") === "search") event.preventDefault();
  if (!form.matches("[data-act]")) return;
  event.preventDefault();
  if (form.dataset.sure && !confirm(form.dataset.sure)) return;
  act(form, event.submitter);
});

document.addEventListener("change", async (event) => {
  const input = event.target;
  if (!input.matches("input[type=file][data-auto]") || !input.files.length) return;
  const label = input.closest("label");
  const words = $("span", label);
  const before = words.textContent;
  words.textContent = label.dataset.busy;
  label.classList.add("busy");
  if (!input.form.matches("[data-act]")) {
    clearTimeout(idle); // a slow upload must not be hidden under the player's hands
    return input.form.submit();
  }
  await act(input.form);
  input.value = "";
  words.textContent = before;
  label.classList.remove("busy");
});
queueMicrotask(() => tellEarlyFiles("[data-auto]")); // once the whole of this file has run

// The table's own camera takes a photo: that lasts, and the answer is another page.
document.addEventListener("submit", (event) => {
  const words = event.target.dataset.waits;
  if (!words) return;
  clearTimeout(idle);
  $("span", event.submitter).textContent = words;
  event.submitter.classList.add("busy");
});

/* ---------- the dialog on one route ----------------------------------------------------------- */

async function openRoute(address) {
  const loaded = await load(address);
  const asked = loaded && $("[data-dialog-body]", loaded.page);
  if (!asked) return;
  $("#dialog-body").replaceChildren(document.importNode(asked, true));
  dress($("#dialog"));
  if (!$("#dialog").open) $("#dialog").showModal();
  light([asked.dataset.route]);
}

// A route that was touched on the map: given to the player whose colour is chosen, or asked about.
async function touchRoute(route, map) {
  const given = painted(route);
  if (!given) return openRoute(map.dataset.link + encodeURIComponent(route));
  try {
    const said = await send("/api/act/correct-route", new URLSearchParams(given));
    if (said.error) return complain(said.error);
    await refresh();
  } catch {
    $("#offline").hidden = false;
  }
}

/* ---------- what the camera sees --------------------------------------------------------------- */

const GLANCE_MS = 2500;

let nextGlance = 0;

async function glance() {
  clearTimeout(nextGlance);
  const view = $("details[data-camera][open]");
  if (!view || document.hidden) return;
  try {
    const seen = await (await fetch("/setup/live.json")).json();
    if (seen.picture) $("img", view).src = seen.picture;
  } catch {
    /* the next glance may do */
  }
  clearTimeout(nextGlance);
  nextGlance = setTimeout(glance, GLANCE_MS);
}

document.addEventListener("toggle", (event) => event.target.matches("[data-camera]") && glance(), true);

/* ---------- search while typing --------------------------------------------------------------- */

let typing = 0;
let searching = false; // whether what was typed last has not been answered yet

function search(input) {
  if (!$("[data-hand]")) history.replaceState(null, "", source(input));
  clearTimeout(typing);
  searching = true;
  typing = setTimeout(() => find(input), 110);
}

async function find(input) {
  const address = source(input);
  const loaded = await load(address);
  if (!loaded || address !== source(input)) return; // somebody typed on meanwhile
  searching = false;
  exchange(loaded.page, input.dataset.search);
  take(input);
}

// Take the first answer to what was typed, once it is there: "first", or "only" where it is alone.
function take(input) {
  const wanted = input.dataset.take;
  if (!wanted || searching) return;
  delete input.dataset.take;
  const hits = $$(`${input.dataset.search} :is(a, button)`);
  if (hits.length === 1 || (hits.length && wanted === "first")) hits[0].click();
}

document.addEventListener("input", (event) => {
  const input = event.target;
  if (!input.matches("[data-search]")) return;
  if (event.isTrusted) delete input.dataset.take; // typed on: the answer is not that one yet
  search(input);
});

document.addEventListener("keydown", (event) => {
  const field = $("[data-search]");
  if (!field || !["ArrowDown", "ArrowUp", "Enter"].includes(event.key)) return;
  const hits = $$(`${field.dataset.search} :is(a, button)`);
  const at = hits.indexOf(document.activeElement);
  if (event.key === "Enter") {
    if (document.activeElement !== field || !field.value) return;
    field.dataset.take = "first";
    take(field);
    return;
  }
  if (at < 0 && document.activeElement !== field) return;
  event.preventDefault();
  (hits[at + (event.key === "ArrowDown" ? 1 : -1)] ?? field).focus();
});

/* ---------- touches --------------------------------------------------------------------------- */

document.addEventListener("click", (event) => {
  const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
  const map = event.target.closest("svg#board");
  if (map && !map.dataset.link) return; // its routes lead nowhere
  if (map && !elsewhere) {
    event.preventDefault();
    const route = routeOfClick(map, event);
    return void (route && touchRoute(route, map));
  }
  const link = event.target.closest("a[data-dialog]");
  if (link && !elsewhere) {
    event.preventDefault();
    if (link.dataset.choice && painted(link.dataset.choice)) {
      $("#dialog").close();
      return void touchRoute(link.dataset.choice, $("svg#board"));
    }
    return void openRoute(link.getAttribute("href"));
  }
  const proof = event.target.closest("button[data-routes]");
  if (proof) showEvidence(proof);
  const ground = event.target.closest("a[data-map]");
  if (ground && !elsewhere) {
    event.preventDefault();
    return void fetch(ground.href).then(refresh, () => ($("#offline").hidden = false));
  }
  const step = event.target.closest("[data-step]");
  if (step) walkTrail(step.dataset.step);
  if (event.target.id === "dialog") event.target.close();
  for (const menu of $$("details[data-menu][open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

/* ---------- secrets and pictures -------------------------------------------------------------- */

const SECRET_S = 60;
let idle = 0;

let hidden = false; // whether this page showed a hand and was left

// Nothing of a hand stays in a page that somebody leaves: browsers keep pages for "Back".
function clearHand() {
  const hand = $("[data-hand]");
  if (!hand) return null;
  hidden = true;
  $("#main").replaceChildren();
  return hand.dataset.private;
}

function hideHand() {
  const curtain = clearHand();
  if (curtain) location.replace(curtain);
}

function guardSecret() {
  clearTimeout(idle);
  if ($("[data-hand]")) idle = setTimeout(hideHand, SECRET_S * 1000);
}

// While a phone's camera lies over the page only the form that waits for the photo is left of it.
let photographing = false;

function clearAround(form) {
  for (let kept = form; kept.id !== "main"; kept = kept.parentElement) {
    for (const other of [...kept.parentElement.children]) if (other !== kept) other.remove();
  }
}

document.addEventListener("click", (event) => {
  const form = event.target.closest("[data-photo]");
  if (!form || !event.target.matches("input[type=file]")) return;
  photographing = true;
  fetch("/api/expect-hand", { method: "POST" }).catch(() => {});
});

document.addEventListener("cancel", (event) => {
  if (!event.target.matches("[data-photo] input")) return;
  photographing = false;
  if ($("[data-hand]") && $("#main").dataset.cleared) hideHand();
}, true);

for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, guardSecret);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden || !$("[data-hand]")) return;
  if (!photographing) return hideHand();
  $("#main").dataset.cleared = "yes";
  hidden = true;
  clearAround($("[data-hand] [data-photo]"));
});
addEventListener("pagehide", clearHand);

function dress(root) {
  for (const image of $$("img[data-missing]", root)) {
    const hide = () => {
      const words = document.createElement("p");
      words.className = "no-crop";
      words.textContent = image.dataset.missing;
      image.replaceWith(words);
    };
    image.addEventListener("error", hide, { once: true });
  }
  // The first question stands in sight by itself, under its heading.
  const pointed = $(".doubt.pointed", root);
  if (pointed && pointed !== $(".doubt")) {
    pointed.scrollIntoView({ block: "start", behavior: calm.matches ? "auto" : "smooth" });
  }
}

if ($("[data-hand]")) history.replaceState(null, "", $("[data-hand]").dataset.private);
remember(document);
dress(document);
dressMap();
dressBrushes();
if ($("#asked")) light([$("#asked").dataset.route]);
for (const field of $$("[data-search]")) {
  if (field.value !== field.defaultValue) search(field); // typed before this script ran
}
guardSecret();
listen();
