// After a sleep the line to the box may be dead without the browser's knowing: a page that is seen
// again asks for another one.

const ASLEEP_MS = 10_000;

export function atWaking(then) {
  let hiddenAt = Infinity;
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hiddenAt = Date.now();
    else if (Date.now() - hiddenAt >= ASLEEP_MS) then();
  });
}
