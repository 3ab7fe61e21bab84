// A copy becomes this box's table: once the box has started anew its games are shown, or why not.

const FIRST_MS = 3000; // it leaves within half a second
const AGAIN_MS = 1000;
const MOST = 180;

async function look(left) {
  const page = await fetch("/restore").then((answer) => (answer.ok ? answer.text() : ""), () => "");
  if ((!page || page.includes('id="restoring"')) && left > 0) return setTimeout(look, AGAIN_MS, left - 1);
  const state = await fetch("/api/state").then((answer) => answer.json()).catch(() => ({}));
  const table = state.phase === "start" || state.phase === "sheet" ? "/history" : "/";
  location.replace(page.includes('id="not-put"') ? "/restore" : table);
}
setTimeout(look, FIRST_MS, MOST);
