// What can be written at a place of a scenario: the keys of its table, or the words of a key (the engine's JSON Schema).

const HEADER = /^\s*\[\[?\s*([\w.\s-]+?)\s*\]\]?\s*(#.*)?$/;
const ASSIGNED = /([\w-]+)\s*=\s*("[^"]*|[\w.+-]*)$/;
const BEGUN = /(?:^|[{,])\s*([\w-]*)$/;

// The table that a line belongs to, as the names on the way to it.
function tableAt(lines, line) {
  for (let at = line; at >= 0; at -= 1) {
    const header = lines[at].match(HEADER);
    if (header) return header[1].split(".").map((name) => name.trim());
  }
  return [];
}

// The keys of the inline tables that are open at the end of a text.
function opened(text) {
  const names = [];
  const bare = text.replace(/"[^"]*"/g, (quoted) => '"'.padEnd(quoted.length - 1, "_") + '"');
  for (const [, name, brace] of bare.matchAll(/([\w-]+)\s*=\s*(?=\{)|([{}])/g)) {
    if (name) names.push(name);
    else if (brace === "}") names.pop();
  }
  return names;
}

// The forms that a schema has: itself, those of its items, and those it can choose between.
function forms(schema) {
  if (!schema || typeof schema !== "object") return [];
  const further = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])];
  return [schema, ...further.flatMap(forms)];
}

const within = (schema, name) => forms(schema).map(({ properties }) => properties?.[name]).find(Boolean);

const words = (schema) => [...new Set(forms(schema).flatMap((form) => [...(form.enum ?? []), ...("const" in form ? [form.const] : []), ...(form.examples ?? [])]))]
  .filter((word) => typeof word !== "object");

const written = (word) => (typeof word === "string" ? `"${word}"` : String(word));

// What can stand at the end of `before`, the text up to the caret: each with its words, and with how many letters of it are there.
export function possible(schema, before) {
  const lines = before.split("\n");
  const line = lines.at(-1);
  if ((line.replace(/\\"/g, "").match(/"/g)?.length ?? 0) % 2 === 0 && line.includes("#")) return [];
  const header = line.match(/^\s*\[\[?([\w.-]*)$/);
  if (header) return tables(schema, header[1]);
  const table = [...tableAt(lines, lines.length - 2), ...opened(line)].reduce(within, schema);
  const assigned = line.match(ASSIGNED);
  if (assigned) {
    const typed = assigned[2];
    return words(within(table, assigned[1])).map(written).filter((word) => word.startsWith(typed) && word !== typed)
      .map((word) => ({ word, typed: typed.length, about: "" }));
  }
  const begun = line.match(BEGUN);
  if (!begun) return [];
  return forms(table).flatMap(({ properties = {}, required = [] }) => Object.entries(properties)
    .filter(([name, own]) => name.startsWith(begun[1]) && name !== begun[1] && !(table === schema && isTable(own)))
    .map(([name, { description = "" }]) => ({ word: `${name} = `, typed: begun[1].length, about: `${required.includes(name) ? "needed. " : ""}${description}` })));
}

const isTable = (schema) => forms(schema).some(({ properties }) => properties);

function tables({ properties }, typed) {
  return Object.entries(properties).filter(([name, own]) => isTable(own) && name.startsWith(typed))
    .map(([name, own]) => ({ word: name + (own.type === "array" ? "]]" : "]"), typed: typed.length, about: own.description ?? "" }));
}

// The numbers of a text, each with its key and where it stands: what the slider can move. A key of a few words is none.
export function numbers(schema, text) {
  const found = [];
  let table = "";
  let name = "";
  let start = 0;
  for (const line of text.split("\n")) {
    const header = line.match(HEADER);
    if (header) [table, name] = [header[1], ""];
    const named = line.match(/^\s*name\s*=\s*"([^"]*)"/);
    if (named) [, name] = named;
    const bare = line.replace(/#(?=[^"]*$).*/, "");
    for (const one of bare.matchAll(/([\w-]+)\s*=\s*("?)(\d+(?:\.\d+)?)(\s*[A-Za-zµ%][\w/%]*)?\2(?=\s*(?:[,}]|$))/g)) {
      const [all, key, , digits, unit = ""] = one;
      const from = start + one.index + all.indexOf(digits, all.indexOf("=") + 1);
      const way = [...opened(bare.slice(0, one.index)), key];
      if (way[0] === "seed") continue; // It has a place of its own on the page.
      if (forms([...table.split("."), ...way].filter(Boolean).reduce(within, schema)).some((form) => form.enum)) continue;
      found.push({ label: [table, name, way.join(".")].filter(Boolean).join(" "), value: Number(digits), unit: unit.trim(), from, to: from + digits.length });
    }
    start += line.length + 1;
  }
  return found;
}
