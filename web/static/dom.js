// Short words for finding things in the page.

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
export const calm = matchMedia("(prefers-reduced-motion: reduce)");
