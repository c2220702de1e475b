// A sheet of a class on the page: predict, then measure, then choose why; with points, and a file to hand in.

import { figure } from "./figures.js";
import { graded, handIn } from "./grade.js";
import { element } from "./html.js";
import { number } from "./numbers.js";
import { hand } from "./results.js";

const list = (name, ...items) => element(name, {}, ...items);
const button = (text, does, properties = {}) => {
  const made = element("button", { type: "button", ...properties }, text);
  made.addEventListener("click", does);
  return made;
};

export class Sheet {
  // In its place on the page; `run(set)` makes a run of the sheet's scenario and gives its summary, or nothing where it was ended.
  constructor(place, given, task, run) {
    Object.assign(this, { place, given, task, run, summaries: new Map(), figures: [], inputs: { predicted: {}, measured: {} }, runs: new Map() });
    const numbers = task.questions.filter((one) => one.number);
    const choices = task.questions.filter((one) => !one.number);
    this.expected = button("That is what I expect", () => this.measure());
    this.later = element("fieldset", { disabled: true, className: "later" },
      list("h3", "2. Measure"), this.steps(), list("ol", ...numbers.map((one) => this.measured(one))),
      list("h3", "3. Why?"), ...choices.map((one) => this.choice(one)),
      list("h3", "4. Hand in"),
      element("p", { className: "row" }, button("Save answers.toml", () => this.save()), button("Grade", () => this.grade())));
    this.points = element("div", { className: "points", role: "status" });
    place.replaceChildren(
      element("h2", { tabIndex: -1 }, task.title), list("p", task.goal),
      element("p", { className: "unit" }, `Sheet ${task.name} of ${task.student}: ${task.scenario}, seed ${task.seed}.`),
      list("h3", "1. Predict"),
      list("p", "Run nothing yet. What do you expect? A wrong guess costs no point; a missing one does."),
      list("ol", ...numbers.map((one) => list("li", this.asked("predicted", one, one.ask)))),
      element("p", { className: "row" }, this.expected), this.later, this.points);
    place.querySelector("h2").focus();
  }

  // A field for a number, below what it is.
  asked(table, one, text) {
    const input = element("input", { type: "number", step: "any", required: true });
    this.inputs[table][one.id] = input;
    return element("label", {}, text, element("span", { className: "row" }, input, one.unit || "times, or which part of 1"));
  }

  steps() {
    const runs = this.task.runs.map((one) => {
      const made = button(`Run ${one.name}`, () => this.make(one));
      this.runs.set(one.name, made);
      return list("li", made, ...one.set.map(([key, value]) => list("code", `${key} = ${value}`)));
    });
    const airtimes = Object.entries(this.task.airtimes).map(([name, { rate_mbps: rate, ppdu_us: ppdu, exchange_us: whole }]) =>
      list("li", `${name}: at ${number(rate)} Mbit/s the data frame takes ${number(ppdu)} us, the whole exchange ${number(whole)} us.`));
    return element("ul", { className: "steps" }, ...runs, ...airtimes);
  }

  measured(one) {
    const parts = one.number.filter((part) => typeof part !== "number");
    const shown = element("span", { className: "unit" });
    this.figures.push({ parts, shown });
    this.tell();
    return list("li", this.asked("measured", one, `${one.ask} It is ${one.read.replaceAll("`", "")}.`), shown);
  }

  choice({ id, ask, options }) {
    const offered = options.map(({ letter, text }) => element("label", {}, element("input", { type: "radio", name: id, value: letter }), `${letter}) ${text}`));
    return element("fieldset", { className: "choice" }, list("legend", ask), ...offered);
  }

  // Opens what comes behind the predictions, which stay as they are.
  measure() {
    const missing = Object.values(this.inputs.predicted).find(({ value }) => value === "");
    if (missing) return void missing.reportValidity();
    for (const input of Object.values(this.inputs.predicted)) input.readOnly = true;
    this.expected.disabled = true;
    this.later.disabled = false;
    this.later.querySelector("button").focus();
  }

  async make(one) {
    const summary = await this.run(one);
    if (!summary) return false;
    this.summaries.set(one.name, summary);
    this.runs.get(one.name).dataset.made = "";
    this.tell();
    return true;
  }

  // The figures that runs have shown so far.
  tell() {
    for (const { parts, shown } of this.figures) {
      const values = parts.map((part) => [part, figure(part, this.summaries, this.task.airtimes)]);
      shown.textContent = values.map(([{ metric, of, run }, value]) => `${metric}${of ? ` of ${of}` : ""} in ${run}: ${value === null ? "not run yet" : number(value)}`).join("; ");
    }
  }

  get answers() {
    const filled = (table) => Object.fromEntries(Object.entries(this.inputs[table]).filter(([, { value }]) => value !== "").map(([id, { valueAsNumber }]) => [id, valueAsNumber]));
    const chosen = [...this.place.querySelectorAll("input:checked")].map(({ name, value }) => [name, value]);
    return { predicted: filled("predicted"), measured: filled("measured"), chosen: Object.fromEntries(chosen) };
  }

  save() {
    hand(handIn(this.given, this.task, this.answers), "answers.toml", "application/toml");
  }

  // Makes what has not been run, and shows the points with the reasons.
  async grade() {
    for (const one of this.task.runs) if (!this.summaries.has(one.name) && !(await this.make(one))) return;
    const rows = graded(this.given, this.task, this.answers, this.summaries);
    const got = rows.reduce((sum, { points }) => sum + points, 0);
    const told = ({ id, points, predicted, given, right, unit, said, why }) => element("li", { className: points ? "" : "wrong" },
      list("b", `${id}: ${points ? "a point" : said}. `),
      `Right is ${typeof right === "number" ? number(right) : `${right})`}${unit ? ` ${unit}` : ""}${given === undefined ? "" : `, you have ${given}`}${predicted === undefined ? "" : `, you expected ${predicted}`}.`,
      list("p", why));
    this.points.replaceChildren(list("h3", `${got} of ${rows.length} points`), list("ul", ...rows.map(told)));
  }
}
