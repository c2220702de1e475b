// The checker's messages beside the editor: each leads to its place.

import { element } from "./html.js";

const KINDS = { mistakes: "mistake", warnings: "warning", notes: "note" };

export function messages(place, editor, told) {
  const found = Object.entries(KINDS).flatMap(([key, kind]) => (told[key] ?? []).map((one) => ({ kind, ...one })));
  editor.mark(found.filter(({ kind, setting }) => kind === "mistake" && !setting).map(({ line }) => line));
  place.replaceChildren(...found.map((one) => element("li", { className: one.kind }, at(one, editor), element("span", {}, one.message), one.hint ? element("small", {}, one.hint) : null)));
}

function at({ kind, line, column, setting }, editor) {
  if (setting) return element("b", {}, `${kind}, ${setting}`);
  const button = element("button", { type: "button" }, `${kind} in line ${line}`);
  button.addEventListener("click", () => editor.go(line, column));
  return button;
}
