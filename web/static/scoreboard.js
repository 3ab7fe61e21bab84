// Shows every news of the scoreboard as it comes; the server sends the finished piece of the page.

const address = `/scoreboard/events?lang=${document.documentElement.lang}`;
const offline = document.querySelector("#offline");

function show(html) {
  const piece = new DOMParser().parseFromString(html, "text/html").querySelector("#score");
  if (piece) document.querySelector("#score").replaceWith(document.importNode(piece, true));
}

function listen() {
  const line = new EventSource(address);
  line.addEventListener("scoreboard", (event) => {
    offline.hidden = true;
    show(JSON.parse(event.data).html);
  });
  line.onerror = () => {
    offline.hidden = false;
    if (line.readyState === EventSource.CLOSED) setTimeout(listen, 4000);
  };
  addEventListener("pagehide", () => line.close(), { once: true });
}

addEventListener("pageshow", (event) => {
  if (event.persisted) listen();
});
listen();
