// A form of these pages is sent from here, so that a refusal is told on the page it came from and
// what was typed stays there. Without a script the browser sends it.

import { $, $$, fieldsOf } from "./dom.js";
import { inItsLanguage } from "./language.js";
import { whileThere } from "./line.js";
import { forgetRefused, tellAt, tellAtFields } from "./refused.js";

const ANSWERED = { Accept: "application/json", ...inItsLanguage };

document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || form.method !== "post" || !form.closest("[data-in-place]")) return;
  event.preventDefault();
  if (form.getAttribute("aria-busy")) return;
  form.setAttribute("aria-busy", "true");
  forgetRefused(form);
  $("[data-refusal]", form)?.remove();
  const said = await answered(form, new URLSearchParams(fieldsOf(form, submitter)));
  if (said.go) return goOn(said.go); // the form stays busy: a second tap sends nothing
  form.removeAttribute("aria-busy");
  tell(form, said);
});

// What was asked for may take its time; that nobody is there is told.
async function answered(form, body) {
  const asked = { method: "POST", body, headers: ANSWERED };
  try {
    return await whileThere(async (signal) => (await fetch(form.action, { ...asked, signal })).json());
  } catch {
    return { error: form.closest("[data-in-place]").dataset.inPlace };
  }
}

// A page that is shown already is shown anew where it stands: a finger finds its place again.
function goOn(address) {
  const next = new URL(address, location.href);
  if (next.pathname + next.search === location.pathname + location.search) location.reload();
  else location.assign(next);
}

addEventListener("pageshow", () => {
  for (const form of $$("[data-in-place] form[aria-busy], form[data-in-place][aria-busy]")) {
    form.removeAttribute("aria-busy");
  }
});

// At the fields that it is about, at the only one there is, or at the end of the form.
function tell(form, said) {
  const open = $$("input:not([type=hidden]), select", form);
  if (said.fields?.length && tellAtFields(form, said)) return;
  if (!said.fields?.length && open.length === 1) {
    tellAt(open[0], said.error);
    return open[0].focus();
  }
  const words = document.createElement("p");
  Object.assign(words, { className: "refused", textContent: said.error });
  words.setAttribute("role", "alert");
  words.dataset.refusal = "";
  form.append(words);
  words.scrollIntoView({ block: "nearest" });
}
