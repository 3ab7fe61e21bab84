// A copy becomes this box's table: once the box has started anew its games are shown.

const FIRST_MS = 3000; // it leaves within half a second
const AGAIN_MS = 1000;
const MOST = 180;

async function look(left) {
  const isBack = await fetch("/restore").then(
    async (answer) => answer.ok && !(await answer.text()).includes('id="restoring"'),
    () => false,
  );
  if (!isBack && left > 0) return setTimeout(look, AGAIN_MS, left - 1);
  const state = await fetch("/api/state").then((answer) => answer.json()).catch(() => ({}));
  location.replace(state.phase === "start" || state.phase === "sheet" ? "/history" : "/");
}
setTimeout(look, FIRST_MS, MOST);
