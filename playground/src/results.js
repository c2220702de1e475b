// What came of a run: the table of its flows, its charts, and what can be taken away.

import { element } from "./html.js";
import { report } from "./report.js";
import { table } from "./table.js";

// Shows runs in their place on the page.
export function show(place, parts, pieces, runs) {
  const { summary } = runs.at(-1);
  place.querySelector(".told").textContent = `${summary.title}: ${summary.duration_s} s, seed ${summary.seed}.`;
  const warnings = summary.warnings.map((one) => element("li", {}, one.message, one.hint ? element("small", {}, one.hint) : null));
  place.querySelector(".warned").replaceChildren(...warnings);
  place.querySelector(".flows").replaceChildren(flows(table(runs)));
  charts(place.querySelector(".charts"), report(parts, pieces, runs));
}

function flows({ columns, rows, left }) {
  const head = columns.map(({ title, unit }) => element("th", { scope: "col", className: "n" }, title, element("small", {}, unit)));
  const several = rows.some(({ of }) => of);
  const body = rows.map(({ name, of, note, colour, values }) => {
    const swatch = element("i", { className: "swatch", "aria-hidden": "true" });
    swatch.style.setProperty("--colour", colour);
    const first = element("th", { scope: "row" }, swatch, several ? `${name}, ${of} ` : `${name} `, element("small", { className: "unit" }, note));
    return element("tr", {}, first, ...values.map((value) => element("td", { className: "n" }, value)));
  });
  return element("table", { className: "figures" },
    element("caption", {}, left ? `Flows of the whole run, and ${left}.` : "Flows of the whole run."),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Flow"), ...head)),
    element("tbody", {}, ...body));
}

// Puts a page into a frame that is as high as it.
function charts(frame, page) {
  frame.addEventListener("load", () => {
    const { documentElement: root, body } = frame.contentDocument;
    new ResizeObserver(() => { frame.style.height = `${Math.ceil(body.getBoundingClientRect().height)}px`; }).observe(body);
    root.style.overflowY = "hidden";
  }, { once: true });
  frame.hidden = false;
  frame.srcdoc = page;
}

// Hands a file to whoever reads the page.
export function hand(octets, name, type) {
  const link = element("a", { href: URL.createObjectURL(new Blob([octets], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
