// The points of a sheet (lab/grade.py), and the file that is handed in (lab/text.py).

import { valueOf } from "./figures.js";

// Each question with its point, or why there is none; `answers` has tables `predicted`, `measured` and `chosen`.
export function graded(given, task, answers, summaries) {
  return task.questions.map((one) => {
    const right = one.number ? valueOf(one.number, summaries, task.airtimes) : one.right;
    const said = fault(given, one, answers, right);
    return { id: one.id, points: said ? 0 : 1, predicted: answers.predicted[one.id], given: (one.number ? answers.measured : answers.chosen)[one.id], right, unit: one.unit, said, why: one.why };
  });
}

function fault({ least }, one, { predicted, measured, chosen }, right) {
  const answer = (one.number ? measured : chosen)[one.id];
  if (answer === undefined) return "not answered";
  if (!one.number) return answer === right ? "" : `${answer} is wrong`;
  if (predicted[one.id] === undefined) return "no prediction";
  return Math.abs(answer - right) <= Math.max(one.tolerance * Math.abs(right), least) ? "" : `${answer} is not what the run shows`;
}

// What `airloom lab check` grades.
export function handIn({ results }, task, answers) {
  const table = (name, has) => [`[${name}]`, ...task.questions.filter(has).map(({ id }) => `${id} = ${JSON.stringify(answers[name][id] ?? "")}`)];
  const [number, choice] = [(one) => one.number, (one) => !one.number];
  const head = [`sheet = ${JSON.stringify(task.name)}`, `student = ${JSON.stringify(task.student)}`, `results_version = ${results}`];
  const parts = [head, table("predicted", number), table("measured", number), table("chosen", choice)];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
