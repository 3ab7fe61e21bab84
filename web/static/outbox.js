// A photo of tickets, and the cards found in one, on their way to the box: they wait until it answers.
// The browser, which sends these forms itself, would show a page of errors in the place of this one.

import { $ } from "./dom.js";
import { answering, answers } from "./follow.js";
import { keepOpen, leaveBehind } from "./secret.js";

const waiting = new WeakSet(); // for the box, before their browser may send them
const ready = new WeakSet();

document.addEventListener(
  "submit",
  async (event) => {
    const { target: form, submitter } = event;
    if (!("awaitsBox" in form.dataset) || ready.delete(form)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (form.getAttribute("aria-busy")) return;
    form.setAttribute("aria-busy", "true");
    waiting.add(form);
    leaveBehind(curtainWith(form, submitter));
    await answering();
    if (form.isConnected) pass(form, submitter); // else its curtain sends it
  },
  { capture: true },
);

// Once, whether the box answered by itself or to a tap on the curtain.
function pass(form, submitter) {
  if (!waiting.delete(form)) return;
  form.removeAttribute("aria-busy");
  leaveBehind(null);
  ready.add(form);
  form.requestSubmit(submitter);
}

// What stands in the place of a hand, or of its curtain, that was left alone while this waited. It
// is not sent by itself: the answer shows the hand, at which its player looks only after a tap.
function curtainWith(form, submitter) {
  const curtain = $("#unsent").content.firstElementChild.cloneNode(true);
  const button = $("button", curtain);
  button.addEventListener("click", async () => {
    button.disabled = true;
    button.disabled = await answers();
    if (!button.disabled) return;
    form.hidden = true;
    curtain.append(form);
    pass(form, submitter);
  });
  $("a", curtain).addEventListener("click", () => leaveBehind(null));
  return curtain;
}

document.addEventListener("submit", ({ target }) => "photo" in target.dataset && keepOpen());

// The table's own camera takes a photo: that lasts, and the answer is another page.
document.addEventListener("submit", (event) => {
  const words = event.target.dataset.waits;
  if (!words) return;
  keepOpen();
  $("span", event.submitter).textContent = words;
  event.submitter.classList.add("busy");
});
