// A run as its page looks at it: whose flows, which radios, which colours (analysis/run_view.py, report/colours.py and others).

import { count } from "./numbers.js";
import { SeriesTable } from "./series.js";

export const HUES = 8;
export const CROWD = "var(--hue-0)";
export const SUM = "var(--sum)";
export const NODE = "var(--node)";
export const hue = (place) => `var(--hue-${place % HUES})`;

export const unique = (values) => [...new Set(values)];
const KINDS = { tcp: "TCP flow", udp: "UDP flow", ping: "ping flow" };

export class Run {
  // Of an answer of the engine, and of the text that it was asked about.
  constructor({ json, octets }, text) {
    Object.assign(this, { summary: json.summary, text, called: "", index: 0 });
    this.table = new SeriesTable(json.series, octets, json.bin_s);
    this.flows = this.summary.flows;
    this.kinds = new Map(this.summary.nodes.map(({ name, kind }) => [name, kind]));
    this.points = this.summary.nodes.filter(({ kind }) => kind === "ap").map(({ name }) => name);
    this.stations = new Map();
    for (const flow of this.flows) {
      for (const end of [flow.from, flow.to]) {
        if (this.kinds.get(end) === "station") this.stations.set(end, [...(this.stations.get(end) ?? []), flow]);
      }
    }
    this.senders = this.flows.length ? unique(this.flows.flatMap((flow) => this.radiosOf(flow))) : this.table.entities("ampdus");
  }

  // The access point of each station at first.
  get served() {
    return new Map(this.summary.nodes.filter(({ kind }) => kind === "station").map(({ name, ap }) => [name, ap ?? this.points[0]]));
  }

  // The nodes that send a flow's data over the air.
  radiosOf({ from, to }) {
    const source = this.served.has(from) ? [from] : [];
    const roams = (this.summary.roams ?? []).filter(({ station, to: point }) => station === to && point).map(({ to: point }) => point);
    const sink = this.served.has(to) ? unique([this.served.get(to), ...roams]) : [];
    return source.length + sink.length ? [...source, ...sink] : [...this.points.slice(0, 1), from].slice(0, 1);
  }

  // Whether a bin lies within a scan.
  scanned(time, width) {
    const { scans, duration_s: duration } = this.summary;
    return scans.some(({ start_s: start, end_s: end }) => start <= time && time + width <= (end ?? duration));
  }

  degraded(series) {
    return series.where((time) => this.scanned(time, series.width));
  }
}

// What runs are called beside each other: the one line in which their scenarios differ, if it is one.
export function called(runs) {
  const lines = runs.map(({ text }) => text.split("\n").map((line) => line.replace(/\s*#[^"]*$/, "")));
  const alike = lines.every(({ length }) => length === lines[0].length);
  const differing = !alike ? [] : lines[0].flatMap((line, at) => (lines.some((other) => other[at] !== line) ? [at] : []));
  if (differing.length === 1) return lines.map((own) => own[differing[0]].replaceAll('"', "").trim());
  return runs.length === 1 ? [""] : ["kept", "now"];
}

// A hue for each flow, and for its station where that has no other.
export function colours(run) {
  let names = run.flows.map(({ name }) => name);
  if (names.length > HUES) {
    const largest = sets(run.summary).map(({ flows }) => carrying(flows)).sort((one, other) => other.length - one.length)[0] ?? [];
    names = largest.length ? ["", largest[0].name, largest.at(-1).name] : [""];
  }
  const flows = new Map(names.map((name, place) => [name, hue(place)]));
  const nodes = new Map();
  let left = names.length;
  for (const [station, own] of run.stations) {
    if (own.length === 1) {
      if (flows.has(own[0].name)) nodes.set(station, flows.get(own[0].name));
    } else if (left < HUES) {
      nodes.set(station, hue(left));
      left += 1;
    }
  }
  if (run.points.length > 1 && run.points.length <= HUES - left) run.points.forEach((name, place) => nodes.set(name, hue(left + place)));
  return { flows, nodes };
}

// The flows that carry data, the greatest goodput first.
export const carrying = (flows) => flows.filter((flow) => "goodput_mbps" in flow).sort((one, other) => other.goodput_mbps - one.goodput_mbps);

// The flows of a run in sets that can be compared: each group, and of the others those of each kind.
export function sets({ flows, nodes }) {
  const groups = new Map();
  for (const flow of flows) if (flow.group) groups.set(flow.group, [...(groups.get(flow.group) ?? []), flow]);
  for (const [name, own] of groups) if (own.length === 1) groups.delete(name);
  const others = flows.filter(({ group }) => !groups.has(group));
  const kinds = unique(others.map(({ kind }) => kind));
  const named = [...groups].map(([name, own]) => ({ name, what: said(nodes, own), flows: own }));
  const rest = kinds.map((kind) => {
    const own = others.filter((flow) => flow.kind === kind);
    return { name: "", what: groups.size || kinds.length > 1 ? said(nodes, own) : "flow", flows: own };
  });
  const place = new Map(flows.map(({ name }, at) => [name, at]));
  const found = [...named, ...rest].sort((one, other) => place.get(one.flows[0].name) - place.get(other.flows[0].name));
  return found.map((one) => {
    const many = count(one.flows.length, one.what);
    return { ...one, title: one.name ? `${one.name}, ${many}` : many, short: one.name || `${one.what}s` };
  });
}

function said(nodes, flows) {
  const stations = new Set(nodes.filter(({ kind }) => kind === "station").map(({ name }) => name));
  const kinds = unique(flows.map(({ kind }) => kind));
  if (kinds.length > 1) return "flow";
  if (kinds[0] === "tcp" && flows.every(({ from, to }) => stations.has(from) && !stations.has(to))) return "upload";
  if (kinds[0] === "tcp" && flows.every(({ from, to }) => stations.has(to) && !stations.has(from))) return "download";
  return KINDS[kinds[0]];
}

// The set of each flow, and of each station that of its first flow; empty names where there is one set alone.
export function setOfEach(summary) {
  const found = sets(summary);
  const of = new Map();
  const flows = new Map(found.flatMap((one) => one.flows.map(({ name }) => [name, found.length > 1 ? one.short : ""])));
  const stations = new Set(summary.nodes.filter(({ kind }) => kind === "station").map(({ name }) => name));
  for (const { name, from, to } of summary.flows) {
    for (const end of [from, to]) if (stations.has(end) && !of.has(end)) of.set(end, flows.get(name));
  }
  return new Map([...of, ...flows]);
}

// The times of stations that roam at an access point (report/associations.py).
export function associations(run) {
  const { summary } = run;
  const found = [];
  const roams = summary.roams ?? [];
  for (const station of unique(roams.map((roam) => roam.station))) {
    let [at, since] = [run.served.get(station), 0];
    for (const roam of roams.filter((one) => one.station === station)) {
      if (at !== null && roam.left_s !== null) {
        found.push({ station, point: at, start: since, end: roam.left_s });
        at = null;
      }
      if (roam.associated_s !== null && roam.to !== null) [at, since] = [roam.to, roam.associated_s];
    }
    if (at !== null) found.push({ station, point: at, start: since, end: summary.duration_s });
  }
  return found;
}
