// An open hand is its player's alone: it goes when the page is left, or after a while.

import { $ } from "./dom.js";
import { keepTyped } from "./typed.js";

const SECRET_S = 60;
let idle = 0;

let left = false;
export const isLeft = () => left; // whether this page showed a hand and was left

// What of the hand was not sent yet outlives its hiding: this stands in the hand's place then, or in
// that of a curtain through which a photo would open the hand.
let instead = null;
export const waits = () => instead !== null;
let asks = false; // whether somebody who leaves the page meanwhile is asked

export function leaveBehind(curtain) {
  instead = curtain;
  asks = waits();
  guardSecret();
}

// The page itself leads to what came of it.
export function goOn() {
  asks = false;
}

const isOpen = () => $("[data-hand]") !== null || (waits() && !instead.isConnected);

addEventListener("beforeunload", (event) => asks && event.preventDefault());

// Nothing of a hand stays in a page that somebody leaves: browsers keep pages for "Back".
function clearHand() {
  if (!isOpen()) return null;
  const hand = $("[data-hand]");
  keepTyped();
  left = true;
  $("#main").className = "plain";
  $("#main").replaceChildren(...(waits() ? [instead] : []));
  return hand?.dataset.private;
}

// Whoever misses found cards on the curtain is told where the box has forgotten them.
export function hideHand() {
  const isMissed = $("[data-unentered]") !== null;
  const curtain = clearHand();
  if (curtain && !waits()) location.replace(isMissed ? `${curtain}?late=yes` : curtain);
}

export function guardSecret() {
  clearTimeout(idle);
  if (isOpen()) idle = setTimeout(hide, SECRET_S * 1000);
}

// While a phone's camera lies over the page only the form that waits for the photo is left of it.
let photographing = false;

export function hide() {
  const form = $("[data-hand] [data-photo]");
  if (photographing && form && !waits()) {
    keepTyped();
    $("#main").dataset.cleared = "yes";
    left = true;
    return clearAround(form);
  }
  hideHand();
}

function clearAround(form) {
  for (let kept = form; kept.id !== "main"; kept = kept.parentElement) {
    for (const other of [...kept.parentElement.children]) if (other !== kept) other.remove();
  }
}

document.addEventListener("click", (event) => {
  const form = event.target.closest("[data-photo]");
  if (!form || !event.target.matches("input[type=file]")) return;
  photographing = true;
  fetch("/api/expect-hand", { method: "POST" }).catch(() => {});
});

document.addEventListener("cancel", (event) => {
  if (!event.target.matches("[data-photo] input")) return;
  photographing = false;
  if ($("[data-hand]") && $("#main").dataset.cleared) hide();
}, true);

for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, guardSecret);
document.addEventListener("visibilitychange", () => {
  if (document.hidden && isOpen()) hide();
});
addEventListener("pagehide", () => {
  clearHand();
  if (!asks) instead = null; // nothing of it waits any more in a page that the browser keeps
});
