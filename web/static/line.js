// The line by which a page hears what has changed, and the banner where it is cut.

const GONE_MS = 4000; // a line that is cut is there again after two seconds
const AGAIN_MS = 4000;

// Gives `hear` each event of a `kind`; `address` is asked for whenever the line begins, and `back` is
// called when the page is seen again. Where the server has no line free, `refused` is called; without
// it the banner stands until there is one.
export function newsLine({ address, kind, hear, refused, back }) {
  const offline = document.querySelector("#offline");
  let line = null;
  let gone = null;
  let again = null;

  function opened() {
    gone = clearTimeout(gone);
    offline.hidden = true;
  }

  function failed() {
    const isRefused = line.readyState === EventSource.CLOSED; // else the browser tries again itself
    if (isRefused) again = setTimeout(listen, AGAIN_MS);
    if (isRefused && refused) {
      gone = clearTimeout(gone); // the box answers
      return refused();
    }
    gone ??= setTimeout(() => {
      gone = null;
      offline.hidden = false;
    }, GONE_MS);
  }

  function stop() {
    clearTimeout(again);
    line?.close();
  }

  function listen() {
    stop();
    if (document.hidden) return;
    line = new EventSource(address());
    line.addEventListener(kind, hear);
    Object.assign(line, { onopen: opened, onerror: failed });
  }

  // Nobody sees the page: what was wrong with its line then is no news once it is seen again.
  function rest() {
    gone = clearTimeout(gone);
    stop();
  }

  addEventListener("pagehide", rest);
  // A browser has six lines to one box, so a page that nobody sees gives its own away: the seventh
  // tab would not open. After a sleep the line may be dead, too, without the browser's knowing.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return rest();
    listen();
    back?.();
  });
  return listen;
}
