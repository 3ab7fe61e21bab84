// The script of every page of the table, which works without it too: puts its parts together. They
// travel with it as one file, so the scripts of single pages take what they need of them from here.

import { $, $$, calm, drawn, fieldsOf, submit, tellEarlyFiles } from "./dom.js";
import "./act.js";
import { dressBrushes } from "./brush.js";
import "./camera.js";
import { putBackFields } from "./carried.js";
import { dress, listen, refresh, remember } from "./follow.js";
import "./gap.js";
import "./heard.js";
import "./in_place.js";
import { inTurn } from "./in_turn.js";
import { inItsLanguage } from "./language.js";
import { dressMap, light } from "./map.js";
import { search } from "./search.js";
import "./curtain.js";
import "./outbox.js";
import "./seats.js";
import { guardSecret, hide } from "./secret.js";
import { deliver, newKey, send } from "./send.js";
import "./touch.js";
import { putBackTyped } from "./typed.js";
import { drawStep } from "./walk.js";

export { $, $$, calm, deliver, drawStep, drawn, fieldsOf, inItsLanguage, inTurn, newKey, refresh, send, submit, tellEarlyFiles };

if ($("[data-hand]")) {
  history.replaceState(null, "", $("[data-hand]").dataset.private);
  putBackTyped();
}
putBackFields();
remember(document);
dress(document);
dressMap();
dressBrushes();
if ($("#asked")) light([$("#asked").dataset.route]);
for (const field of $$("[data-search]")) {
  if (field.value !== field.defaultValue) search(field); // typed before this script ran
}
if (document.hidden) hide(); // the screen went off, or another page came up, on the way here
guardSecret();
listen();
// A button tapped before this script had come, which only a script gives a meaning.
const early = document.activeElement;
if (early?.matches("#main button[type=button]:not(:focus-visible)")) early.click();
