// A walk over routes, drawn on the board in travel order with a number for each step.

import { $, badge, drawn } from "./dom.js";

// `step` names a route and whether it is travelled backwards. `moving` draws it along its way.
export function drawStep(layer, step, number, { newest = false, moving = false } = {}) {
  const hit = $(`#r-${CSS.escape(step.route)} .hit`);
  if (!hit) return;
  let points = hit.getAttribute("points").trim().split(" ");
  if (step.backwards) points = points.reverse();
  for (const kind of ["under", "over"]) {
    const name = newest && moving ? `${kind} drawing` : kind;
    layer.append(drawn("polyline", { points: points.join(" "), pathLength: 1, class: name }));
  }
  const sign = badge(number, middle(points));
  sign.classList.toggle("newest", newest);
  layer.append(sign);
}

function middle(points) {
  const at = points.map((p) => p.split(",").map(Number));
  const half = (at.length - 1) / 2;
  const [a, b] = [at[Math.floor(half)], at[Math.ceil(half)]];
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}
