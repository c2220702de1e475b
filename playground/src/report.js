// The page of a run's charts, as the report page has them: its style, its library and its scripts around our data.

import { escaped } from "./html.js";
import { content, timeline } from "./timeline.js";

// The page as HTML; `parts` are the report page's style and scripts.
export function report(parts, pieces, runs) {
  const shown = timeline(pieces, runs);
  const { duration, entries, scanned, crowded } = shown;
  const json = JSON.stringify(content(pieces, runs, shown)).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${escaped(runs[0].summary.title)} - airloom</title><style>${parts.style}</style></head>
<body class="charts"><main><section id="timeline" aria-label="Every layer on one time axis">
<p class="caption">From the application at the top down to the air.${scanned ? " Each shaded band is one scan." : ""} Beside a chart stand the means of the time that it shows${scanned ? ' and, <span class="scanning">tinted</span>, those within scans' : ""}.</p>
<nav class="toolbar" aria-label="Time span"><div class="chips">${chips(runs, duration)}</div><output class="span" aria-live="polite"></output>
<div class="navigator" aria-hidden="true"><div class="bands"></div><div class="window"><i></i><i></i></div></div></nav>
${runs.length > 1 ? `<p class="runs-key">${runs.map(({ index, called }) => `<span><i class="swatch" style="--colour: var(--hue-${index})"></i>${escaped(called)}</span>`).join("")}</p>` : ""}
<div class="panels${crowded ? " crowded" : ""}">${entries.map((entry) => panel(entry, crowded)).join("")}</div>
<p class="hint"><span class="mouse">Drag across a chart to zoom, hold Shift to pan, double-click for the whole run.</span><span class="touch">Swipe sideways to pan, pinch to zoom, tap twice for the whole run.</span> A click on a name hides its line and shows it again.</p>
</section></main>
<script type="application/json" id="content">${json}<\/script>
${parts.scripts.map((script) => `<script type="module">${script}<\/script>`).join("\n")}
</body></html>`;
}

const FEW = 8; // Scans that have a button each.

function chips(runs, duration) {
  const scans = runs.flatMap(({ summary }) => summary.scans).slice(0, FEW);
  const chip = (from, to, text) => `<button type="button" class="chip" data-from="${from}" data-to="${to}">${text}</button>`;
  const each = scans.map(({ start_s: start, end_s: end }, place) => chip(Math.max(0, start - 4), (end ?? duration) + 5, `Scan ${place + 1}<small>${start.toFixed(0)} s</small>`));
  return [chip(0, duration, "Whole run"), ...each].join("");
}

// A panel's markup (report/assets/panel.html.j2).
function panel(entry, crowded) {
  const { id, facet, continued, last, title, caption, legend } = entry;
  const classes = ["panel", last && "last", facet && "facet", continued && "continued"].filter(Boolean).join(" ");
  const of = facet && (legend.length > 1 || legend[0].label !== facet) ? `<span class="of">${escaped(facet)}</span>` : "";
  const unit = escaped(entry.panel.unit);
  const label = `${title}${facet ? ` of ${facet}` : ""} over time${unit ? `, in ${entry.panel.unit}` : ""}. ${caption}`;
  return `<article class="${classes}" id="panel-${escaped(id)}"><div class="about">
<h3${crowded ? ` title="${escaped(caption)}"` : ""}>${continued ? "" : `${escaped(title)} <small>${unit}</small>`}${of}</h3>
<ul class="readout">${legend.map(line).join("")}</ul>${continued || crowded ? "" : `<p class="why">${escaped(caption)}</p>`}</div>
<div class="plot" tabindex="0" role="img" aria-label="${escaped(label)}"><div class="view"></div><div class="cursor" hidden></div><div class="brush" hidden></div></div></article>`;
}

function line({ label, colour, quantity, opacity, mean, scanning }) {
  const band = opacity !== undefined;
  const swatch = `<i class="swatch q${quantity}${band ? " band" : ""}" style="--colour: ${colour}${band ? `; opacity: ${2 * opacity}` : ""}"></i>`;
  const within = scanning === null ? "" : `<span class="scanning" title="mean within scans">${scanning}</span>`;
  return `<li${band ? ' class="of-band"' : ""}><button type="button" aria-pressed="true" title="hide or show">${swatch}<span class="name">${escaped(label)}</span></button><b class="now" hidden></b><b class="means"><span class="mean">${mean}</span>${within}</b></li>`;
}
