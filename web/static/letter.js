// A form on its way to the box, perhaps several times: it is the same each time, and the box does it
// once.

import { $, $$, fieldsOf } from "./dom.js";
import { answering, answers } from "./follow.js";
import { whileCarried } from "./line.js";
import { deliver, newKey } from "./send.js";

export const BREAKS = 3; // so often it is sent once more by itself

const PAUSE_MS = 1500;
const BUSY = 503;
const KINDS = "application/json, text/html;q=0.9";

export function letterOf(form, submitter) {
  return { address: form.action, fields: fieldsOf(form, submitter), key: newKey() };
}

// What the box says: where to `go` on, the table's `version`, the `error` or the `page` that tells
// it; `again` where it is to be sent once more.
export async function post({ address, fields, key }) {
  const line = whileCarried(); // every try ends with the line that it began on
  try {
    return await deliver(address, fields, KINDS, read, key, () => line);
  } catch {
    return { again: true };
  }
}

async function read(answer) {
  const isPage = !answer.headers.get("Content-Type").startsWith("application/json");
  if (isPage) return { page: new DOMParser().parseFromString(await answer.text(), "text/html") };
  return { ...(await answer.json()), again: answer.status === BUSY };
}

// Waits until it makes sense to send it once more.
export async function boxIsBack() {
  if (await answers()) await new Promise((done) => setTimeout(done, PAUSE_MS));
  else await answering();
}

// Shows that a form is on its way, or not any more.
export function busyWith(form, submitter) {
  const label = $$("label[data-busy]", form).find((one) => $("input", one).files.length);
  const words = label?.dataset.busy ?? form.dataset.waits;
  const button = words && (label ?? submitter);
  const said = button && $("span", button);
  const before = said?.textContent;
  const veil = form.dataset.wait && $("#waiting");
  return (isBusy, sign = words) => {
    if (isBusy) form.setAttribute("aria-busy", "true");
    else form.removeAttribute("aria-busy");
    if (said) said.textContent = isBusy ? sign : before;
    if (button) button.classList.toggle("busy", isBusy);
    if (veil) veil.hidden = !isBusy;
  };
}

// Its photos were sent; the same ones can be chosen again.
export const emptyFiles = (form) => $$("input[type=file]", form).forEach((input) => (input.value = ""));
