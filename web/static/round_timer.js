// Counts a round's time down; without this script the page says until when it lasts.

const timers = [...document.querySelectorAll(".timer[data-ends]")];

function tick() {
  for (const timer of timers) {
    const left = Math.ceil(Number(timer.dataset.ends) - Date.now() / 1000);
    const clock = timer.querySelector("b");
    timer.classList.toggle("over", left <= 0);
    timer.classList.toggle("soon", left > 0 && left <= 300);
    if (left <= 0) {
      clock.textContent = timer.dataset.over;
      continue;
    }
    const seconds = String(left % 60).padStart(2, "0");
    const minutes = String(Math.floor(left / 60) % 60).padStart(2, "0");
    const hours = Math.floor(left / 3600);
    clock.textContent = hours ? `${hours}:${minutes}:${seconds}` : `${minutes}:${seconds}`;
  }
}

if (timers.length) {
  tick();
  setInterval(tick, 1000);
}
