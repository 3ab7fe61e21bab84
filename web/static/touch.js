// Touches on the board and on what leads to a route: its owner is asked in a dialog, or painted.

import { $, $$ } from "./dom.js";
import { complainOfLostTap } from "./act.js";
import { painted } from "./brush.js";
import { showEvidence, walkTrail } from "./evidence.js";
import { dress, load, refresh, swap, unanswered } from "./follow.js";
import { released } from "./held.js";
import { light, routeOfClick } from "./map.js";
import { send } from "./send.js";
import { complain } from "./toast.js";

let opened = ""; // the address of what the dialog asks
let shown = ""; // and its HTML

async function loadAsked(address) {
  const loaded = await load(address);
  const asked = loaded && $("[data-dialog-body]", loaded.page);
  if (!asked) return null;
  asked.removeAttribute("data-live"); // it is no part of the page under the dialog
  return document.importNode(asked, true);
}

async function openRoute(address) {
  const asked = await loadAsked(address);
  if (!asked) return;
  [opened, shown] = [address, asked.outerHTML];
  $("#dialog-body").replaceChildren(asked);
  dress($("#dialog"));
  if (!$("#dialog").open) $("#dialog").showModal();
  light([asked.dataset.route]);
}

// What an open dialog asks follows the table as the page under it does.
async function followAsked() {
  const old = $("#dialog[open] [data-dialog-body]");
  const asked = old && (await loadAsked(opened));
  await released();
  if (!asked || !old.isConnected || asked.outerHTML === shown) return;
  shown = asked.outerHTML;
  swap(old, asked);
}

for (const kind of ["followed", "exchanged"]) document.addEventListener(kind, followAsked);

// A route that was touched on the map: given to the player whose colour is chosen, or asked about.
async function touchRoute(route, map) {
  const given = painted(route);
  if (!given) return openRoute(map.dataset.link + encodeURIComponent(route));
  const { game } = document.body.dataset;
  const address = `/api/act/correct-route?game=${game}`;
  const said = await send(address, new URLSearchParams(given)).catch(complainOfLostTap);
  if (said?.error) return complain(said.error);
  if (said) await refresh();
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
});

// Not at the click: Safari tells of none where nothing can be touched.
function closeMenus({ target }) {
  for (const menu of $$("details[data-menu][open]")) if (!menu.contains(target)) menu.open = false;
}
for (const kind of ["pointerdown", "focusin"]) document.addEventListener(kind, closeMenus);
