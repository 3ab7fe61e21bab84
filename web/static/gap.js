// A link that is tapped while the box doesn't answer is followed once it does: the browser's own page
// of errors leads nowhere, least of all in an app on the home screen, which has no button to reload.

import { $ } from "./dom.js";
import { answering, goTo } from "./follow.js";

let last = null;

// Whoever leaves an open hand wants it gone at once; whoever leaves what is not sent is asked.
const isHeld = (link, { ctrlKey, metaKey, shiftKey }) =>
  !$("#offline").hidden &&
  $("#not-sent").hidden &&
  link.origin === location.origin &&
  link.pathname + link.search !== location.pathname + location.search &&
  !(link.target || link.hasAttribute("download") || ctrlKey || metaKey || shiftKey) &&
  !$("[data-hand]");

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || !isHeld(link, event)) return;
  event.preventDefault();
  last = link;
  await answering();
  if (last === link) goTo(link.href);
});
