// What is under a finger is not exchanged before it is up: the tap would be lost.

const HELD_MS = 1500; // longest that a finger keeps the page as it is
const CLICK_MS = 60; // so long after it is up the click may come

const held = new Set();

addEventListener("pointerdown", (event) => held.add(event.pointerId), true);
for (const kind of ["pointerup", "pointercancel"]) {
  addEventListener(kind, (event) => setTimeout(() => held.delete(event.pointerId), CLICK_MS), true);
}

// Done once no finger is on the page, at once where none is.
export async function released() {
  const until = performance.now() + HELD_MS;
  while (held.size && performance.now() < until) await new Promise((done) => setTimeout(done, CLICK_MS / 2));
}
