// Set-up: the live picture, corners to drag by finger or keys with a magnifier, and waiting.

import { $, $$, inItsLanguage, newKey, submit, tellEarlyFiles } from "./panel.js";

/* ---------- waiting: what is sent takes some seconds -------------------------------------------- */

function wait(words) {
  const shown = $("#waiting");
  $("p", shown).textContent = words;
  shown.hidden = false;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.wait) wait(form.dataset.wait);
  if (event.defaultPrevented) return; // the page sends it
  if (form.method === "post" && !("act" in form.dataset || "part" in form.dataset)) nameRequest(form);
});

// The browser sends this form itself: delivered several times it is done once, by its address.
function nameRequest(form) {
  const address = new URL(form.action);
  address.searchParams.set("request", newKey());
  form.action = address.href;
}

addEventListener("pageshow", () => ($("#waiting").hidden = true));

document.addEventListener("change", (event) => {
  const input = event.target;
  if (input.matches("input[type=file][data-send]") && input.files.length) submit(input.form);
  if (input.id === "which") $$("[data-board]").forEach((field) => (field.value = input.value));
  if (input.matches("#place select") && input.value) {
    $("#place button[value=search]").click();
  }
});
tellEarlyFiles("[data-send]");

/* ---------- the live picture --------------------------------------------------------------------- */

const LIVE_MS = 1200;

async function live() {
  const figure = $("[data-live-picture]");
  if (!figure) return;
  const list = $("#live-told");
  try {
    const answer = await fetch("/setup/live.json", { headers: inItsLanguage });
    const look = await answer.json();
    if (look.error) throw new Error(look.error);
    const image = $("img", figure);
    image.src = look.picture;
    image.hidden = false;
    list.replaceChildren(...look.advice.map(sentence));
  } catch {
    list.replaceChildren(sentence({ text: figure.dataset.lost, good: false }));
  }
  if (!document.hidden) setTimeout(live, LIVE_MS);
  else document.addEventListener("visibilitychange", () => live(), { once: true });
}

function sentence({ text, good }) {
  const row = document.createElement("li");
  row.className = good ? "good" : "mend";
  row.innerHTML = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="#icon-${good ? "check" : "mend"}"/></svg><span></span>`;
  $("span", row).textContent = text;
  return row;
}

if ($("[data-live-picture]")) live();

/* ---------- corners ------------------------------------------------------------------------------ */

const picture = $("#photo");
const loupe = $("#loupe");
const LOUPE = 60; // side of what the magnifier shows, in thousandths of the photo's width
const HIT_PX = 30;
const REFIT_MS = 500;
const place = $("#place");

const corners = () => place.elements.corners.value.trim().split(/\s+/).map((p) => p.split(",").map(Number));

function put(number, [x, y]) {
  const box = picture.viewBox.baseVal;
  const all = corners();
  all[number] = [Math.min(Math.max(x, 0), box.width), Math.min(Math.max(y, 0), box.height)];
  place.elements.corners.value = all.map(([a, b]) => `${a.toFixed(2)},${b.toFixed(2)}`).join(" ");
  draw(all);
  magnify(all[number]);
}

function draw(all) {
  $("#outline").setAttribute("points", all.map((p) => p.join(",")).join(" "));
  $$(".corner", picture).forEach((corner, k) => corner.setAttribute("transform", `translate(${all[k].join(" ")})`));
}

// The magnifier stands on the other side of the picture, so that the hand never covers it.
function magnify([x, y]) {
  loupe.setAttribute("viewBox", `${x - LOUPE / 2} ${y - LOUPE / 2} ${LOUPE} ${LOUPE}`);
  const photo = $("#photo-image").cloneNode();
  photo.removeAttribute("id");
  const cross = document.createElementNS("http://www.w3.org/2000/svg", "path");
  cross.setAttribute("class", "cross");
  cross.setAttribute("d", `M${x - 9} ${y}h7M${x + 2} ${y}h7M${x} ${y - 9}v7M${x} ${y + 2}v7`);
  loupe.replaceChildren(photo, cross);
  loupe.classList.toggle("right", x < picture.viewBox.baseVal.width / 2);
  loupe.removeAttribute("hidden");
}

const drags = new Map(); // pointer -> the corner that it drags, and how far beside it touches

function at(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  return [point.x, point.y];
}

function begin(event) {
  const corner = event.target.closest(".corner");
  if (!corner || event.button > 0) return;
  const number = Number(corner.dataset.corner);
  if ([...drags.values()].some((drag) => drag.number === number)) return; // a second finger on it
  event.preventDefault();
  const [x, y] = at(event);
  const [left, top] = corners()[number];
  drags.set(event.pointerId, { number, dx: left - x, dy: top - y, corner });
  corner.setPointerCapture(event.pointerId);
  corner.classList.add("dragged");
  corner.focus({ preventScroll: true });
  magnify([left, top]);
}

function move(event) {
  const drag = drags.get(event.pointerId);
  if (!drag) return;
  const [x, y] = at(event);
  put(drag.number, [x + drag.dx, y + drag.dy]);
}

function end(event) {
  const drag = drags.get(event.pointerId);
  if (!drag) return;
  drags.delete(event.pointerId);
  drag.corner.classList.remove("dragged");
  if (drags.size === 0) loupe.setAttribute("hidden", "");
  refitSoon();
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function nudge(event) {
  const step = STEPS[event.key];
  const corner = event.target.closest(".corner");
  if (!step || !corner) return;
  event.preventDefault();
  const number = Number(corner.dataset.corner);
  const far = event.shiftKey ? 10 : 1;
  const [x, y] = corners()[number];
  put(number, [x + far * step[0], y + far * step[1]]);
  refitSoon();
}

let timer = 0;
let fitting = false;
let again = false;

function refitSoon() {
  clearTimeout(timer);
  timer = setTimeout(refit, REFIT_MS);
}

// The server looks again between the corners; the spaces and the verdict are exchanged.
async function refit() {
  if (drags.size) return;
  if (!place.elements.board?.value) return; // the studio looks once the corners are kept
  if (fitting) return void (again = true);
  fitting = true;
  $("#verdict").setAttribute("aria-busy", "true");
  $("#refitting").hidden = false;
  try {
    nameRequest(place);
    const fields = new FormData(place);
    fields.set("by", "corners");
    const headers = { Accept: "text/html", ...inItsLanguage };
    const answer = await fetch(place.action, { method: "POST", body: fields, headers });
    $("#offline").hidden = true;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!$("#verdict", page)) return location.reload();
    for (const part of ["#spaces", "#verdict"]) $(part).replaceWith(document.importNode($(part, page), true));
    place.elements.number.value = $("#place", page).elements.number.value;
    if (answer.status === 409) location.reload(); // another device went on with another photo
  } catch {
    $("#offline").hidden = false;
  } finally {
    $("#verdict").removeAttribute("aria-busy");
    $("#refitting").hidden = true;
    fitting = false;
    if (again) {
      again = false;
      refit();
    }
  }
}

// A corner is as large for the finger on a phone as on a tablet.
function size() {
  const shown = picture.getBoundingClientRect().width;
  if (!shown) return; // not laid out yet, or any more
  const unit = picture.viewBox.baseVal.width / shown;
  for (const corner of $$(".corner", picture)) {
    $(".hit", corner).setAttribute("r", HIT_PX * unit);
    $(".ring", corner).setAttribute("r", 11 * unit);
  }
}

if (picture) {
  picture.addEventListener("pointerdown", begin);
  // Two fingers on corners must not zoom the page, which would take the drag away.
  const hold = (event) => event.target.closest(".corner") && event.preventDefault();
  picture.addEventListener("touchstart", hold, { passive: false });
  picture.addEventListener("pointermove", move);
  for (const kind of ["pointerup", "pointercancel"]) picture.addEventListener(kind, end);
  picture.addEventListener("keydown", nudge);
  picture.addEventListener("focusin", (event) => {
    const corner = event.target.closest(".corner");
    if (corner && corner.matches(":focus-visible")) magnify(corners()[Number(corner.dataset.corner)]);
  });
  picture.addEventListener("focusout", () => loupe.toggleAttribute("hidden", drags.size === 0));
  new ResizeObserver(size).observe(picture);
}
