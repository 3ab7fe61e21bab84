// One sentence at the foot of the page, for a while.

import { $ } from "./dom.js";

let timer = 0;

export function complain(sentence) {
  const toast = $("#toast");
  toast.textContent = sentence;
  toast.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => (toast.hidden = true), 9000);
}
