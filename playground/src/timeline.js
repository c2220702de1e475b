// The timeline of one run or of several, as the report page's script draws it (report/page.py, report/entries.py).

import { chart } from "./charts.js";
import { number, rounded } from "./numbers.js";
import { plots } from "./plots.js";

const LEGEND = 6; // Lines of a plot whose names stand one below the other.

// The plots of all panels that have something to show, each with its chart and with what stands beside it.
export function timeline(pieces, runs) {
  const duration = Math.max(...runs.map(({ summary }) => summary.duration_s));
  const found = pieces.panels.flatMap((panel) => plots(panel, runs));
  const low = found.some(({ bands }) => bands.length);
  const scanned = runs.some(({ summary }) => summary.scans.length);
  const entries = found.map((plot, place) => {
    const { panel, traces, bands } = plot;
    const continued = place > 0 && found[place - 1].panel === panel;
    const last = place === found.length - 1;
    return {
      ...plot, last, id: continued ? `${panel.id}-${place}` : panel.id,
      crowded: low || traces.length > LEGEND,
      continued: continued && found[place - 1].title === plot.title,
      caption: panel.caption + (scanned && panel.in_scans ? ` ${panel.in_scans}` : ""),
      legend: [...traces.map((trace) => legend(panel, trace)), ...bands.map(ofBand)],
      spec: chart(pieces, plot, runs, duration, { low, axis: last }),
    };
  });
  return { duration, entries, scanned, crowded: entries.some(({ crowded }) => crowded) };
}

// What the script of the page needs.
export function content(pieces, runs, { duration, entries }) {
  const keys = ["label", "colour", "values", "start", "bin", "weights"];
  const line = (one) => Object.fromEntries(keys.filter((key) => key in one).map((key) => [key, one[key]]));
  return {
    duration, left: pieces.left, right: pieces.right,
    scans: runs.flatMap(({ index, summary }) => summary.scans.map((scan) => ({ start: scan.start_s, end: scan.end_s || duration, run: index }))),
    panels: entries.map(({ id, spec, legend: lines }) => ({ id, spec, lines: lines.map(line) })),
    distributions: [],
    detail: { charts: [], windows: [], kinds: [], bin: 0 },
  };
}

function legend({ percent }, trace) {
  const scale = percent ? 100 : 1;
  const { label, colour, quantity, series } = trace;
  return {
    label, colour, quantity,
    mean: number(scale * trace.mean),
    scanning: Number.isNaN(trace.scanning) ? null : number(scale * trace.scanning),
    values: series.values.map((value) => rounded(scale * value, 4)),
    start: series.times[0], bin: series.width,
    ...(trace.weights ? { weights: trace.weights.map((weight) => rounded(weight, 4)) } : {}),
  };
}

const ofBand = ({ label, colour, opacity }) => ({ label, colour, opacity, quantity: 0, mean: "", scanning: null, values: null, start: 0, bin: 1 });
