// A plot as a chart of Vega-Lite. How one looks is said by the report page's own code (report/chart.py), whose pieces
// playground/pieces.py writes down; here they get their data.

import { ceiling, rounded } from "./numbers.js";
import { associations, colours, hue, NODE } from "./run.js";

const SMALLEST = 0.01; // No axis ends below this.

// A piece with other values at some places.
function piece(template, changes) {
  const made = structuredClone(template);
  for (const [place, value] of Object.entries(changes)) {
    const way = place.split(".");
    const last = way.pop();
    way.reduce((inner, step) => inner[step], made)[last] = value;
  }
  return made;
}

// The chart of a plot; `axis` is whether its axis of time has labels, `low` whether the page has many plots.
export function chart(pieces, plot, runs, duration, { low, axis }) {
  const datasets = {};
  const layer = (template, rows, changes = {}) => {
    const name = `data-${Object.keys(datasets).length}`;
    datasets[name] = rows;
    const time = { "data.name": name, "encoding.x.scale.domain": [0, duration], "encoding.x.axis.labels": axis };
    return piece(template, { ...time, ...changes });
  };
  const layers = [...shade(pieces, runs, duration, layer), ...draw(pieces, plot, layer), ...served(pieces, runs, layer)];
  const frame = structuredClone(axis ? pieces.frame : pieces.plain);
  frame.params.find(({ name }) => name === "t1").value = duration;
  return { ...frame, height: low ? pieces.low : plot.facet ? pieces.facet : pieces.height, layer: layers, datasets };
}

// The scans as bands, and each time away as a stripe within; of several runs each has a lane of its hue at the top.
function shade(pieces, runs, duration, layer) {
  const scanned = runs.filter(({ summary }) => summary.scans.length);
  return scanned.flatMap(({ summary: { scans }, index }, lane) => {
    const bands = scans.map((scan) => ({ t: scan.start_s, end: scan.end_s || duration }));
    const trips = scans.flatMap((scan) => scan.trips).map((trip) => ({ t: trip.leaving_s, end: trip.home_s || duration }));
    const opacity = { "mark.opacity": 1 / scanned.length };
    const layers = [layer(pieces.band_of_time, bands, { name: `scans_${index}`, ...opacity })];
    if (trips.length) layers.push(layer(pieces.band_of_time, trips, { name: `away_${index}`, ...opacity }));
    if (runs.length > 1) {
      const top = pieces.lane_height * lane;
      const where = { "encoding.y.value": top, "encoding.y2.value": top + pieces.lane_height - 1 };
      layers.push(layer(pieces.lane, bands, { name: `lane_${index}`, "mark.color": hue(index), ...where }));
    }
    return layers;
  });
}

// At the foot a lane for each run that roams: a band for each association, in the access point's hue.
function served(pieces, runs, layer) {
  const roaming = runs.filter(({ summary }) => summary.roams?.length).map((run) => [run, associations(run)]);
  const hues = new Map(roaming.flatMap(([run, found]) => found.map(({ point }) => [point, colours(run).nodes.get(point) ?? NODE])));
  return roaming.map(([{ index }, found], lane) => {
    const rows = found.map(({ start, end, point }) => ({ t: start, end, k: point }));
    const where = { "mark.yOffset": 1 - pieces.lane_height * (lane + 1), "mark.y2Offset": -pieces.lane_height * lane };
    const scale = { "encoding.color.scale.domain": [...hues.keys()], "encoding.color.scale.range": [...hues.values()] };
    return layer(pieces.served, rows, { name: `served_${index}`, ...where, ...scale });
  });
}

// The bands, and the lines before them; a lone line gets a light area beneath if its axis begins at zero.
function draw(pieces, { panel, traces, bands }, layer) {
  const scale = panel.percent ? 100 : 1;
  const highest = [...traces.map(({ series }) => scale * series.max()), ...bands.map(({ high }) => scale * high.max())];
  const lowest = traces.map(({ series }) => series.min()).filter((low) => low < 0).map((low) => -scale * low);
  const [low, top] = [lowest.length ? -ceiling(lowest) : 0, Math.max(SMALLEST, ceiling(highest))];
  const y = { "encoding.y.scale.domain": [low, top], "encoding.y.axis.values": [low, (low + top) / 2, top] };
  const layers = bands.map((band, place) => {
    const look = { name: `band_${place}`, "mark.color": band.colour, "mark.opacity": band.opacity };
    return layer(pieces.band, bandPoints(band, scale), { ...look, ...y });
  });
  if (!traces.length) return layers;
  const rows = traces.flatMap((one) => linePoints(one, scale));
  const labels = traces.map(({ label }) => label);
  const line = {
    "encoding.color.scale.domain": labels, "encoding.color.scale.range": traces.map(({ colour }) => colour),
    "encoding.strokeDash.scale.domain": labels, "encoding.strokeDash.scale.range": traces.map(({ dash }) => dash),
  };
  if (traces.length === 1 && !bands.length && !low) layers.push(layer(pieces.area, rows, { "mark.color": traces[0].colour, ...y }));
  return [...layers, layer(pieces.line, rows, { ...line, ...y })];
}

// The points of a line, to the end of the last bin.
function linePoints({ label, series }, scale) {
  const rows = series.times.map((t, place) => ({ t, v: rounded(scale * series.values[place], 5), k: label }));
  return closed(rows, series);
}

function bandPoints({ label, low, high }, scale) {
  const value = (series, place) => rounded(scale * series.values[place], 4);
  return closed(low.times.map((t, place) => ({ t, low: value(low, place), high: value(high, place), k: label })), low);
}

const closed = (rows, { times, width }) => (rows.length ? [...rows, { ...rows.at(-1), t: times.at(-1) + width, end_of_line: true }] : []);
