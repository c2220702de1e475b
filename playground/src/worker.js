// The worker: an engine that is asked by messages, so that a run holds up no page and can be ended.

import { engine } from "./engine.js";

const BETWEEN = 50; // ms between two words of progress.

let ready = null;
let last = 0;

const progress = (share) => {
  const now = performance.now();
  if (now - last < BETWEEN) return;
  last = now;
  postMessage({ progress: share });
};

addEventListener("message", async ({ data }) => {
  if (data.module) {
    ready = engine(data.module, progress);
    return;
  }
  try {
    const answer = (await ready)(data.question, data.octets);
    postMessage({ answer }, [answer.octets.buffer]);
  } catch (error) {
    postMessage({ bug: error.message });
  }
});
