// One sentence at the foot of the page, as long as it takes to read it, or until it is tapped.

import { $, keepInTab, keptInTab } from "./dom.js";

const LASTS_MS = 9000;
const A_LETTER_LASTS_MS = 100;
const KEPT = "toast";

let timer = 0;

// `canEnd` settles once there is something to look at: until then the sentence stands.
export async function complain(sentence, canEnd = null) {
  const toast = $("#toast");
  toast.textContent = sentence;
  toast.hidden = false;
  clearTimeout(timer);
  if (canEnd) await canEnd;
  if (toast.textContent !== sentence) return; // another one has taken its place
  clearTimeout(timer);
  timer = setTimeout(away, Math.max(LASTS_MS, sentence.length * A_LETTER_LASTS_MS));
}

function away() {
  $("#toast").hidden = true;
  keep(null);
}

// A sentence that turned out to be wrong goes, where it still stands.
export function withdraw(sentence) {
  const toast = $("#toast");
  if (toast.textContent === sentence) toast.hidden = true;
}

// What is complained of stands on the next page, too: the table may lead there before it is read.
// Nothing about a hand may be kept so.
export const keep = (sentence) => keepInTab(KEPT, sentence);

$("#toast")?.addEventListener("click", away); // it lies over the buttons at the foot

const before = keptInTab(KEPT);
if (before) complain(before);
