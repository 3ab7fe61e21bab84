// What changes on the page is said to whoever doesn't see it: whose points have moved, and how many
// questions are open. News in the banner are heard without it, for its element stays (`follow.js`).

import { $, $$ } from "./dom.js";

const words = (element) => element.textContent.trim().replace(/\s+/g, " ");

function shown() {
  const sentences = $$("#standing > li").map((player) => {
    const name = words($(".who b", player));
    return [name, `${name}: ${$(".points", player).getAttribute("aria-label")}`];
  });
  const badge = $("#badge:not([hidden])");
  if (badge) sentences.push(["?", `${words(badge.previousElementSibling)}: ${words(badge)}`]);
  return new Map(sentences);
}

let before = shown();

function tell() {
  const now = shown();
  const news = [...now].filter(([of, said]) => before.get(of) !== said && (of === "?" || before.has(of)));
  before = now;
  if (news.length) $("#heard").textContent = news.map(([, said]) => said).join(". ");
}

for (const moment of ["followed", "exchanged"]) document.addEventListener(moment, tell);
