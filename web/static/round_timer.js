// Counts a round's time down; without this script the page says until when it lasts.

let ahead = 0; // how many milliseconds the server's clock is ahead of this device's

function show(timer) {
  const left = Math.ceil(Number(timer.dataset.ends) - (Date.now() + ahead) / 1000);
  const clock = timer.querySelector("b");
  timer.classList.toggle("over", left <= 0);
  timer.classList.toggle("soon", left > 0 && left <= 300);
  if (left <= 0) {
    clock.textContent = timer.dataset.over;
    return;
  }
  const seconds = String(left % 60).padStart(2, "0");
  const minutes = String(Math.floor(left / 60) % 60).padStart(2, "0");
  const hours = Math.floor(left / 3600);
  clock.textContent = hours ? `${hours}:${minutes}:${seconds}` : `${minutes}:${seconds}`;
}

// The panel replaces parts of its page, so the timers are looked for each time.
function tick() {
  document.querySelectorAll(".timer[data-ends]").forEach(show);
}

// A phone's clock may be minutes off, and may be set while the page lies open.
async function setClock() {
  const answer = await fetch(import.meta.url, { method: "HEAD", cache: "no-store" }).catch(() => null);
  const now = Date.parse(answer?.headers.get("Date")?.slice(0, 29)); // it may stand there twice
  // It tells whole seconds: a clock within that second is right.
  if (now) ahead = Math.max(0, now - Date.now()) + Math.min(0, now + 999 - Date.now());
  tick();
}

document.addEventListener("visibilitychange", () => document.hidden || setClock());

setClock().then(() => setInterval(tick, 1000));
