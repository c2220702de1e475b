// A sheet with what one student drew (lab/task.py): runs with their settings, and questions.

import { filled, seed, shuffled, values } from "./student.js";
import { quantity } from "./figures.js";

// A value as TOML has it in one line.
function inline(value) {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value === "object") return `{ ${Object.entries(value).map(([key, one]) => `${key} = ${inline(one)}`).join(", ")} }`;
  return JSON.stringify(value);
}

// What a student does of a sheet; `given` has all sheets, and by which rules they are graded.
export async function task(given, name, student) {
  const { draw, airtimes, ...whole } = given.sheets.find((one) => one.name === name);
  const got = await values(name, student, draw);
  const sheet = filled(whole, got);
  const runs = Object.entries(sheet.run).map(([run, { set = {} }]) => ({
    name: run, set: Object.entries({ ...sheet.set, ...set }).map(([key, value]) => [key, inline(value)]),
  }));
  const parts = airtimes.find(({ drawn }) => Object.entries(drawn).every(([key, value]) => got[key] === value))?.parts ?? {};
  const questions = await Promise.all(sheet.question.map((one) => question(given, name, student, one)));
  return { name, student, title: sheet.title, goal: sheet.goal, scenario: sheet.scenario, seed: await seed(name, student), runs, airtimes: parts, questions };
}

async function question(given, name, student, { id, ask, why, number, read, unit = "", tolerance = given.tolerance, right, wrong }) {
  if (number) return { id, ask, why, unit, read, tolerance, number: quantity(number) };
  const options = await shuffled(name, student, id, [right, ...wrong]);
  return { id, ask, why, unit, options: options.map((text, at) => ({ letter: given.letters[at], text })), right: given.letters[options.indexOf(right)] };
}
