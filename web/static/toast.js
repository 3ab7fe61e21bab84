// One sentence at the foot of the page, for a while.

import { $ } from "./dom.js";

const LASTS_MS = 9000;
const KEPT = "toast";

let timer = 0;

export function complain(sentence) {
  const toast = $("#toast");
  toast.textContent = sentence;
  toast.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => {
    toast.hidden = true;
    keep(null);
  }, LASTS_MS);
}

// A sentence that turned out to be wrong goes, where it still stands.
export function withdraw(sentence) {
  const toast = $("#toast");
  if (toast.textContent === sentence) toast.hidden = true;
}

// What is complained of stands on the next page, too: the table may lead there before it is read.
// Nothing about a hand may be kept so.
export function keep(sentence) {
  try {
    if (sentence === null) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, sentence);
  } catch {
    // a browser that keeps nothing
  }
}

function kept() {
  try {
    return sessionStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

const before = kept();
if (before) complain(before);
