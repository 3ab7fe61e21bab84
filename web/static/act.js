// Actions without reloading: a form that changes the table is sent from here, and the page follows.

import { $, $$, fieldsOf, submit, tellEarlyFiles } from "./dom.js";
import { answeringAgain, followTo, goTo, refresh, showQuestion, unanswered } from "./follow.js";
import { isTapped, showNewest } from "./hand.js";
import { inTurn } from "./in_turn.js";
import { sendFiles } from "./outbox.js";
import { forgetRefused, tellAtFields } from "./refused.js";
import { search } from "./search.js";
import { send, wasDone } from "./send.js";
import { complain, withdraw } from "./toast.js";
import { isTyped, typedIn } from "./typed.js";

// A tap found no network: unlike the page, it is not tried again later.
// What is complained of stands while the box does not answer, for nobody can look before; it is
// withdrawn where only the answer was lost, once the box says so.
export function complainOfLostTap({ request }) {
  const sentence = $("#offline").dataset.lost;
  unanswered();
  const isBack = answeringAgain();
  complain(sentence, isBack);
  if (request) isBack.then(async () => (await wasDone(request)) && withdraw(sentence));
}

// True once the page has followed.
async function act(form, button) {
  form.setAttribute("aria-busy", "true");
  const tapped = button instanceof Element && button;
  if (tapped) tapped.classList.add("sending");
  try {
    const said = await answered(form, button);
    if (!said) return;
    if (form.closest("dialog")) $("#dialog").close();
    // The table may be in that phase already while this page only peeked at another one.
    if (form.dataset.go) return goTo(form.dataset.go);
    const isQuestion = form.closest(".doubt");
    await followTo(said.version);
    if (isQuestion) showQuestion();
    if (form.dataset.lights) showNewest(form.dataset.lights);
    return true;
  } finally {
    form.removeAttribute("aria-busy");
    if (tapped) tapped.classList.remove("sending");
  }
}

// What the table says to a form and to what is sent before it; null where it does not take them, or
// does not answer.
async function answered(form, button) {
  try {
    if (!(await sentFirst(form))) return null;
    // What stands as it was may have been given to somebody else by then.
    const isAsItWas = "ifTyped" in form.dataset && !typedIn(form).length;
    return isAsItWas || (await handIn(form, button));
  } catch (error) {
    complainOfLostTap(error);
    return null;
  }
}

// What the table says to a form; null where it does not take it.
async function handIn(form, button) {
  const fields = fieldsOf(form, button);
  const sending = typedIn(form).map((field) => [field, field.value]);
  forgetRefused(form);
  const typed = emptied(form);
  try {
    const said = await (form.matches("[enctype]") ? sendFiles(form) : send(form.action, fields));
    if (!said) return said; // a photo that its player keeps back
    if (!said.error) {
      // One that starts again is empty by then, or has what was typed next.
      if (!("resets" in form.dataset)) for (const [field, value] of sending) field.defaultValue = value;
      return said;
    }
    if (!typed.putBack() || !tellAtFields(form, said)) complain(said.error);
    return null;
  } catch (error) {
    typed.putBack();
    throw error;
  }
}

// Whether what is typed in other forms and was not sent is taken: the names of the other players
// before this page is left, the table's own points before they are counted. Beside one of them
// something may be told that is to be looked at first.
async function sentFirst(form) {
  for (const other of form.dataset.after ? $$(form.dataset.after) : []) {
    const typed = typedIn(other);
    if (other === form || !typed.length) continue;
    const told = $("[aria-invalid]", other);
    if (told) {
      told.focus();
      return false;
    }
    if (!(await handIn(other))) return false;
  }
  return true;
}

// The form of a ticket that was typed is ready for the next one.
function startAgain(form) {
  const typed = $$("input:not([type=hidden])", form).map((input) => [input, input.value]);
  form.reset();
  typed[0][0].focus();
  return {
    putBack() {
      if (typed.some(([input]) => input.value !== input.defaultValue)) return false;
      for (const [input, value] of typed) input.value = value;
      return true;
    },
  };
}

// Empty the fields of this form, or the search that led to it, at once, so that the next one can be
// typed while the table still answers; `putBack` undoes that, unless that is done already. After a
// tap on the board the field takes no focus: a tablet's keyboard would come up over the board.
function emptied(form) {
  if ("resets" in form.dataset) return startAgain(form);
  const field = form.dataset.clears && $(form.dataset.clears);
  if (!field) return { putBack: () => true };
  const value = field.value;
  const set = (text) => {
    field.value = text;
    if (!isTapped()) field.focus();
    search(field);
  };
  set("");
  const putBack = () => {
    if (!field.value) set(value);
    return true;
  };
  return { putBack };
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.getAttribute("role") === "search") event.preventDefault();
  if (!form.matches("[data-act]")) return;
  event.preventDefault();
  if (form.dataset.sure && !confirm(form.dataset.sure)) return;
  $("#toast").hidden = true; // at the tap: of several that wait, each may be refused
  if (form.matches(".steppers")) return void queue(() => step(event.submitter));
  act(form, event.submitter);
});

// A button that counts says what the count becomes, so quick taps wait for the one before.
const steps = inTurn();
let waiting = 0; // taps that have not been counted yet

async function queue(tap) {
  waiting += 1;
  await steps(tap).finally(() => (waiting -= 1));
}

// Whoever goes on to the next hand takes along what was tapped: the page waits for it.
document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest("a[href]");
    if (!waiting || !link || link.target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    link.setAttribute("aria-busy", "true");
    steps(() => goTo(link.href));
  },
  { capture: true },
);

// A ticket that was typed and not added does not count.
document.addEventListener(
  "click",
  (event) => {
    const words = event.target.closest("[data-hand] a[data-typed]")?.dataset.typed;
    if (!words || !isTyped() || confirm(words)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);

async function step({ dataset: { key }, name }) {
  const button = $(`.steppers button[data-key="${CSS.escape(key)}"][name="${CSS.escape(name)}"]:enabled`);
  if (button) await act(button.form, button);
}

// The number between minus and plus can be typed as well: a tap makes a field of it.
document.addEventListener("click", (event) => {
  const number = event.target.closest("[data-number]");
  if (number) typeNumber(number);
});

function typeNumber(number) {
  const { form, name, textContent: before } = number;
  const input = document.createElement("input");
  Object.assign(input, { className: "number", inputMode: "numeric", value: before });
  input.setAttribute("aria-label", number.getAttribute("aria-label"));
  input.dataset.key = number.dataset.key;
  let isOver = false; // a field that is taken out is left once more
  const end = (value) => {
    if (isOver) return;
    isOver = true;
    input.replaceWith(number);
    if (!value || value === before) return void refresh();
    number.textContent = value;
    queue(async () => {
      if (!(await act($(`#${form.id}`), { name, value }))) number.textContent = before;
    });
  };
  input.addEventListener("blur", () => end(input.value.trim()));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    end(event.key === "Enter" ? input.value.trim() : before);
    number.focus();
  });
  number.replaceWith(input);
  input.focus();
  input.select();
}

document.addEventListener("change", ({ target: input }) => {
  if (input.matches("input[type=file][data-auto]") && input.files.length) submit(input.form);
});

// While somebody takes a photo the table may move on, and its form be no part of the page any more.
document.addEventListener("click", ({ target: input }) => {
  if (!input.matches("form[data-act]:not([data-photo]) input[type=file][data-auto]")) return;
  const comeBack = () => {
    if (input.isConnected) return;
    input.form.hidden = true;
    document.body.append(input.form);
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
  input.addEventListener("change", comeBack, { once: true });
});
queueMicrotask(() => tellEarlyFiles("[data-auto]")); // once the whole of this file has run
