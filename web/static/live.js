// Shows every news of a page as it comes; the server sends finished pieces, each with its id.

import { released } from "./held.js";

const address = document.body.dataset.live;
const offline = document.querySelector("#offline");

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

let news = Promise.resolve(); // one after another, each once no finger is on the page

async function take(event) {
  await released();
  if (event.lastEventId) document.querySelector("[data-at]").dataset.at = event.lastEventId;
  show(JSON.parse(event.data).html);
}

const GONE_MS = 4000; // a line that is cut is there again after two seconds
let gone = null;
let line = null;

function listen() {
  line?.close();
  if (document.hidden) return;
  const at = document.querySelector("[data-at]")?.dataset.at ?? "";
  line = new EventSource(`${address}?lang=${document.documentElement.lang}&at=${at}`);
  line.addEventListener("piece", (event) => (news = news.then(() => take(event))));
  line.onopen = () => {
    gone = clearTimeout(gone);
    offline.hidden = true;
  };
  line.onerror = () => {
    gone ??= setTimeout(() => (offline.hidden = false), GONE_MS);
    if (line.readyState === EventSource.CLOSED) setTimeout(listen, 4000);
  };
}

addEventListener("pagehide", () => line?.close());

addEventListener("pageshow", (event) => {
  if (event.persisted) listen();
});
// As in `follow.js`: a page that nobody sees has no line.
document.addEventListener("visibilitychange", () => (document.hidden ? line?.close() : listen()));
listen();
