// Asks the playground's engine, and draws with the playground's code: questions from standard input, answers to standard output.

import { readFileSync } from "node:fs";
import { engine } from "../playground/src/engine.js";
import { valueOf } from "../playground/src/figures.js";
import { graded, handIn } from "../playground/src/grade.js";
import { Run } from "../playground/src/run.js";
import { content, timeline } from "../playground/src/timeline.js";
import { table } from "../playground/src/table.js";
import { task } from "../playground/src/task.js";

const { module, questions, pieces, lab } = JSON.parse(readFileSync(0, "utf8"));
const ask = await engine(readFileSync(module));

// A sheet of a student: its task, its right answers, and what becomes of answers that are all right.
async function sheet({ name, student, text }) {
  const own = await task(lab, name, student);
  const { runs, questions: asked, airtimes } = own;
  const summaries = new Map(runs.map(({ name: run, set }) => [run, ask({ ask: "run", text, set, seed: own.seed }).json.summary]));
  const right = asked.filter((one) => one.number).map((one) => [one.id, valueOf(one.number, summaries, airtimes)]);
  const chosen = asked.filter((one) => !one.number).map((one) => [one.id, one.right]);
  const answers = { predicted: Object.fromEntries(right), measured: Object.fromEntries(right), chosen: Object.fromEntries(chosen) };
  return { task: own, answers, points: graded(lab, own, answers, summaries), none: graded(lab, own, { predicted: {}, measured: {}, chosen: {} }, summaries), handIn: handIn(lab, own, answers) };
}

function told(question) {
  if (question.ask === "sheet") return sheet(question);
  if (question.ask === "draw") {
    const runs = question.runs.map((one, index) => Object.assign(new Run(ask({ ask: "run", ...one }), one.text), { index, called: one.called }));
    const shown = timeline(pieces, runs);
    return { content: content(pieces, runs, shown), entries: shown.entries.map(({ spec, panel, traces, bands, ...entry }) => entry), table: table(runs) };
  }
  const { json, octets } = ask(question, question.octets && Buffer.from(question.octets, "base64"));
  return { json, octets: Buffer.from(octets).toString("base64") };
}

process.stdout.write(JSON.stringify(await Promise.all(questions.map(told))));
