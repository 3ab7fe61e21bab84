// Photos of tickets, and the cards found in one, on their way to the box. Where the hand hides
// meanwhile, a curtain stands in its place: nothing is sent then without a tap, and what comes of it
// waits for one.

import { $, $$ } from "./dom.js";
import { answers, goTo } from "./follow.js";
import { BREAKS, boxIsBack, busyWith, emptyFiles, letterOf, post } from "./letter.js";
import { goOn, hideHand, leaveBehind } from "./secret.js";
import { complain } from "./toast.js";

const FRESH_MS = 60_000; // so long after a tap its player still looks at the page
const TURN_MS = 2_000; // so often the box is asked whose photos it reads

document.addEventListener(
  "submit",
  (event) => {
    const { target: form, submitter } = event;
    if (!("awaitsBox" in form.dataset)) return;
    event.preventDefault();
    if (!form.getAttribute("aria-busy")) send(form, submitter);
  },
  { capture: true },
);

async function send(form, submitter) {
  const letter = letterOf(form, submitter);
  const show = busyWith(form, submitter);
  const curtain = newCurtain();
  leaveBehind(curtain.element);
  show(true);
  for (let left = BREAKS; ; left -= 1) {
    const turn = form.dataset.others && setInterval(tellTurn, TURN_MS, form, show);
    const said = await post(letter).finally(() => clearInterval(turn));
    if (curtain.isDropped()) return;
    if (said.go) return openBy(said.go, curtain);
    if (!said.again && !curtain.isUp()) return giveBack(form, show, said.error);
    if (said.error) curtain.say(said.error);
    if (left > 0 && !curtain.isUp()) await boxIsBack();
    else hideHand();
    if (curtain.isUp()) await curtain.tap();
  }
}

// Others' photos may be read first: the button says so meanwhile.
async function tellTurn(form, show) {
  const answer = await fetch(form.action).catch(() => null);
  const waits = answer?.ok && (await answer.json()).waits;
  if (form.getAttribute("aria-busy")) show(true, waits ? form.dataset.others : undefined);
}

function giveBack(form, show, sentence) {
  leaveBehind(null);
  show(false);
  emptyFiles(form);
  complain(sentence);
}

// On to what came of it. Should the screen go off on the way there, that waits for the next tap.
async function openBy(address, curtain) {
  const isHand = new URL(address, location.href).searchParams.has("hand");
  if (!isHand) leaveBehind(null);
  if (isHand && curtain.isUp()) await curtain.showFound();
  for (;;) {
    goOn();
    goTo(isHand && curtain.isUp() ? `${address}&late=yes` : address);
    await screenOff();
    stop();
    await curtain.showFound();
  }
}

const screenOff = () => new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));

function newCurtain() {
  const element = $("#unsent").content.firstElementChild.cloneNode(true);
  const button = $("button", element);
  let tappedAt = -Infinity;
  let atTap = () => {};
  let isDropped = false;

  function forgetTap() {
    tappedAt = -Infinity;
    button.disabled = false;
  }
  button.addEventListener("click", async () => {
    button.disabled = true;
    if (!(await answers())) return forgetTap();
    tappedAt = performance.now();
    atTap();
  });
  document.addEventListener("visibilitychange", forgetTap);
  $("a", element).addEventListener("click", () => {
    isDropped = true;
    leaveBehind(null);
  });

  // Waits for a tap, unless there was one just now.
  async function tap() {
    if (performance.now() - tappedAt > FRESH_MS) {
      button.disabled = false;
      await new Promise((done) => (atTap = done));
    }
    atTap = () => {};
  }
  async function showFound() {
    for (const one of $$("[data-found]", element)) one.hidden = false;
    for (const one of $$("[data-unsent]", element)) one.hidden = true;
    await tap();
  }
  const say = (sentence) => ($("p[data-unsent]", element).textContent = sentence);
  return { element, say, tap, showFound, isUp: () => element.isConnected, isDropped: () => isDropped };
}
