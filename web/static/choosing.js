// While a phone's camera or its list of photos lies over the page, the page stays as it is: what is
// chosen would come to a form that is no longer there, and be lost without a word.

let choosing = false;
export const isChoosing = () => choosing;

document.addEventListener("click", (event) => event.target.matches?.("input[type=file]") && (choosing = true), true);

// Not every browser tells that nothing was chosen: whoever touches the page again is back on it.
for (const kind of ["change", "cancel", "pointerdown", "keydown"]) {
  document.addEventListener(
    kind,
    ({ target }) => {
      if (!choosing) return;
      choosing = false;
      if (kind === "change" && target.closest("[data-awaits-box]")) return; // which leads elsewhere
      setTimeout(() => document.dispatchEvent(new Event("chosen"))); // what was chosen goes first
    },
    true,
  );
}
