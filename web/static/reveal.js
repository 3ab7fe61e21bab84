// The reveal in motion. The server has worked out every step; this shows them one after another.
// A tap goes on or cuts a step short. With reduced motion it shows the stills and waits for a tap.
// All pages of the table's reveal go together, until one skips to the end or has reached it.

import { $, $$, calm, drawStep, refresh, send } from "./panel.js";

const stage = $("#reveal");
const data = JSON.parse($("#reveal-data").textContent);
const rows = $$(".bars li", stage);
const last = data.steps.length - 1;

const WAIT_MS = { start: 1300, routes: 2600, ticket: 1100, tie: 5200, winner: 0 };
const USUAL_MS = 2400;
const PART_MS = 1250;
const PATIENCE_MS = 1500; // how long a page that only watches waits for the others
const LEG_MS = 420; // one route of the longest path
const ALL_LEGS_MS = 7000;

/* ---------- the frames of a step: the last one is its still ------------------------------------ */

function framesOf(number) {
  const step = data.steps[number];
  const before = data.steps[Math.max(0, number - 1)].totals;
  const still = { number, said: step.said, totals: step.totals, gains: step.gains, parts: step.parts, walks: walksOf(step.parts) };
  const one = step.kind === "longest-path" ? pathFrames : step.kind === "ticket" || step.kind === "bonus" ? partFrames : null;
  const frames = one ? one(step, still, before) : [];
  return [...frames, { ...still, wait: WAIT_MS[step.kind] ?? USUAL_MS }];
}

// Ticket after ticket: the bar follows each.
function partFrames(step, still, before) {
  const totals = [...before];
  return step.parts.map((part, i) => {
    totals[part.player] = part.total;
    const gains = step.gains.map((_, player) => (player === part.player ? part.points : null));
    const said = `${part.title}: ${part.detail}`;
    return { ...still, said, totals: [...totals], gains, parts: step.parts.slice(0, i + 1), walks: walksOf([part]), wait: PART_MS };
  });
}

// Route after route of each holder's path, before anybody gets the points.
function pathFrames(step, still, before) {
  const gains = step.gains.map(() => null);
  return step.parts.flatMap((part) => {
    const wait = Math.min(LEG_MS, ALL_LEGS_MS / Math.max(1, part.trail.length));
    return part.trail.map((leg, i) => {
      const walk = { ...walksOf([part])[0], trail: part.trail.slice(0, i + 1), moving: true };
      return { ...still, said: leg.caption, totals: before, gains, walks: [walk], wait };
    });
  });
}

const walksOf = (parts) =>
  parts
    .filter((part) => part.routes.length)
    .map((part) => ({ colour: data.colours[part.player], routes: part.routes, trail: part.trail }));

/* ---------- showing a frame -------------------------------------------------------------------- */

const signed = (n) => (n > 0 ? `+${n}` : String(n).replace("-", "−"));
const plain = (n) => String(n).replace("-", "−");

function show(frame) {
  const step = data.steps[frame.number];
  const isLast = frame.number === last;
  stage.dataset.at = frame.number;
  $("#reveal-title").textContent = step.title;
  $("#reveal-said").textContent = frame.said;
  rows.forEach((row, i) => showRow(row, i, frame, step, isLast));
  showParts(step, frame.parts);
  showWalks(frame.walks);
  $("#reveal-after").hidden = !isLast;
  $("#reveal-turn").hidden = isLast;
  if (isLast) remember();
}

function showRow(row, i, frame, step, isLast) {
  const [total, gain] = [frame.totals[i], frame.gains[i]];
  const span = data.highest - data.lowest;
  const fill = $(".fill", row);
  fill.setAttribute("x", (100 * (Math.min(0, total) - data.lowest)) / span);
  fill.setAttribute("width", (100 * Math.abs(total)) / span);
  countTo($(".points", row), total);
  const chip = $(".gain", row);
  chip.textContent = gain === null ? "" : signed(gain);
  const won = isLast && data.winners.includes(i);
  const leads = !["start", "tie", "winner"].includes(step.kind) && total === Math.max(...frame.totals);
  row.classList.toggle("won", won);
  const place = $(".place", row);
  place.textContent = won ? place.dataset.won : leads ? place.dataset.leads : "";
}

const COUNT_MS = 650;

function countTo(element, total) {
  const from = Number(element.dataset.total ?? element.textContent.replace("−", "-"));
  element.dataset.total = total;
  cancelAnimationFrame(Number(element.dataset.timer ?? 0));
  if (from === total || calm.matches) return void (element.textContent = plain(total));
  const begun = performance.now();
  const turn = (now) => {
    const part = Math.min(1, Math.max(0, (now - begun) / COUNT_MS));
    element.textContent = plain(Math.round(from + (total - from) * part));
    if (part < 1) element.dataset.timer = requestAnimationFrame(turn);
  };
  turn(begun);
}

function showParts(step, parts) {
  const told = ["ticket", "bonus"].includes(step.kind) ? parts : [];
  $("#reveal-parts").replaceChildren(
    ...told.map((part) => {
      const row = document.createElement("li");
      const who = document.createElement("span");
      const [title, detail, points] = ["b", "small", "strong"].map((tag) => document.createElement(tag));
      title.textContent = part.title;
      detail.textContent = part.detail;
      points.textContent = part.points ? signed(part.points) : "0";
      who.append(title, " ", detail);
      row.append(who, points);
      row.classList.toggle("failed", part.failed);
      return row;
    }),
  );
}

function showWalks(walks) {
  const board = $("#board");
  if (!board) return;
  const lit = walks.flatMap((walk) => walk.routes);
  board.classList.toggle("lighting", lit.length > 0);
  for (const group of $$("[data-route]", board)) {
    group.classList.toggle("lit", lit.includes(group.dataset.route));
  }
  const layer = $("#trail");
  if (!layer) return $(".route-list .lit")?.scrollIntoView({ block: "nearest" });
  layer.replaceChildren();
  for (const walk of walks) {
    walk.trail.forEach((leg, i) => {
      const newest = walk.moving && i + 1 === walk.trail.length;
      drawStep(layer, leg, i + 1, { newest, moving: newest && !calm.matches });
    });
  }
}

/* ---------- the way through -------------------------------------------------------------------- */

let frames = []; // what is still to come of the present step
let timer = 0;
let playing = false;
let number = Number(stage.dataset.at);
let shown = null; // the frame that stands there

/* ---------- together with the other pages ------------------------------------------------------ */

const steers = stage.dataset.steers === "yes";
let together = Boolean($("#reveal-together")) && stage.dataset.asked === "no";
let telling = 0;

// Whether all pages show the finished sheet at once, for it is no news.
const isOver = () => together && Number($("#reveal-together").dataset.step) > last;

const ofAll = () => {
  const { step, playing } = $("#reveal-together").dataset;
  return { step: Math.min(last, Number(step)), playing: playing === "yes" };
};

// A page that stands still by its device's setting does not stop the others.
const goesOn = () => (together && calm.matches ? ofAll().playing : playing);

async function tell(where) {
  if (!together || !steers) return;
  const sent = new URLSearchParams({ step: Math.min(last, Math.max(0, where.step)) });
  if (where.playing) sent.set("playing", "on");
  if ("after" in where) sent.set("after", where.after);
  telling += 1;
  try {
    await send("/api/act/show-reveal", sent);
  } catch {
    $("#offline").hidden = false; // it goes on here alone
    return;
  } finally {
    telling -= 1;
  }
  await refresh();
}

// The page was told of a change: of where the reveal is, or of something else.
document.addEventListener("followed", () => {
  if (shown) showWalks(shown.walks); // the map's routes may have come anew
  if (!together || telling) return;
  const all = ofAll();
  const moves = all.playing && !calm.matches;
  if (all.step !== number) {
    playing = moves;
    enter(all.step, moves);
    setPlaying(moves, true);
  } else if (moves !== playing && !calm.matches) {
    if (moves) play();
    else setPlaying(false);
  }
});

function enter(wanted, moving) {
  number = Math.min(last, Math.max(0, wanted));
  if (number === last) together = false;
  frames = framesOf(number);
  if (!moving) frames = frames.slice(-1);
  advance();
}

function advance() {
  clearTimeout(timer);
  const frame = frames.shift();
  shown = frame;
  show(frame);
  const patience = together && !steers && !frames.length ? PATIENCE_MS : 0;
  if (playing && number < last) timer = setTimeout(onward, frame.wait + patience);
  else setPlaying(false);
}

function onward() {
  if (frames.length) return advance();
  tell({ step: number + 1, playing: true, after: number });
  enter(number + 1, !calm.matches);
}

// A tap: to the end of a step that is under way, else to the next one.
function tap() {
  if (number === last) return;
  if (frames.length) {
    frames = frames.slice(-1);
    advance();
  } else {
    tell({ step: number + 1, playing: goesOn() });
    enter(number + 1, playing && !calm.matches);
  }
}

function setPlaying(on, keepsTime = false) {
  playing = on && number < last;
  if (!keepsTime) clearTimeout(timer);
  $("#reveal-parts").classList.toggle("passing", playing); // a phone shows them one by one
  const button = $("#reveal-play");
  button.setAttribute("aria-label", playing ? button.dataset.pause : button.dataset.play);
  $("use", button).setAttribute("href", playing ? "#icon-pause" : "#icon-play");
}

function play() {
  setPlaying(true);
  timer = setTimeout(onward, WAIT_MS.start);
}

// Where the others are: at the beginning, or in the midst of it.
function join() {
  const moving = ofAll().playing && !calm.matches;
  playing = moving && number > 0;
  enter(number, playing);
  if (moving && number === 0) play();
  else setPlaying(moving, true);
}

function again() {
  enter(0, false);
  if (!calm.matches) play();
}

/* ---------- whether this device has seen it ---------------------------------------------------- */

const SEEN = "revealed";

function remember() {
  try {
    if (stage.dataset.sheet) localStorage.setItem(SEEN, stage.dataset.sheet);
  } catch {
    // a browser that keeps nothing plays it again
  }
}

function hasSeen() {
  try {
    return stage.dataset.sheet && localStorage.getItem(SEEN) === stage.dataset.sheet;
  } catch {
    return false;
  }
}

/* ---------- touches ---------------------------------------------------------------------------- */

const OWN = {
  "reveal-next": tap,
  "reveal-back": () => {
    tell({ step: number - 1, playing: false });
    setPlaying(false);
    enter(number - 1, false);
  },
  "reveal-skip": () => {
    together = false;
    enter(last, false);
  },
  "reveal-again": again,
  "reveal-play": () => {
    if (playing) setPlaying(false);
    else play();
    tell({ step: number, playing });
  },
};

document.addEventListener("click", (event) => {
  const control = event.target.closest("[id^=reveal-]:is(a, button)");
  if (control) {
    event.preventDefault();
    const held = document.activeElement === control;
    OWN[control.id]();
    if (held && !control.offsetParent) $("#reveal-after .primary").focus({ preventScroll: true }); // its row has gone; who won stays in sight
    return;
  }
  if (event.target.closest("a, button, summary, input, dialog, header")) return;
  if (event.target.closest("#main")) tap();
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest("a, button, input, dialog") && event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
  if ([" ", "ArrowRight"].includes(event.key)) {
    event.preventDefault();
    tap();
  } else if (event.key === "ArrowLeft") OWN["reveal-back"]();
});

$("#reveal-play").hidden = calm.matches;
stage.classList.add("ready");
if (stage.dataset.asked === "no") {
  if (hasSeen() || isOver()) enter(last, false);
  else if (together && number < last) join();
  else {
    together = false; // the others have seen it
    again();
  }
} else setPlaying(false);
