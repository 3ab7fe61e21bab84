// The board studio: pages are exchanged in place, a tap on the map gives a point, names are offered.

import { $, $$, deliver, fieldsOf, inItsLanguage, inTurn } from "./panel.js";

/* ---------- pages in place: the server's HTML is the truth -------------------------------------- */

// Taps that are quicker than the answers are sent one after the other: the last one's page stays.

const oneByOne = inTurn();

const show = (ask) => oneByOne(() => exchange(ask));

async function exchange(ask) {
  const side = $("#studio-side");
  side.setAttribute("aria-busy", "true");
  try {
    const answer = await ask();
    $("#offline").hidden = true;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!$("#studio-side", page)) return location.assign(answer.url);
    for (const part of ["#studio-map", "#studio-side"]) {
      const scroll = $(part).scrollTop;
      const key = document.activeElement?.dataset?.key;
      $(part).replaceWith(document.importNode($(part, page), true));
      if (answer.status >= 400) $(part).scrollTop = scroll;
      if (key && part === "#studio-side") $(`[data-key="${CSS.escape(key)}"]`)?.focus();
    }
    $("#studio-side [role=alert]")?.scrollIntoView({ block: "nearest" }); // on a long side it is far up
    if (answer.ok) remember(answer.url);
    dress();
  } catch {
    $("#offline").hidden = false;
  } finally {
    $("#studio-side").removeAttribute("aria-busy");
  }
  sendWaiting();
}

const page = { Accept: "text/html", ...inItsLanguage };

// "Back" leads from a place or a line to the map, and only from there out of the board.

const isDeep = (address) => !["map", null].includes(new URL(address).searchParams.get("at"));

function remember(address) {
  const deeper = isDeep(address) && !isDeep(location.href);
  history[deeper ? "pushState" : "replaceState"](null, "", address);
}

addEventListener("popstate", () => show(() => fetch(location.href, { headers: page })));

// A finger means what is drawn nearest to it, not whose invisible rim lies on top.

const REACH_PX = { mouse: 6, pen: 12 };
const FINGER_PX = 24;

function meant(event) {
  const byKeys = event.detail === 0;
  if (byKeys || !event.target.closest("#chart")) return event.target.closest("a[data-part]");
  const at = pointOf(event);
  let far = (REACH_PX[event.pointerType] ?? FINGER_PX) / $("#chart").getScreenCTM().a;
  let nearest = null;
  for (const shape of $$("#chart a polygon, #chart a .dot")) {
    const away = distance(shape, at);
    if (away <= far) [far, nearest] = [away, shape.closest("a")];
  }
  return nearest;
}

function distance(shape, at) {
  if (shape.matches(".dot")) {
    const [x, y] = middleOf(shape.parentNode);
    return Math.max(0, Math.hypot(at[0] - x, at[1] - y) - Number(shape.getAttribute("r")));
  }
  const corners = cornersOf(shape);
  const sides = corners.map((corner, k) => [corner, corners[(k + 1) % corners.length]]);
  const turns = sides.map(([a, b]) => Math.sign((b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0])));
  if (Math.abs(turns.reduce((sum, turn) => sum + turn, 0)) === sides.length) return 0; // within
  return Math.min(...sides.map(([a, b]) => toSegment(a, b, at)));
}

function toSegment(a, b, at) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const part = ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / (dx * dx + dy * dy || 1);
  const near = Math.min(Math.max(part, 0), 1);
  return Math.hypot(at[0] - a[0] - near * dx, at[1] - a[1] - near * dy);
}

document.addEventListener("click", (event) => {
  const link = meant(event);
  if (tapping && event.target.closest("#chart")) return void (event.preventDefault(), event.stopPropagation());
  if (!link && event.target.closest("#chart a")) event.preventDefault();
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (dragged) return void (dragged = false);
  const address = new URL(link.getAttribute("href"), location.href);
  show(() => fetch(address, { headers: page }));
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-part]")) return;
  event.preventDefault();
  send(form, event.submitter);
});

function send(form, button) {
  const fields = fieldsOf(form, button);
  const address = form.action;
  show(() => deliver(address, fields, page.Accept, (answer) => answer));
}

/* ---------- a point on the map ------------------------------------------------------------------- */

let tapping = null; // the form that waits for a tap

function begin(button) {
  tapping = tapping ? null : button.form;
  document.body.classList.toggle("tapping", Boolean(tapping));
  $("#aim")?.remove();
  if (tapping && !$("#studio-side [role=alert]")) $("#studio-map").scrollIntoView({ block: "nearest" });
}

function pointOf(event) {
  const chart = $("#chart");
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM().inverse());
  return [at.x, at.y];
}

function sendPoint(form, [x, y]) {
  for (const [name, value] of [["px", x], ["py", y]]) {
    const field = form.elements[name];
    field.disabled = false;
    field.value = value.toFixed(2);
  }
  send(form);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-tap]");
  if (button) return begin(button);
  if (!tapping || !event.target.closest("#chart")) return;
  if (tapsOn(tapping)) return void (waiting.push(pointOf(event)), sendWaiting());
  const form = tapping;
  begin(null);
  sendPoint(form, pointOf(event));
});

// Where one tap follows the other, a tap waits for the answer to the one before.

let waiting = [];

const tapsOn = (form) => Boolean($("[data-tap=again]", form));

function sendWaiting() {
  if (!tapping || $("#studio-side").hasAttribute("aria-busy")) return;
  if (waiting.length) sendPoint(tapping, waiting.shift());
}

// A name of the list is chosen for a new place: only the point is missing.
document.addEventListener("click", (event) => {
  const chip = event.target.closest("button[data-put]");
  if (!chip) return;
  chip.form.elements.name.value = chip.dataset.put;
  if (!tapping) begin($("[data-tap]", chip.form));
});

// The same by keys: arrows move a cross, from what is chosen or the middle, and Enter takes its point.

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

let last = null; // where the cross was, for the next tap

function aimed() {
  const known = $("#aim");
  if (known) return known;
  const chart = $("#chart");
  const box = chart.viewBox.baseVal;
  const picked = $(".picked", chart);
  const aim = document.createElementNS("http://www.w3.org/2000/svg", "path");
  aim.id = "aim";
  aim.point = picked ? middleOf(picked) : last ?? [box.width / 2, box.height / 2];
  return chart.appendChild(aim);
}

document.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (!tapping || event.target.matches("input:not([type=hidden]), select, textarea")) return;
  if (step) {
    const aim = aimed();
    const box = $("#chart").viewBox.baseVal;
    const far = event.shiftKey ? 20 : 2;
    const [x, y] = [aim.point[0] + far * step[0], aim.point[1] + far * step[1]];
    aim.point = [Math.min(Math.max(x, 0), box.width), Math.min(Math.max(y, 0), box.height)];
    last = aim.point;
    aim.setAttribute("d", `M${aim.point.join(" ")}m-16 0h32m-16 -16v32`);
  } else if (event.key === "Enter" && $("#aim")) {
    waiting.push($("#aim").point);
    if (tapsOn(tapping)) sendWaiting();
    else sendPoint(tapping, waiting.pop());
  } else if (event.key === "Escape") begin(null);
  else return;
  event.preventDefault();
});

/* ---------- what is chosen can be dragged; with a finger too -------------------------------------- */

let drag = null; // one pointer at a time: a second finger drags nothing
let dragged = false;

document.addEventListener("pointerdown", (event) => {
  const thing = event.target.closest("#chart .picked");
  if (!thing || drag || tapping || event.button > 0) return;
  const form = $$("#studio-side form").find((one) => one.querySelector("[data-tap]") && /^move-/.test(one.elements.do.value));
  if (!form) return;
  event.preventDefault();
  drag = { id: event.pointerId, form, thing, from: pointOf(event), moved: false };
});

document.addEventListener("pointermove", (event) => {
  if (drag?.id !== event.pointerId) return;
  const [x, y] = pointOf(event);
  const way = [x - drag.from[0], y - drag.from[1]];
  if (Math.hypot(...way) > 3) drag.moved = true;
  drag.thing.setAttribute("transform", `translate(${way.join(" ")})`);
});

for (const kind of ["pointerup", "pointercancel"]) {
  document.addEventListener(kind, (event) => {
    if (drag?.id !== event.pointerId) return;
    const { form, moved, thing, from } = drag;
    drag = null;
    if (!moved || kind === "pointercancel") return thing.removeAttribute("transform");
    dragged = true;
    setTimeout(() => (dragged = false), 50);
    const [x, y] = pointOf(event);
    const middle = middleOf(thing);
    sendPoint(form, [middle[0] + x - from[0], middle[1] + y - from[1]]);
  });
}

const cornersOf = (shape) => shape.getAttribute("points").trim().split(/\s+/).map((p) => p.split(",").map(Number));

function middleOf(thing) {
  const dot = $(".dot", thing);
  if (dot) return [Number(dot.getAttribute("cx")), Number(dot.getAttribute("cy"))];
  const points = cornersOf(thing);
  return [0, 1].map((axis) => points.reduce((sum, p) => sum + p[axis], 0) / points.length);
}

// A picked thing is dragged, not scrolled or zoomed, by the finger that lies on it.
document.addEventListener("touchstart", (event) => {
  if (event.target.closest?.("#chart .picked")) event.preventDefault();
}, { passive: false });

/* ---------- names as you type --------------------------------------------------------------------- */

document.addEventListener("input", (event) => {
  const chips = $("[data-chips]");
  if (!chips || !event.target.matches("[data-first]")) return;
  const typed = event.target.value.trim().toLocaleLowerCase();
  for (const chip of $$(".chip", chips)) chip.hidden = !chip.value.toLocaleLowerCase().includes(typed);
});

// Enter takes the only name that is left.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches?.("[data-first]")) return;
  const left = $$("[data-chips] .chip:not([hidden])");
  if (left.length === 1 && event.target.value.trim()) {
    event.preventDefault();
    send(event.target.form, left[0]);
  }
});

function dress() {
  for (const element of $$("[data-tap], [data-put]")) element.hidden = false;
  if (tapping) begin(null); // its form went with the old page
  const again = $("[data-tap=again]");
  if (again) begin(again);
  else waiting = [];
  const first = $("[data-first]");
  if (first && matchMedia("(hover: hover)").matches) first.focus();
}

document.addEventListener("exchanged", dress);
dress();
