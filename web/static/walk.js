// A walk over routes, drawn on the board in travel order with a number for each step.

import { $ } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

// `step` names a route and whether it is travelled backwards. `moving` draws it along its way.
export function drawStep(layer, step, number, { newest = false, moving = false } = {}) {
  const hit = $(`#r-${CSS.escape(step.route)} .hit`);
  if (!hit) return;
  let points = hit.getAttribute("points").trim().split(" ");
  if (step.backwards) points = points.reverse();
  for (const kind of ["under", "over"]) {
    const line = document.createElementNS(SVG, "polyline");
    line.setAttribute("points", points.join(" "));
    line.setAttribute("pathLength", "1");
    line.setAttribute("class", newest && moving ? `${kind} drawing` : kind);
    layer.append(line);
  }
  layer.append(badge(middle(points), number, newest ? "badge newest" : "badge"));
}

export function badge([x, y], words, kind) {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("transform", `translate(${x} ${y})`);
  group.setAttribute("class", kind);
  group.append(document.createElementNS(SVG, "circle"), document.createElementNS(SVG, "text"));
  group.firstChild.setAttribute("r", "9");
  group.lastChild.textContent = words;
  return group;
}

function middle(points) {
  const at = points.map((p) => p.split(",").map(Number));
  const half = (at.length - 1) / 2;
  const [a, b] = [at[Math.floor(half)], at[Math.ceil(half)]];
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}
