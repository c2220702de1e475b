// What the rules find in captures that were dropped on the page.

import { element } from "./html.js";

const MOST = 200e6; // Octets of captures: what the rules keep of them takes memory too.

// Reads files as one question's octets; files that are too large are an error.
export async function question(files) {
  const all = [...files];
  const whole = all.reduce((sum, { size }) => sum + size, 0);
  if (whole > MOST) throw new Error(`${Math.round(whole / 1e6)} MB of captures are more than a page can read (${MOST / 1e6} MB): \`airloom diagnose\` reads any`);
  const octets = new Uint8Array(await new Blob(all).arrayBuffer());
  return [{ ask: "diagnose", files: all.map(({ name, size }) => ({ name, length: size })) }, octets];
}

export function findings(place, { json }, files) {
  const names = [...files].map(({ name }) => name).join(", ");
  if (json.error) return place.replaceChildren(element("p", { className: "bad" }, json.error));
  const found = json.findings.map(({ code, name, subject, says, means, remedy }) => element("li", {},
    element("h3", {}, element("b", {}, code), ` ${name}: ${subject}`), element("p", {}, says), element("p", {}, means), element("p", { className: "unit" }, remedy)));
  place.replaceChildren(
    element("p", {}, found.length ? `${names}: found, what costs most first` : `${names}: nothing was found.`),
    element("ol", {}, ...found),
  );
}
