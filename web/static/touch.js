// Touches on the board and on what leads to a route: its owner is asked in a dialog, or painted.

import { $, $$ } from "./dom.js";
import { complainOfLostTap } from "./act.js";
import { painted } from "./brush.js";
import { showEvidence, walkTrail } from "./evidence.js";
import { dress, load, refresh, unanswered } from "./follow.js";
import { light, routeOfClick } from "./map.js";
import { send } from "./send.js";
import { complain } from "./toast.js";

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
    const { game } = document.body.dataset;
    const said = await send(`/api/act/correct-route?game=${game}`, new URLSearchParams(given));
    if (said.error) return complain(said.error);
    await refresh();
  } catch {
    complainOfLostTap();
  }
}

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
    return void fetch(ground.href).then(refresh, unanswered);
  }
  const step = event.target.closest("[data-step]");
  if (step) walkTrail(step.dataset.step);
  if (event.target.id === "dialog") event.target.close();
  for (const menu of $$("details[data-menu][open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
