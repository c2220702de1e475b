// Asks the playground's engine, and draws with the playground's code: questions from standard input, answers to standard output.

import { readFileSync } from "node:fs";
import { engine } from "../playground/src/engine.js";
import { Run } from "../playground/src/run.js";
import { content, timeline } from "../playground/src/timeline.js";
import { table } from "../playground/src/table.js";

const { module, questions, pieces } = JSON.parse(readFileSync(0, "utf8"));
const ask = await engine(readFileSync(module));

function told(question) {
  if (question.ask === "draw") {
    const runs = question.runs.map((one, index) => Object.assign(new Run(ask({ ask: "run", ...one }), one.text), { index, called: one.called }));
    const shown = timeline(pieces, runs);
    return { content: content(pieces, runs, shown), entries: shown.entries.map(({ spec, panel, traces, bands, ...entry }) => entry), table: table(runs) };
  }
  const { json, octets } = ask(question, question.octets && Buffer.from(question.octets, "base64"));
  return { json, octets: Buffer.from(octets).toString("base64") };
}

process.stdout.write(JSON.stringify(questions.map(told)));
