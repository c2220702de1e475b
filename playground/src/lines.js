// Which series a panel shows of a run, and what a line of it is (report/traces.py).

import { mean } from "./numbers.js";
import { setOfEach, unique } from "./run.js";

const MOST_BINS = 4000; // Of a line: of finer series several are drawn as one.
const VISIBLE = 0.02; // The share of the highest value from which on a line is seen to leave the axis.
const DASHES = [[1, 0], [5, 3], [2, 2]];
const COUNTED = { mpdus_per_ampdu: "ampdus", mac_rate: "ampdus" };
const SUMMED = { received_rate: "received_rate_mbps", rtt: "rtt_mean_ms", delay: "delay_mean_ms" };

// The series of some lines in one run, those that were recorded.
export function select(lines, run) {
  const found = [];
  const ofSets = setOfEach(run.summary);
  const quantities = new Map();
  for (const line of lines) {
    const entities = line.scope === "link" ? seen(line, run, lines.map(({ metric }) => metric)) : entitiesOf(line, run);
    for (const entity of entities) {
      const series = run.table.get(entity, line.metric).dense().within(MOST_BINS);
      if (!series.known().length) continue;
      if (!quantities.has(line.label)) quantities.set(line.label, quantities.size);
      const ofFlow = line.scope === "flow";
      found.push({
        entity, series, ofFlow, quantity: quantities.get(line.label), label: line.label, alone: line.alone,
        crowd: ofFlow || run.stations.has(entity), ofSet: ofSets.get(entity) ?? "",
      });
    }
  }
  return found;
}

function entitiesOf({ scope, metric }, run) {
  const others = run.table.entities(metric).filter((name) => !run.senders.includes(name));
  switch (scope) {
    case "flow": return run.flows.map(({ name }) => name);
    case "sender": return run.senders;
    case "holder": return [...run.senders, ...holding(others, metric, run)];
    case "to station":
    case "from station": {
      const end = scope === "to station" ? "to" : "from";
      return [...run.stations].filter(([name, flows]) => telling(flows).some((flow) => flow[end] === name)).map(([name]) => name);
    }
    case "station": return run.table.entities(metric);
    case "scanner": return unique(run.summary.scans.map(({ station }) => station));
    default: return others;
  }
}

const highest = (run, entity, metric) => Math.max(0, run.table.get(entity, metric).max());

// Those of some entities whose values are seen, beside theirs and those of senders.
function holding(names, metric, run) {
  const known = run.table.entities(metric);
  const least = VISIBLE * Math.max(0, ...[...run.senders, ...names].filter((name) => known.includes(name)).map((name) => highest(run, name, metric)));
  return names.filter((name) => highest(run, name, metric) > least);
}

// The entities whose values of a line are seen beside the highest of any of some metrics.
function seen({ metric }, run, metrics) {
  const least = VISIBLE * Math.max(0, ...metrics.flatMap((one) => run.table.entities(one).map((name) => highest(run, name, one))));
  return run.table.entities(metric).filter((name) => highest(run, name, metric) > least);
}

// The flows that carry data, or all where none does.
function telling(flows) {
  const data = flows.filter(({ kind }) => kind !== "ping");
  return data.length ? data : flows;
}

// A line of a plot: of an item, or of several that are like it.
export function trace(label, colour, item, series, run) {
  const { quantity, alone } = item;
  const line = { label, colour, quantity, alone, series, dash: DASHES[quantity % DASHES.length] };
  if (!(series.metric in COUNTED) || !series.entity) {
    return { ...line, mean: overall(series, run), scanning: run.degraded(series).mean() };
  }
  const [recorded, sent] = [series.metric, COUNTED[series.metric]].map((metric) => run.table.get(series.entity, metric));
  return {
    ...line, mean: weighted(recorded, sent), scanning: weighted(run.degraded(recorded), sent),
    weights: counts(series, sent.dense().within(MOST_BINS)),
  };
}

// What each value of a series is the mean of so many of.
function counts({ times }, sent) {
  const known = new Map(sent.times.map((time, place) => [time, sent.values[place]]).filter(([, many]) => !Number.isNaN(many)));
  return times.map((time) => known.get(time) ?? 0);
}

function weighted(series, sent) {
  const many = counts(series, sent);
  const pairs = series.values.map((value, place) => [value, many[place]]).filter(([value]) => !Number.isNaN(value));
  const whole = pairs.reduce((sum, [, weight]) => sum + weight, 0);
  return whole ? pairs.reduce((sum, [value, weight]) => sum + value * weight, 0) / whole : NaN;
}

// The mean over the run: the summary's where it is of each packet or frame.
function overall(series, { summary }) {
  const one = [...summary.flows, ...summary.nodes].find(({ name }) => name === series.entity);
  const own = one?.[SUMMED[series.metric]];
  return own === undefined || own === null || "warm_up_s" in summary ? mean(series.known()) : own;
}
