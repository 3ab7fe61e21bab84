// Keeps the page in step with the table: live regions, actions without reloading, the dialog,
// search while typing, and the evidence that lights up on the board. Every page works without it.

const body = document.body;
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/* ---------- live regions: the server's HTML is the truth, only what differs is exchanged ------- */

const shown = new Map();
const remember = (root) => $$("[data-live]", root).forEach((e) => shown.set(e.id, e.outerHTML));

// The page at an address, or null (and the banner) where the box doesn't answer.
async function load(address) {
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return { page, moved: answer.redirected };
  } catch {
    $("#offline").hidden = false;
    return null;
  }
}

function exchange(page, only) {
  const fresh = $$(only ?? "[data-live]", page);
  const missing = $$("[data-live]").some((e) => !page.getElementById(e.id));
  const added = fresh.some((e) => !document.getElementById(e.id));
  if (!only && (missing || added)) return exchangeMain(page);
  for (const element of fresh) {
    const html = element.outerHTML;
    if (shown.get(element.id) === html) continue;
    shown.set(element.id, html);
    swap(document.getElementById(element.id), document.importNode(element, true));
  }
  markEvidence();
}

function swap(old, next) {
  const active = document.activeElement;
  const key = old.contains(active) ? active.dataset.key : null;
  const opened = $$("details[data-keep][open]", old).map((e) => e.id);
  old.replaceWith(next);
  if (opened.length) $$("details[data-keep]", next).forEach((e) => (e.open = opened.includes(e.id)));
  if (key) $(`[data-key="${CSS.escape(key)}"]`, next)?.focus();
  dress(next);
}

function exchangeMain(page) {
  for (const selector of ["#banner", "#main", ".tabs", ".tools"]) {
    const [old, next] = [$(selector), $(selector, page)];
    if (old && next) old.replaceWith(document.importNode(next, true));
  }
  body.dataset.tab = page.body.dataset.tab;
  shown.clear();
  remember(document);
  dress(document);
}

let running = null;
let again = false;

async function refresh() {
  if (running) {
    again = true;
    return running;
  }
  running = followTable();
  await running;
  running = null;
  if (again) {
    again = false;
    await refresh();
  }
}

async function followTable() {
  const loaded = await load(location.href);
  if (!loaded) return;
  const { page, moved } = loaded;
  const { phase, version, home } = page.body.dataset;
  const turned = phase !== body.dataset.phase;
  Object.assign(body.dataset, { phase, version, home });
  const busy = $("[data-private]") && phase !== "sheet";
  const following = !busy && !["box", ""].includes(body.dataset.tab);
  if (moved || (turned && following)) return location.assign(home);
  exchange(page);
}

/* ---------- the live line --------------------------------------------------------------------- */

function listen() {
  const line = new EventSource("/events");
  line.addEventListener("version", (event) => {
    $("#offline").hidden = true;
    if (event.data !== body.dataset.version) refresh();
  });
  line.onerror = () => {
    $("#offline").hidden = false;
    if (line.readyState === EventSource.CLOSED) setTimeout(listen, 4000);
  };
  addEventListener("pagehide", () => line.close(), { once: true });
}

addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  listen();
  refresh();
});

/* ---------- actions --------------------------------------------------------------------------- */

function complain(sentence) {
  const toast = $("#toast");
  toast.textContent = sentence;
  toast.hidden = false;
  clearTimeout(complain.timer);
  complain.timer = setTimeout(() => (toast.hidden = true), 9000);
}

async function act(form, button) {
  const fields = new FormData(form);
  if (button?.name) fields.set(button.name, button.value);
  form.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: fields,
      headers: { Accept: "application/json" },
    });
    const said = await answer.json();
    if (said.error) return complain(said.error);
    $("#toast").hidden = true;
    if (form.closest("dialog")) $("#dialog").close();
    if (form.dataset.clears) clearSearch($(form.dataset.clears));
    await refresh();
  } catch {
    $("#offline").hidden = false;
  } finally {
    form.removeAttribute("aria-busy");
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.getAttribute("role") === "search") event.preventDefault();
  if (!form.matches("[data-act]")) return;
  event.preventDefault();
  if (form.dataset.sure && !confirm(form.dataset.sure)) return;
  act(form, event.submitter);
});

document.addEventListener("change", async (event) => {
  const input = event.target;
  if (!input.matches("input[type=file][data-auto]") || !input.files.length) return;
  const label = input.closest("label");
  const words = $("span", label);
  const before = words.textContent;
  words.textContent = label.dataset.busy;
  label.classList.add("busy");
  await act(input.form);
  input.value = "";
  words.textContent = before;
  label.classList.remove("busy");
});

/* ---------- the dialog on one route ----------------------------------------------------------- */

async function openRoute(link) {
  const loaded = await load(link.getAttribute("href"));
  const asked = loaded && $("[data-dialog-body]", loaded.page);
  if (!asked) return;
  $("#dialog-body").replaceChildren(document.importNode(asked, true));
  dress($("#dialog"));
  $("#dialog").showModal();
}

/* ---------- search while typing --------------------------------------------------------------- */

let typing = 0;

function search(input) {
  const address = new URL(location.href);
  address.searchParams.set("q", input.value);
  history.replaceState(null, "", address);
  clearTimeout(typing);
  typing = setTimeout(async () => {
    const loaded = await load(address);
    if (loaded && address.href === location.href) exchange(loaded.page, input.dataset.search);
  }, 110);
}

function clearSearch(input) {
  if (!input) return;
  input.value = "";
  input.focus();
  search(input);
}

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-search]")) search(event.target);
});

document.addEventListener("keydown", (event) => {
  const field = $("[data-search]");
  if (!field || !["ArrowDown", "ArrowUp", "Enter"].includes(event.key)) return;
  const hits = $$(`${field.dataset.search} :is(a, button)`);
  const at = hits.indexOf(document.activeElement);
  if (event.key === "Enter") {
    if (document.activeElement === field && hits.length) hits[0].click();
    return;
  }
  if (at < 0 && document.activeElement !== field) return;
  event.preventDefault();
  (hits[at + (event.key === "ArrowDown" ? 1 : -1)] ?? field).focus();
});

/* ---------- evidence on the board ------------------------------------------------------------- */

const evidence = { key: null, routes: [], trail: null, step: 0, timer: 0, colour: null };
const SVG = "http://www.w3.org/2000/svg";

function show(button) {
  stop();
  const same = evidence.key === button.dataset.routes + button.dataset.key;
  evidence.key = same ? null : button.dataset.routes + button.dataset.key;
  evidence.routes = same ? [] : button.dataset.routes.split(" ");
  evidence.trail = same || !button.dataset.trail ? null : JSON.parse(button.dataset.trail);
  evidence.colour = button.dataset.colour;
  evidence.step = evidence.trail?.length ?? 0;
  markEvidence();
  if (!same && $(".map").getBoundingClientRect().top < 0) {
    $(".map").scrollIntoView({ behavior: calm.matches ? "auto" : "smooth" });
  }
}

function markEvidence() {
  const board = $("#board");
  if (!board) return;
  board.classList.toggle("lighting", evidence.routes.length > 0);
  for (const group of $$("[data-route]", board)) {
    group.classList.toggle("lit", evidence.routes.includes(group.dataset.route));
  }
  for (const button of $$("button[data-routes]")) {
    const on = evidence.key === button.dataset.routes + button.dataset.key;
    button.setAttribute("aria-pressed", String(on));
  }
  drawTrail();
}

function drawTrail() {
  const layer = $("#trail");
  const caption = $("#caption");
  layer.replaceChildren();
  caption.hidden = !evidence.trail;
  if (!evidence.trail) return caption.replaceChildren();
  layer.setAttribute("class", `c-${evidence.colour}`);
  const steps = evidence.trail.slice(0, evidence.step);
  steps.forEach((step, i) => drawStep(layer, step, i + 1, i + 1 === evidence.step));
  if (!$(".trail-tools", caption)) {
    caption.replaceChildren(
      document.createElement("p"),
      $("#trail-tools").content.cloneNode(true),
    );
  }
  $("p", caption).textContent = evidence.trail[Math.max(0, evidence.step - 1)].caption;
}

function drawStep(layer, step, number, newest) {
  const hit = $(`#r-${CSS.escape(step.route)} .hit`);
  if (!hit) return;
  let points = hit.getAttribute("points").trim().split(" ");
  if (step.backwards) points = points.reverse();
  for (const kind of ["under", "over"]) {
    const line = document.createElementNS(SVG, "polyline");
    line.setAttribute("points", points.join(" "));
    line.setAttribute("pathLength", "1");
    line.setAttribute("class", newest && evidence.timer ? `${kind} drawing` : kind);
    layer.append(line);
  }
  const [x, y] = middle(points);
  const badge = document.createElementNS(SVG, "g");
  badge.setAttribute("transform", `translate(${x} ${y})`);
  badge.setAttribute("class", newest ? "badge newest" : "badge");
  badge.append(document.createElementNS(SVG, "circle"), document.createElementNS(SVG, "text"));
  badge.firstChild.setAttribute("r", "9");
  badge.lastChild.textContent = number;
  layer.append(badge);
}

function middle(points) {
  const at = points.map((p) => p.split(",").map(Number));
  const half = (at.length - 1) / 2;
  const [a, b] = [at[Math.floor(half)], at[Math.ceil(half)]];
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}

function stop() {
  clearInterval(evidence.timer);
  evidence.timer = 0;
}

function play() {
  stop();
  evidence.step = 0;
  const forward = () => {
    evidence.step += 1;
    drawTrail();
    if (evidence.step >= evidence.trail.length) stop();
  };
  evidence.timer = setInterval(forward, calm.matches ? 1500 : 900);
  forward();
}

function walkTrail(command) {
  if (command === "play") return play();
  stop();
  if (command === "clear") {
    Object.assign(evidence, { key: null, routes: [], trail: null });
    return markEvidence();
  }
  const wanted = evidence.step + Number(command);
  evidence.step = Math.min(evidence.trail.length, Math.max(1, wanted));
  return drawTrail();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-dialog]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    openRoute(link);
    return;
  }
  const proof = event.target.closest("button[data-routes]");
  if (proof) show(proof);
  const step = event.target.closest("[data-step]");
  if (step) walkTrail(step.dataset.step);
  if (event.target.id === "dialog") event.target.close();
});

/* ---------- secrets and pictures -------------------------------------------------------------- */

const SECRET_S = 60;
let idle = 0;

function guardSecret() {
  const hand = $("[data-private]");
  clearTimeout(idle);
  if (hand) idle = setTimeout(() => location.assign(hand.dataset.private), SECRET_S * 1000);
}

for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, guardSecret);
document.addEventListener("visibilitychange", () => {
  const hand = document.hidden && $("[data-private]");
  if (hand) location.assign(hand.dataset.private);
});

function dress(root) {
  for (const image of $$("img[data-missing]", root)) {
    const hide = () => {
      const words = document.createElement("p");
      words.className = "no-crop";
      words.textContent = image.dataset.missing;
      image.replaceWith(words);
    };
    if (image.complete && image.naturalWidth === 0) hide();
    image.addEventListener("error", hide, { once: true });
  }
  const pointed = $(".doubt.pointed", root);
  if (pointed) pointed.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
}

remember(document);
dress(document);
guardSecret();
listen();
