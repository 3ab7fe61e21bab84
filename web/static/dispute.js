// Counts two longest paths side by side on the board, by wagons or by routes.

import { $, $$, calm, drawn } from "./panel.js";

const page = $("#dispute");
const data = JSON.parse($("#dispute-data").textContent);
let { way, at } = data;
let timer = 0;

const PACE_MS = { wagon: 260, route: 900 };
const last = () => data.counts[way].length - 1;

/* ---------- drawing ---------------------------------------------------------------------------- */

function lineOf(path, count) {
  const points = [];
  for (const leg of path.legs) {
    const begun = count - (leg.total - leg.length);
    if (begun <= 0 || !leg.wagons.length) break;
    points.push(leg.first, ...leg.wagons.slice(0, begun));
    if (begun >= leg.length) points.push(leg.last);
  }
  return points;
}

function marksOf(path, count) {
  const marks = [];
  for (const leg of path.legs) {
    const begun = count - (leg.total - leg.length);
    if (begun <= 0 || !leg.wagons.length) break;
    const whole = begun >= leg.length;
    marks.push(whole ? [leg.total, leg.wagons[leg.wagons.length >> 1]] : [count, leg.wagons[begun - 1]]);
  }
  return marks;
}

function drawPath(path, count, corner) {
  const group = drawn("g", { class: `path c-${path.colour}` });
  const points = lineOf(path, count).join(" ");
  for (const layer of ["edge", "rim", "core"]) group.append(drawn("polyline", { class: layer, points }));
  const marks = marksOf(path, count);
  marks.forEach(([number, [x, y]], i) => {
    const kind = i + 1 === marks.length ? "count newest" : "count";
    const mark = drawn("g", { class: kind, transform: `translate(${x} ${y})` });
    mark.append(drawn("rect", { x: -9, y: -9, width: 18, height: 18, rx: corner }), drawn("text"));
    mark.lastChild.textContent = number;
    group.append(mark);
  });
  return group;
}

function show() {
  const counts = data.counts[way][at];
  const layer = $("#trail");
  layer?.replaceChildren(...data.paths.map((path, i) => drawPath(path, counts[i], i ? 2 : 9)));
  $("#board")?.classList.add("lighting");
  $$(".sofar", page).forEach((number, i) => (number.textContent = counts[i]));
  $$(".legs", page).forEach((list) => {
    const path = data.paths[list.dataset.path];
    $$("li:not(.from)", list).forEach((row, i) =>
      row.classList.toggle("ahead", path.legs[i].total > counts[list.dataset.path]),
    );
  });
  for (const link of $$("[data-way]", page)) {
    if (link.dataset.way === way) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/* ---------- stepping --------------------------------------------------------------------------- */

function go(wanted) {
  at = Math.min(last(), Math.max(0, wanted));
  show();
}

function setPlaying(on) {
  clearInterval(timer);
  timer = on ? setInterval(forward, PACE_MS[way]) : 0;
  const button = $("[data-turn=play]", page);
  button.setAttribute("aria-label", on ? button.dataset.pause : button.dataset.play);
  $("use", button).setAttribute("href", on ? "#icon-pause" : "#icon-play");
}

function forward() {
  go(at + 1);
  if (at === last()) setPlaying(false);
}

const TURNS = {
  start: () => go(0),
  back: () => go(at - 1),
  next: () => go(at + 1),
  end: () => go(last()),
};

// Where the other way of counting stands as far along.
function change(wanted) {
  const now = data.counts[way][at];
  way = wanted;
  const beyond = data.counts[way].findIndex((counts) => counts.every((n, i) => n >= now[i]));
  go(beyond < 0 ? last() : beyond);
}

page.addEventListener("click", (event) => {
  const turn = event.target.closest("[data-turn]")?.dataset.turn;
  const wanted = event.target.closest("[data-way]")?.dataset.way;
  if (!turn && !wanted) return;
  event.preventDefault();
  if (turn === "play") {
    if (timer) return setPlaying(false);
    if (at === last()) go(0);
    return setPlaying(true);
  }
  setPlaying(false);
  if (wanted) change(wanted);
  else TURNS[turn]();
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, svg#board, dialog")) return;
  const turn = { ArrowRight: "next", ArrowLeft: "back" }[event.key];
  if (!turn) return;
  event.preventDefault();
  setPlaying(false);
  TURNS[turn]();
});

$("[data-turn=play]", page).hidden = calm.matches;
show();
