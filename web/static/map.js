// The drawn board under fingers, mouse and keys: it zooms and pans, and a touch that may mean two
// routes asks which. Without this script each route is a link.

import { $, $$, badge } from "./dom.js";
import { oneOfEachDouble } from "./brush.js";
import { STEP, apart, meaning, middle, neighbour } from "./near.js";

const MOST_ZOOM = 8;
const DRAG_PX = 7;

let view = null; // the part of the board in sight: [left, top, width, height], null for all of it
let chosen = []; // routes lit on the map because they are asked about
let lettered = false;
let before = null; // what was in sight before the board came nearer by itself
const drawings = new WeakMap(); // the board's geometry, read once for each drawing

const board = () => $("svg#board");

export function geometry(svg) {
  if (!drawings.has(svg)) {
    const whole = svg.getAttribute("viewBox").split(" ").map(Number);
    drawings.set(svg, { whole, routes: $$("[data-route]", svg).map(readRoute) });
  }
  return drawings.get(svg);
}

function readRoute(group) {
  const boxes = $$("g[transform]", group).map((box) => {
    const [x, y, angle] = box.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    const space = $(".space", box);
    const turn = (angle * Math.PI) / 180;
    const [along, across] = ["width", "height"].map((side) => Number(space.getAttribute(side)) / 2);
    return { x, y, cos: Math.cos(turn), sin: Math.sin(turn), along, across };
  });
  return { id: group.dataset.route, boxes };
}

/* ---------- zoom and pan ----------------------------------------------------------------------- */

// Pixels of the screen that a millimetre of the board takes.
const pxPerMm = (svg) => svg.getScreenCTM().a;

function onBoard(svg, x, y) {
  const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
  return [at.x, at.y];
}

function show(svg, wanted) {
  const { whole } = geometry(svg);
  const least = whole[2] / MOST_ZOOM;
  const size = [0, 1].map((i) => (whole[2 + i] / whole[2]) * Math.max(least, wanted[2]));
  view = null;
  if (size[0] < whole[2] * 0.99) {
    const corner = [0, 1].map((i) =>
      Math.min(whole[i] + whole[2 + i] - size[i], Math.max(whole[i], wanted[i])),
    );
    view = [...corner, ...size];
  }
  dressMap();
}

// Make the board `factor` times larger; what lies at (x, y) of the screen stays there.
function zoom(svg, factor, x, y) {
  const now = view ?? geometry(svg).whole;
  const [ax, ay] = onBoard(svg, x, y);
  const by = Math.max(factor, now[2] / geometry(svg).whole[2]); // never smaller than the whole
  show(svg, [ax - (ax - now[0]) / by, ay - (ay - now[1]) / by, now[2] / by, now[3] / by]);
}

function pan(svg, dx, dy) {
  if (!view) return;
  const scale = pxPerMm(svg);
  show(svg, [view[0] - dx / scale, view[1] - dy / scale, view[2], view[3]]);
}

// Bring a point of the board into sight.
function reveal(svg, [x, y]) {
  if (!view) return;
  const edge = view[2] * 0.12;
  const inside = (at, i) => at > view[i] + edge && at < view[i] + view[2 + i] - edge;
  if (inside(x, 0) && inside(y, 1)) return;
  show(svg, [x - view[2] / 2, y - view[3] / 2, view[2], view[3]]);
}

function centre(svg) {
  const { left, top, width, height } = svg.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

function command(what) {
  const svg = board();
  if (what === "whole") show(svg, geometry(svg).whole);
  else zoom(svg, what === "in" ? STEP ** 0.5 : STEP ** -0.5, ...centre(svg));
}

/* ---------- fingers ---------------------------------------------------------------------------- */

const fingers = new Map();
let pointer = "mouse";
let dragged = false;

addEventListener("pointerdown", (event) => {
  const svg = event.target.closest?.("svg#board");
  if (!svg) return;
  pointer = event.pointerType || "touch";
  if (fingers.size === 0) dragged = false;
  if (event.button === 0) fingers.set(event.pointerId, [event.clientX, event.clientY]);
});

addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  const svg = board();
  if (!before || !svg) return;
  const now = [event.clientX, event.clientY];
  const moved = Math.hypot(now[0] - before[0], now[1] - before[1]);
  if (fingers.size === 1 && !dragged && moved < DRAG_PX) return;
  if (fingers.size === 2) {
    const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
    const gap = (one) => Math.max(20, Math.hypot(one[0] - other[0], one[1] - other[1]));
    pan(svg, (now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    zoom(svg, gap(now) / gap(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  } else pan(svg, now[0] - before[0], now[1] - before[1]);
  dragged ||= view !== null || fingers.size === 2;
  fingers.set(event.pointerId, now);
});

for (const kind of ["pointerup", "pointercancel"]) {
  addEventListener(kind, (event) => fingers.delete(event.pointerId));
}

document.addEventListener(
  "wheel",
  (event) => {
    const svg = event.target.closest?.("svg#board");
    const scrolls = document.documentElement.scrollHeight > innerHeight;
    if (!svg || (scrolls && !event.ctrlKey)) return; // where the page scrolls, the wheel scrolls it
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 24 : 1;
    zoom(svg, Math.exp(-event.deltaY * lines * 0.003), event.clientX, event.clientY);
  },
  { passive: false },
);

document.addEventListener("dragstart", (event) => {
  if (event.target.closest?.("svg#board")) event.preventDefault();
});

/* ---------- which route ------------------------------------------------------------------------ */

// What a click on the board means: the id of a route, or null once this has dealt with it itself.
export function routeOfClick(svg, event) {
  const link = event.target.closest("a[href]");
  if (event.detail === 0) return link?.closest("[data-route]")?.dataset.route ?? null; // a key
  if (dragged) return null;
  const { routes } = geometry(svg);
  const [x, y] = onBoard(svg, event.clientX, event.clientY);
  const mayComeNearer = zoomed(svg) * STEP <= MOST_ZOOM;
  const said = meaning(routes, x, y, pxPerMm(svg), pointer, mayComeNearer, oneOfEachDouble);
  if (said.nearer) zoom(svg, STEP, event.clientX, event.clientY);
  if (said.offer) offer(svg, said.offer);
  return said.open ?? null;
}

const zoomed = (svg) => geometry(svg).whole[2] / (view ?? geometry(svg).whole)[2];

const LETTERS = "ABCDEFGHIJ";

// Ask which of several routes was meant: each by name and by its letter on the map.
function offer(svg, ids) {
  const asked = $("#chooser").content.cloneNode(true);
  const row = $("li", asked);
  const rows = ids.map((id, i) => {
    const one = row.cloneNode(true);
    const group = $(`#r-${CSS.escape(id)}`, svg);
    $("a", one).href = $("a", group).getAttribute("href");
    $("a", one).dataset.choice = id;
    $("i", one).textContent = LETTERS[i];
    $("b", one).textContent = $("a", group).getAttribute("aria-label");
    $("small", one).textContent = group.dataset.line ?? "";
    return one;
  });
  row.replaceWith(...rows);
  $("#dialog-body").replaceChildren(asked);
  $("#dialog").showModal();
  light(ids, true);
}

// Light the routes that a dialog asks about, with letters where it offers several.
export function light(ids, withLetters = false) {
  chosen = ids;
  lettered = withLetters;
  const svg = board();
  if (!svg) return;
  if (withLetters) approach(svg, ids);
  else if (ids.length === 0 && before) {
    view = before.view;
    before = null;
  }
  dressMap();
}

// Come so near to a few routes that they can be told apart; `before` leads back.
function approach(svg, ids) {
  before = { view };
  const boxes = geometry(svg).routes.filter((one) => ids.includes(one.id)).flatMap((one) => one.boxes);
  const [left, right] = [Math.min(...boxes.map((b) => b.x)), Math.max(...boxes.map((b) => b.x))];
  const [top, bottom] = [Math.min(...boxes.map((b) => b.y)), Math.max(...boxes.map((b) => b.y))];
  const { whole } = geometry(svg);
  const width = 1.8 * Math.max(right - left, ((bottom - top) * whole[2]) / whole[3], whole[2] / 6);
  if (width >= (view ?? whole)[2]) return;
  const height = (width * whole[3]) / whole[2];
  show(svg, [(left + right - width) / 2, (top + bottom - height) / 2, width, height]);
}

function mark(svg) {
  svg.classList.toggle("choosing", chosen.length > 0);
  for (const group of $$("[data-route]", svg)) {
    group.classList.toggle("chosen", chosen.includes(group.dataset.route));
  }
  const known = new Map(geometry(svg).routes.map((route) => [route.id, route]));
  const shown = lettered ? chosen.filter((id) => known.has(id)) : [];
  const radius = 12 / pxPerMm(svg);
  const places = apart(shown.map((id) => middle(known.get(id))), 2.2 * radius);
  $("#letters", svg).replaceChildren(
    ...places.map((place, i) => badge(LETTERS[i], place, radius / 9)),
  );
}

/* ---------- keys ------------------------------------------------------------------------------- */

// One route of the board can be reached with the Tab key, the arrows lead from it to the others.
function focusable(svg, id) {
  for (const link of $$(".routes a[tabindex='0']", svg)) link.setAttribute("tabindex", "-1");
  const link = $(`#r-${CSS.escape(id)} a`, svg) ?? $(".routes a", svg);
  link?.setAttribute("tabindex", "0");
  return link;
}

let current = "";

document.addEventListener("keydown", (event) => {
  const svg = event.target.closest?.("svg#board");
  if (!svg || event.ctrlKey || event.metaKey || event.altKey) return;
  const commands = { "+": "in", "=": "in", "-": "out", 0: "whole" };
  if (event.key in commands) return void command(commands[event.key]);
  if (!event.key.startsWith("Arrow")) return;
  event.preventDefault();
  const { routes } = geometry(svg);
  const from = routes.find((route) => route.id === current) ?? routes[0];
  const next = neighbour(routes, from, event.key);
  if (!next) return;
  current = next.id;
  reveal(svg, middle(next));
  focusable(svg, current)?.focus({ preventScroll: true });
});

document.addEventListener("focusin", (event) => {
  const group = event.target.closest?.("svg#board [data-route]");
  if (group) current = group.dataset.route;
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-zoom]");
  if (button) command(button.dataset.zoom);
});

// Put zoom, lit routes and the way in for keys back on a board that was drawn anew.
export function dressMap() {
  const svg = board();
  if (!svg) return;
  const { whole } = geometry(svg);
  svg.setAttribute("viewBox", (view ?? whole).map((n) => n.toFixed(2)).join(" "));
  svg.classList.toggle("zoomed", view !== null);
  const out = $("[data-zoom='out']");
  for (const button of [out, $("[data-zoom='whole']")]) if (button) button.disabled = !view;
  const nearer = $("[data-zoom='in']");
  if (nearer) nearer.disabled = false; // without this script it would do nothing
  mark(svg);
  focusable(svg, current);
}

$("#dialog").addEventListener("close", () => light([]));
