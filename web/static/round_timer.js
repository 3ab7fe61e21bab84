// Counts a round's time down; without this script the page says until when it lasts.

function show(timer) {
  const left = Math.ceil(Number(timer.dataset.ends) - Date.now() / 1000);
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

tick();
setInterval(tick, 1000);
