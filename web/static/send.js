// Actions on their way to the table. Each has a key of its own, so that one which is sent again
// after its answer was lost is done once.

import { inItsLanguage } from "./language.js";
import { whileHeard } from "./line.js";

const TRIES = 3;
const PAUSE_MS = 400;

// `crypto.randomUUID` is not there on a page that came by plain HTTP.
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What the table answers to an action: { version } or { error }. Fails where no answer comes.
export function send(address, body) {
  return deliver(address, body, "application/json", (answer) => answer.json(), newKey(), whileHeard);
}

// What `read` makes of the answer to a form, of the kind that is wanted. The error of one that got no
// answer has the `request`. What `until` gives ends a try that gets no answer.
export async function deliver(address, body, kind, read, key = newKey(), until = () => null) {
  const headers = { Accept: kind, "Idempotency-Key": key, ...inItsLanguage };
  for (let left = TRIES - 1; ; left -= 1) {
    try {
      return await read(await fetch(address, { method: "POST", body, headers, signal: until() }));
    } catch (error) {
      if (!left) throw Object.assign(error, { request: { address, body, key } });
      await new Promise((done) => setTimeout(done, PAUSE_MS * (TRIES - left)));
    }
  }
}

// Whether a request that got no answer was done all the same. It is not done by being asked about.
export async function wasDone({ address, body, key }) {
  const headers = { Accept: "application/json", "Idempotency-Key": key, "Only-If-Done": "yes" };
  const signal = whileHeard();
  const answer = await fetch(address, { method: "POST", body, headers, signal }).catch(() => null);
  return isOfTheBox(answer) && answer.ok;
}

// A network that wants somebody to sign in answers in the box's place, with a page of its own.
export const isOfTheBox = (answer) =>
  Boolean(answer?.headers.get("Content-Type")?.startsWith("application/json"));
