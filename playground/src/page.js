// The page: it joins editor, engine and results.

import { Desk } from "./desk.js";
import { Editor } from "./editor.js";
import { findings, question } from "./findings.js";
import { element } from "./html.js";
import { fragment, fromBase64, held, inflated } from "./link.js";
import { messages } from "./messages.js";
import { hand, show } from "./results.js";
import { Run, called } from "./run.js";
import { Sheet } from "./sheet.js";
import { Slider } from "./slider.js";
import { isStudent } from "./student.js";
import { task } from "./task.js";

const PAUSE = 250; // ms of no typing before the text is checked.
const LONG = 8; // s after which the page says what takes long.
const SHEET = "#lab="; // What an address has before `NAME/STUDENT` of a sheet.

const at = (id) => document.getElementById(id);
const given = JSON.parse(at("given").textContent);
const { examples, pieces, parts, lab } = given;

const editor = new Editor({ area: at("text"), lines: at("lines"), offers: at("offers") });
let [checker, runner] = [null, null];
let schema = null;
let checking = null;
let [shown, kept, ran] = [null, null, 0];

const asked = () => ({ text: editor.text, ...(at("seed").value === "" ? {} : { seed: Number(at("seed").value) }) });

function say(text, bad = false) {
  at("status").textContent = text;
  at("status").classList.toggle("bad", bad);
}

async function check() {
  if (!schema) return; // A question ends the one before it, and the page begins with that for the schema.
  const told = await checker.ask({ ask: "check", ...asked() });
  if (!told) return;
  messages(at("messages"), editor, told.json);
  const wrong = told.json.mistakes.length;
  at("checked").textContent = wrong ? `${wrong} ${wrong === 1 ? "mistake" : "mistakes"}` : "The scenario is fine.";
  slider.list(schema);
}

function changed() {
  clearTimeout(checking);
  checking = setTimeout(() => check().catch((error) => say(error.message, true)), PAUSE);
}

const slider = new Slider({ key: at("key"), range: at("range"), said: at("value") }, editor, () => {
  changed();
  clearTimeout(slider.waits);
  slider.waits = setTimeout(run, PAUSE);
});

function busy(is, what = "") {
  at("run").disabled = is;
  at("cancel").disabled = !is;
  at("progress").hidden = !is;
  at("progress").value = 0;
  at("progress").setAttribute("aria-label", what);
}

// Asks the runner, with its progress shown; nothing if it was ended.
async function work(what, question, octets) {
  busy(true, what);
  say(`${what} ...`);
  const begin = performance.now();
  const progress = (share) => {
    at("progress").value = share;
    const seconds = (performance.now() - begin) / 1000;
    if (seconds > LONG && share > 0) say(`${what}: ${Math.round(100 * share)} %, about ${Math.ceil(seconds / share - seconds)} s more; Cancel ends it.`);
  };
  try {
    const answer = await runner.ask(question, { octets, progress });
    if (!answer) return null;
    return { ...answer, seconds: (performance.now() - begin) / 1000 };
  } finally {
    if (!runner.asked) busy(false);
  }
}

const run = () => make(asked());

// Runs a scenario and shows it; gives its summary, or nothing if there is none.
async function make(scenario) {
  try {
    const answer = await work("Running", { ask: "run", ...scenario });
    if (!answer) return null;
    const { json, seconds } = answer;
    if (json.mistakes) say("Not run: the scenario has mistakes, which stand below it.", true);
    else if (json.error) say([json.error, json.hint].filter(Boolean).join(": "), true);
    else {
      draw(new Run(answer, scenario.text));
      say(`${json.summary.duration_s} s of it took ${seconds.toFixed(2)} s here.`);
      return json.summary;
    }
  } catch (error) {
    say(`Not run: ${error.message}`, true);
  }
  return null;
}

// Opens a sheet of a class; its runs are of the scenario as the sheet has it, whatever becomes of the text.
async function sheet(name, student) {
  if (!lab.sheets.some((one) => one.name === name)) throw new Error(`there is no sheet ${name} here`);
  if (!isStudent(student)) throw new Error("an ID has up to 64 letters, digits and any of . _ @ + -, and begins with a letter or a digit");
  if (!globalThis.crypto?.subtle) throw new Error("a sheet needs this page from a file or over https: elsewhere browsers compute no SHA-256");
  const own = await task(lab, name, student);
  const { text, name: example } = examples.find((one) => own.scenario === `${one.name}.toml`);
  at("example").value = example;
  load({ text, seed: own.seed });
  at("sheet").hidden = false;
  at("sheets").value = name;
  at("student").value = student;
  new Sheet(at("sheet"), lab, own, ({ set }) => make({ text, set, seed: own.seed }));
}

function begun(event) {
  event.preventDefault();
  const [name, student] = [at("sheets").value, at("student").value];
  sheet(name, student).then(() => history.replaceState(null, "", `${SHEET}${name}/${encodeURIComponent(student)}`), (error) => say(error.message, true));
}

// Shows a run, beside the one that was kept if there is one.
function draw(one) {
  shown = one;
  const runs = kept ? [kept, one] : [one];
  const names = called(runs);
  runs.forEach((each, index) => { Object.assign(each, { index, called: names[index] }); });
  at("results").hidden = false;
  at("keep").disabled = false;
  show(at("results"), parts, pieces, runs);
  ran += 1;
  document.documentElement.dataset.ran = ran;
}

function keep() {
  const keeps = at("keep").getAttribute("aria-pressed") !== "true";
  kept = keeps ? shown : null;
  at("keep").setAttribute("aria-pressed", keeps);
  if (!keeps) draw(shown);
  say(keeps ? "This run is kept: the next ones are shown beside it." : "");
}

async function captures() {
  try {
    const answer = await work("Running for its captures", { ask: "captures", ...asked() });
    if (!answer) return;
    const { json, octets } = answer;
    if (!json.files) return say(json.error ?? "Not run: the scenario has mistakes.", true);
    let from = 0;
    at("files").replaceChildren(...json.files.map(({ name, length }) => {
      const file = octets.subarray(from, from + length);
      from += length;
      const button = element("button", { type: "button" }, `${name}, ${(length / 1e6).toFixed(1)} MB`);
      button.addEventListener("click", () => hand(file, name, "application/x-pcapng"));
      return element("li", {}, button);
    }));
    say("Captures, as Wireshark reads them: each button saves one.");
    at("files").querySelector("button")?.focus();
  } catch (error) {
    say(error.message, true);
  }
}

async function diagnose(files) {
  if (!files.length) return;
  try {
    const answer = await work("Reading captures", ...(await question(files)));
    if (!answer) return;
    at("diagnosis").hidden = false;
    findings(at("findings"), answer, files);
    at("diagnosis").scrollIntoView({ block: "start" });
    say("Read here: nothing left this machine.");
  } catch (error) {
    say(error.message, true);
  }
}

async function link() {
  const hash = await fragment(asked());
  history.replaceState(null, "", hash);
  const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  say(copied ? "A link with this scenario is copied, and in the address of this page." : "The address of this page now holds this scenario: copy it.");
}

function load({ text, seed }) {
  editor.text = text;
  at("seed").value = seed ?? "";
  at("files").replaceChildren();
  changed();
}

function choose() {
  load(examples.find(({ name }) => name === at("example").value));
  history.replaceState(null, "", location.pathname + location.search);
}

function listen() {
  const on = (id, event, does) => at(id).addEventListener(event, does);
  on("text", "input", changed);
  on("seed", "input", changed);
  on("run", "click", run);
  on("cancel", "click", () => { runner.end(); busy(false); say("Ended."); });
  on("keep", "click", keep);
  on("link", "click", link);
  on("captures", "click", captures);
  on("save", "click", () => hand(editor.text, "scenario.toml", "application/toml"));
  on("summary", "click", () => hand(`${JSON.stringify(shown.summary, null, 2)}\n`, "summary.json", "application/json"));
  on("example", "change", choose);
  on("lab", "submit", begun);
  on("capture", "change", ({ target }) => diagnose(target.files));
  addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !at("run").disabled) run();
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => { event.preventDefault(); diagnose(event.dataTransfer.files); });
  addEventListener("hashchange", () => open().catch((error) => say(error.message, true)));
}

// What the address holds; without that, the example that is chosen.
async function open() {
  if (location.hash.startsWith(SHEET)) return sheet(...location.hash.slice(SHEET.length).split("/").map(decodeURIComponent));
  load((await held(location.hash)) ?? examples.find(({ name }) => name === at("example").value));
}

async function begin() {
  const embedded = new URLSearchParams(location.search).has("embed");
  document.documentElement.classList.toggle("embed", embedded);
  listen();
  let wrong = "";
  await open().catch((error) => {
    wrong = error.message;
    load(examples[0]);
  });
  const module = await WebAssembly.compile(await inflated(fromBase64(at("module").textContent), "gzip"));
  [checker, runner] = [new Desk(module, given.worker), new Desk(module, given.worker)];
  schema = JSON.parse(new TextDecoder().decode((await checker.ask({ ask: "schema" })).octets));
  editor.schema = schema;
  busy(false);
  say(wrong, Boolean(wrong));
  await check();
  document.documentElement.dataset.ready = "true";
  if (embedded) await run();
}

begin().catch((error) => say(`The engine does not start here: ${error.message}. It needs a browser of 2023 or later.`, true));
