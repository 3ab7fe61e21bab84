// Jobs that are done one after the other; one that fails does not keep back those after it.

// Gives the function that takes a job and is done once that is.
export function inTurn() {
  let last = Promise.resolve();
  return (job) => (last = last.catch(() => {}).then(job));
}
