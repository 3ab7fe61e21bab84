// Copies: a stick that is plugged in or pulled out shows by itself, and what cannot be taken back is
// asked once more.

import { inItsLanguage } from "./language.js";

const AGAIN_MS = 3000;

async function look() {
  const places = document.querySelector("#places");
  const isSaving = () => places.querySelector(".busy") !== null;
  try {
    if (document.hidden || isSaving()) return;
    const answer = await fetch(location.pathname, { headers: inItsLanguage });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const news = page.querySelector("#places");
    if (news && !isSaving() && !news.isEqualNode(places)) places.replaceWith(document.importNode(news, true));
  } catch {
    // The panel says itself when the box does not answer.
  } finally {
    setTimeout(look, AGAIN_MS);
  }
}
setTimeout(look, AGAIN_MS);

addEventListener(
  "submit",
  (event) => {
    const question = event.target.dataset.sure;
    if (question && !confirm(question)) event.preventDefault();
  },
  { capture: true },
);
