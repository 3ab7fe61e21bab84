// The line by which a page hears what has changed, and the banner where it is cut.

const GONE_MS = 4000; // a line that is cut is there again after two seconds
const AGAIN_MS = 4000;
const SILENT_MS = 8000; // the box says every four seconds that it is there

let hasLine = false;
let asked = new AbortController();
let carried = new AbortController();

// What is asked of the box ends with this once its line was silent: where the network went without a
// word, the browser waits for an answer for minutes.
export const whileHeard = () => asked.signal;

// The same for files on their way, which go on while nobody sees the page.
export const whileCarried = () => carried.signal;

// What `ask` gets of the box, which may take its time, also while nobody sees the page. Without a
// line of news it is looked around meanwhile.
export async function whileThere(ask) {
  const looking = hasLine ? null : setInterval(lookAround, SILENT_MS);
  try {
    return await ask(carried.signal);
  } finally {
    clearInterval(looking);
  }
}

async function lookAround() {
  const soon = new AbortController();
  const late = setTimeout(() => soon.abort(), SILENT_MS);
  const looked = { method: "HEAD", cache: "no-store", signal: soon.signal };
  await fetch("/colours.css", looked).catch(giveUpCarrying);
  clearTimeout(late);
}

function giveUpWaiting() {
  asked.abort();
  asked = new AbortController();
}

function giveUpCarrying() {
  carried.abort();
  carried = new AbortController();
}

// Gives `hear` each event of a `kind`; `address` is asked for whenever the line begins, and `back` is
// called when the page is seen again, and when the box is there again. Where the server has no line
// free, `refused` is called; without it the banner stands until there is one.
export function newsLine({ address, kind, hear, refused, back }) {
  hasLine = true;
  const offline = document.querySelector("#offline");
  let line = null;
  let gone = null;
  let again = null;
  let silence = null;
  let wasSilent = false;
  let restedAt = null;

  function opened() {
    gone = clearTimeout(gone);
    const wasGone = !offline.hidden;
    offline.hidden = true;
    heard();
    if (wasGone) back?.();
  }

  function heard() {
    wasSilent = false;
    listenFor();
  }

  function listenFor() {
    clearTimeout(silence);
    silence = setTimeout(silent, SILENT_MS);
  }

  // No end of the line was told, but nobody is there any more: another one may get through. Where
  // it does not, files do not either; by a weak network they only take long.
  function silent() {
    giveUpWaiting();
    if (wasSilent) giveUpCarrying();
    wasSilent = true;
    tellSoon();
    listen();
  }

  function tellSoon() {
    gone ??= setTimeout(() => {
      gone = null;
      offline.hidden = false;
    }, GONE_MS);
  }

  function failed() {
    const isRefused = line.readyState === EventSource.CLOSED; // else the browser tries again itself
    if (isRefused) {
      clearTimeout(silence);
      again = setTimeout(listen, AGAIN_MS);
    }
    if (isRefused && refused) {
      gone = clearTimeout(gone); // the box answers
      return refused();
    }
    tellSoon();
  }

  function stop() {
    clearTimeout(again);
    clearTimeout(silence);
    line?.close();
  }

  function listen() {
    stop();
    if (document.hidden) return;
    line = new EventSource(address());
    line.addEventListener("alive", heard);
    line.addEventListener(kind, (event) => {
      heard();
      hear(event);
    });
    Object.assign(line, { onopen: opened, onerror: failed });
    listenFor();
  }

  // Nobody sees the page: what was wrong with its line then is no news once it is seen again.
  function rest() {
    gone = clearTimeout(gone);
    restedAt = Date.now();
    stop();
  }

  addEventListener("pagehide", rest);
  // A browser has six lines to one box, so a page that nobody sees gives its own away: the seventh
  // tab would not open. After a sleep the line may be dead, too, without the browser's knowing.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return rest();
    if (Date.now() - restedAt > SILENT_MS) giveUpWaiting();
    listen();
    back?.();
  });
  return listen;
}
