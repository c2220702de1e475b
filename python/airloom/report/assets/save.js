// Saving a chart: as a picture that stands alone, or as the table of its data. What a chart needs for that lies in its
// specification's `usermeta.airloom` (report/standalone.py). A page's script offers it for each chart that it draws.

const SCALE = 3; // Pixels of a PNG for each of the chart's.
const NARROWEST = 560;

// The colours of the light page, whatever the page shows now: a saved chart is white. A canvas writes each so that any
// program knows it.
const light = [...document.styleSheets[0].cssRules].find((rule) => rule.selectorText === ":root").style;
const brush = document.createElement("canvas").getContext("2d");

function literal(name) {
  brush.fillStyle = "black";
  brush.fillStyle = light.getPropertyValue(name);
  return brush.fillStyle;
}

// A second view: the chart with a title, units and a legend, at the span of time that the first one shows.
async function alone(spec, view) {
  const made = JSON.parse(JSON.stringify(spec).replace(/var\((--[\w-]+)\)/g, (_, name) => literal(name)));
  for (const [place, value] of made.usermeta.airloom.changes) {
    place.slice(0, -1).reduce((inner, step) => inner[step], made)[place.at(-1)] = value;
  }
  const { origin } = JSON.parse(document.getElementById("content").textContent);
  if (origin && made.title) made.title.subtitle = [...(made.title.subtitle ?? []), origin];
  made.width = Math.max(NARROWEST, view.width());
  for (const param of made.params ?? []) param.value = view.signal(param.name);
  return (await window.vegaEmbed(document.createElement("div"), made, { renderer: "svg", actions: false, tooltip: false, ast: true, defaultStyle: false })).view;
}

function table({ usermeta, datasets }) {
  const { columns } = usermeta.airloom;
  const needed = columns.filter(([, , otherwise]) => otherwise === null);
  const rows = Object.values(datasets).filter(([row]) => row && needed.every(([field]) => field in row)).flat();
  const cell = (value) => (/[",\n\r]/.test(value ?? "") ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ""));
  const lines = rows.filter((row) => !row.end_of_line).map((row) => columns.map(([field, , otherwise]) => row[field] ?? (field in row ? "" : otherwise)));
  return [columns.map(([, title]) => title), ...lines].map((line) => `${line.map(cell).join(",")}\n`).join("");
}

const FORMATS = {
  SVG: async (spec, view) => new Blob([await (await alone(spec, view)).toSVG()], { type: "image/svg+xml" }),
  PNG: async (spec, view) => {
    const drawn = await (await alone(spec, view)).toCanvas(SCALE);
    return new Promise((done) => drawn.toBlob(done, "image/png"));
  },
  CSV: async (spec) => new Blob([table(spec)], { type: "text/csv" }),
};

function hand(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Puts the menu of a chart first into a place, such as the text beside the chart.
window.offerToSave = (place, view, spec) => {
  const about = spec.usermeta?.airloom;
  if (!about) return;
  const menu = document.createElement("details");
  menu.className = "save";
  const head = document.createElement("summary");
  head.textContent = "Save";
  head.setAttribute("aria-label", `Save ${about.title}`);
  const formats = document.createElement("div");
  formats.className = "formats";
  menu.append(head, formats);
  for (const [format, make] of Object.entries(FORMATS)) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: format });
    button.addEventListener("click", async () => {
      hand(await make(spec, view), `${about.name}.${format.toLowerCase()}`);
      menu.open = false;
      head.focus();
    });
    formats.append(button);
  }
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    head.focus();
  });
  addEventListener("pointerdown", ({ target }) => { menu.open &&= menu.contains(target); });
  menu.addEventListener("focusout", ({ relatedTarget }) => { if (relatedTarget) menu.open &&= menu.contains(relatedTarget); });
  place.prepend(menu);
};
