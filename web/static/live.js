// Shows every news of a page as it comes; the server sends finished pieces, each with its id.

import { released } from "./held.js";
import { inTurn } from "./in_turn.js";
import { newsLine } from "./line.js";

function show(html) {
  const sent = [...new DOMParser().parseFromString(html, "text/html").body.children];
  sent.flatMap((one) => (one.id ? [one] : [...one.children])).forEach(replace); // an svg's routes
}

function replace(piece) {
  const old = document.getElementById(piece.id);
  if (!old || old.isEqualNode(piece)) return;
  const focused = old.contains(document.activeElement) && document.activeElement.getAttribute("href");
  old.replaceWith(document.importNode(piece, true));
  if (focused) document.querySelector(`#${piece.id} a[href="${CSS.escape(focused)}"]`)?.focus();
}

const oneByOne = inTurn();

// Once no finger is on the page.
async function take(event) {
  await released();
  if (event.lastEventId) document.querySelector("[data-at]").dataset.at = event.lastEventId;
  show(JSON.parse(event.data).html);
}

function address() {
  const at = document.querySelector("[data-at]")?.dataset.at ?? "";
  return `${document.body.dataset.live}?lang=${document.documentElement.lang}&at=${at}`;
}

const listen = newsLine({ address, kind: "piece", hear: (event) => oneByOne(() => take(event)) });

addEventListener("pageshow", (event) => {
  if (event.persisted) listen();
});
listen();
