// Photos of a board, and files, on their way to the box. The page stays until the box has answered:
// a browser that sends such a form itself shows its page of errors where the network breaks off.

import { $ } from "./dom.js";
import { exchangeMain, goTo, refresh } from "./follow.js";
import { BREAKS, boxIsBack, busyWith, emptyFiles, letterOf, post } from "./letter.js";
import { whileCarried } from "./line.js";
import { isOfTheBox } from "./send.js";
import { complain, keep } from "./toast.js";

// What the box says in the end; null where it is not to be sent any more.
export async function sendFiles(form, submitter) {
  document.body.dataset.unsent = "yes"; // the page stays until it is decided
  const said = await sent(form, submitter).finally(() => delete document.body.dataset.unsent);
  if (said?.error) keep(said.error);
  if (!said || said.error) refresh(); // the table may have moved on meanwhile
  return said;
}

async function sent(form, submitter) {
  const letter = letterOf(form, submitter);
  const show = busyWith(form, submitter);
  for (let left = BREAKS; ; left -= 1) {
    show(true);
    const said = await post(letter);
    show(false);
    const isDropped = said.again && (await asksToDrop(said.error, left > 0));
    if (said.again && !isDropped) continue;
    emptyFiles(form);
    return isDropped ? null : said;
  }
}

// One sentence over the page, until somebody taps, or until the box is back and looks at no other
// photos.
async function asksToDrop(refusal, bySelf) {
  const bar = $("#not-sent");
  const { words, follows } = bar.dataset;
  const waits = refusal && bySelf && (await isLooking());
  $("p", bar).textContent = waits ? follows : (refusal ?? words);
  bar.hidden = false;
  const isDropped = await Promise.race([
    tapped($("[data-again]", bar)).then(() => false),
    tapped($("[data-drop]", bar)).then(() => true),
    ...(bySelf ? [isFree(bar).then(() => false)] : []),
  ]);
  bar.hidden = true;
  return isDropped;
}

async function isFree(bar) {
  do await boxIsBack();
  while (!bar.hidden && (await isLooking()));
}

async function isLooking() {
  const answer = await fetch("/api/state", { signal: whileCarried() }).catch(() => null);
  return isOfTheBox(answer) && (await answer.json()).camera?.status === "looking";
}

const tapped = (button) => new Promise((done) => button.addEventListener("click", done, { once: true }));

addEventListener("beforeunload", (event) => $("#not-sent").hidden || event.preventDefault());

document.addEventListener(
  "submit",
  async (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || !form.matches("[enctype]:not([data-act], [data-part], [data-awaits-box])")) return;
    event.preventDefault();
    if (form.getAttribute("aria-busy")) return;
    const said = await sendFiles(form, submitter);
    if (said?.go) goTo(said.go);
    else if (said) tell(said);
  },
  { capture: true },
);

// Why the box does not take it: a sentence, or this page with one.
function tell({ error, page }) {
  if (!page) return complain(error);
  exchangeMain(page);
  $("#main [role=alert]")?.scrollIntoView({ block: "nearest" });
}

// A form that the browser sends itself, which lasts, says so on its button.
document.addEventListener("submit", (event) => {
  const words = event.target.dataset.waits;
  if (!words || event.defaultPrevented) return;
  $("span", event.submitter).textContent = words;
  event.submitter.classList.add("busy");
});
