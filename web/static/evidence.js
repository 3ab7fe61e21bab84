// The proof of a line of the sheet: its routes light up on the board, a path is drawn step by step.

import { $, $$, calm } from "./dom.js";
import { drawStep } from "./walk.js";

const evidence = { key: null, routes: [], trail: null, step: 0, timer: 0, colour: null };

export function showEvidence(button, { follow = true } = {}) {
  stop();
  const same = evidence.key === button.dataset.routes + button.dataset.key;
  evidence.key = same ? null : button.dataset.routes + button.dataset.key;
  evidence.routes = same ? [] : button.dataset.routes.split(" ");
  evidence.trail = same || !button.dataset.trail ? null : JSON.parse(button.dataset.trail);
  evidence.colour = button.dataset.colour;
  evidence.step = evidence.trail?.length ?? 0;
  markEvidence();
  const { top } = $(".map").getBoundingClientRect();
  if (!same && follow && (top < 0 || top > innerHeight * 0.7)) {
    return $(".map").scrollIntoView({ behavior: calm.matches ? "auto" : "smooth" });
  }
  uncover(button);
}

// A caption makes the map that stays in sight taller: what was tapped must not vanish under it.
function uncover(button) {
  const map = $(".map").getBoundingClientRect();
  const line = button.getBoundingClientRect();
  const isBelow = line.left < map.right && line.right > map.left;
  if (isBelow && line.bottom > map.top && line.top < map.bottom) scrollBy(0, line.top - map.bottom);
}

export function markEvidence() {
  const board = $("#board");
  if (!board || $("#reveal")) return; // the reveal lights the board by itself
  board.classList.toggle("lighting", evidence.routes.length > 0);
  for (const group of $$("[data-route]", board)) {
    group.classList.toggle("lit", evidence.routes.includes(group.dataset.route));
  }
  for (const button of $$("button[data-routes]")) {
    const on = evidence.key === button.dataset.routes + button.dataset.key;
    button.setAttribute("aria-pressed", String(on));
  }
  $(".route-list .lit")?.scrollIntoView({ block: "nearest" });
  drawTrail();
}

function drawTrail() {
  const layer = $("#trail");
  const caption = $("#caption");
  layer?.replaceChildren();
  caption.hidden = !evidence.trail;
  if (!evidence.trail) return caption.replaceChildren();
  layer?.setAttribute("class", `c-${evidence.colour}`);
  const steps = layer ? evidence.trail.slice(0, evidence.step) : []; // a list has nothing to draw on
  const moving = evidence.timer !== 0;
  steps.forEach((step, i) => drawStep(layer, step, i + 1, { newest: i + 1 === evidence.step, moving }));
  if (!$(".trail-tools", caption)) {
    caption.replaceChildren(
      document.createElement("p"),
      $("#trail-tools").content.cloneNode(true),
    );
  }
  $("p", caption).textContent = evidence.trail[Math.max(0, evidence.step - 1)].caption;
}

function stop() {
  clearInterval(evidence.timer);
  evidence.timer = 0;
}

function play() {
  stop();
  evidence.step = 0;
  const forward = () => {
    evidence.step += 1;
    drawTrail();
    if (evidence.step >= evidence.trail.length) stop();
  };
  evidence.timer = setInterval(forward, calm.matches ? 1500 : 900);
  forward();
}

export function walkTrail(command) {
  if (command === "play") return play();
  stop();
  if (command === "clear") {
    Object.assign(evidence, { key: null, routes: [], trail: null });
    return markEvidence();
  }
  const wanted = evidence.step + Number(command);
  evidence.step = Math.min(evidence.trail.length, Math.max(1, wanted));
  return drawTrail();
}
