// What is drawn in a panel: a line for each flow or run, bands where there are too many (report/traces.py).

import { percentile } from "./numbers.js";
import { CROWD, HUES, NODE, SUM, colours, hue, unique } from "./run.js";
import { binwise, together } from "./series.js";
import { select, trace } from "./lines.js";

const LEGIBLE = 3; // Flows of which each has a second line.
const FACETS = 4; // Flows of several runs that have a plot each.
const MIN_FOR_PERCENTILES = 40;
const MIDDLE = 0.5;
const SPREADS = [[[0, 1], "least to most", 0.13], [[0.05, 0.95], "5 to 95 %", 0.22]];

const plot = (panel, facet, traces, bands = []) => {
  const alone = unique(traces.map((one) => one.alone));
  return { panel, facet, traces, bands, title: (alone.length === 1 ? alone[0] : panel.mixed) || panel.title };
};

// The plots of a panel: none where no run has anything to show in it.
export const plots = (panel, runs) => (runs.length === 1 ? ofOne(panel, runs[0]) : ofSeveral(panel, runs));

function ofOne(panel, run) {
  let items = select(panel.lines, run);
  const many = new Set(items.filter(({ crowd }) => crowd).map(({ entity }) => entity)).size;
  if (many > LEGIBLE) {
    const fewer = select(panel.lines.filter(({ aside, label }) => !(aside && label)), run);
    if (fewer.length) items = fewer;
  }
  if (!items.length) return [];
  const hues = colours(run);
  const sums = togetherOf(panel, items, run, "all together", SUM);
  const traced = (name, item) => trace(name, colour(item, hues), item, item.series, run);
  if (many <= HUES) return [plot(panel, "", [...sums, ...items.map((item) => traced(named(item, items), item))])];
  const { nodes, crowds } = parted([[run, items]]);
  const alone = nodes.flatMap(([name, lines]) => lines.flatMap(([, own]) => own.map((item) => traced(item.label ? `${name}, ${item.label}` : name, item))));
  // A page of a crowd is long enough: what stands for itself is beside the sum, or beside the one crowd that there is.
  const within = !sums.length && crowds.length === 1 ? alone : [];
  const above = sums.length ? [plot(panel, "all together", [...sums, ...alone])] : [];
  const apart = alone.length && !sums.length && !within.length;
  const beside = apart ? [plot(panel, nodes.map(([name]) => name).join(", "), alone)] : [];
  const each = crowds.flatMap(([title, lines]) => lines.map(([, own]) => {
    const { traces, bands } = spread(own, run, hues);
    return plot(panel, title || usual(above, beside), [...traces, ...within], bands);
  }));
  return [...above, ...beside, ...each];
}

function ofSeveral(panel, runs) {
  const own = runs.map((run) => [run, select(panel.lines.filter(({ aside }) => !aside), run)]).filter(([, items]) => items.length);
  if (!own.length) return [];
  const entities = unique(own.flatMap(([, items]) => items.map(({ entity }) => entity)));
  const sums = own.flatMap(([run, items]) => togetherOf(panel, items, run, run.called, hue(run.index)));
  const above = sums.length ? [plot(panel, "all together", sums)] : [];
  if (Math.max(...own.map(([, items]) => new Set(items.map(({ entity }) => entity)).size)) === 1) return [...above, facet(panel, "", own)];
  if (entities.length <= FACETS) return [...above, ...entities.map((name) => facet(panel, name, kept(own, ({ entity }) => entity === name)))];
  const { nodes, crowds } = parted(own);
  const beside = nodes.map(([name, lines]) => facet(panel, name, lines));
  const found = crowds.map(([title, lines]) => {
    const spreads = lines.map(([run, part]) => spread(part, run, null));
    return plot(panel, title || usual(above, beside), spreads.flatMap(({ traces }) => traces), spreads.flatMap(({ bands }) => bands));
  });
  return [...above, ...beside, ...found];
}

const kept = (own, wanted) => own.map(([run, items]) => [run, items.filter(wanted)]).filter(([, items]) => items.length);

// Lines in plots, each with its title: of each node that is in no crowd, and of each set of a crowd.
function parted(own) {
  let lines = own;
  let names = unique(own.flatMap(([, items]) => items.filter(({ crowd }) => !crowd).map(({ entity }) => entity)));
  if (names.length > FACETS) {
    const points = new Set(own.flatMap(([run]) => run.points));
    const called = names.every((name) => points.has(name)) ? "access points" : "other nodes";
    lines = own.map(([run, items]) => [run, items.map((item) => (item.crowd ? item : { ...item, crowd: true, ofSet: called }))]);
    names = [];
  }
  const titles = unique(lines.flatMap(([, items]) => items.filter(({ crowd }) => crowd).map(({ ofSet }) => ofSet)));
  return {
    nodes: names.map((name) => [name, kept(lines, ({ entity }) => entity === name)]),
    crowds: titles.map((title) => [title, kept(lines, ({ crowd, ofSet }) => crowd && ofSet === title)]),
  };
}

const usual = (above, beside) => (above.length ? "each" : beside.length ? "the others" : "");

// A plot of one entity: the line of each run, dashed for a second quantity.
function facet(panel, title, own) {
  const several = new Set(own.flatMap(([, items]) => items.map(({ label }) => label))).size > 1;
  const name = (run, { label }) => (several && label ? `${run.called}: ${label}` : run.called);
  return plot(panel, title, own.flatMap(([run, items]) => items.map((item) => trace(name(run, item), hue(run.index), item, item.series, run))));
}

// The sum of several entities, where that means something.
function togetherOf(panel, items, run, label, tint) {
  if (!panel.adds || items.length === 1) return [];
  return [trace(label, tint, items[0], together(items.map(({ series }) => series)), run)];
}

// Many lines of a crowd as their median within bands, beside the extremes; of several runs each has one band.
function spread(items, run, hues) {
  const tint = hues ? CROWD : hue(run.index);
  const prefix = hues ? "" : `${run.called}, `;
  const [traces, bands] = [[], []];
  for (const quantity of unique(items.map((item) => item.quantity))) {
    const group = items.filter((item) => item.quantity === quantity);
    let shown = group.filter((item) => hues && colour(item, hues) !== NODE);
    if (group.length > 1) {
      const label = new Set(items.map((item) => item.label)).size > 1 ? `${prefix}${group[0].label} ` : prefix;
      const series = group.map((item) => item.series);
      for (const [[low, high], words, opacity] of around(group.length, !hues)) {
        bands.push({ label: `${label}${words}`, colour: tint, opacity: hues ? opacity : 0.16, low: across(series, low), high: across(series, high) });
      }
      traces.push(trace(`${label}median of ${group.length}`, tint, group[0], across(series, MIDDLE), run));
    } else shown = group;
    for (const item of shown) {
      const own = hues ? colour(item, hues) : NODE;
      let name = named(item, items);
      if (group.length === 1 && !name.startsWith(item.entity)) name = `${item.entity} ${name}`;
      traces.push(trace(`${prefix}${name}`, own === NODE ? tint : own, item, item.series, run));
    }
  }
  return { traces, bands };
}

const around = (many, innerAlone) => (many < MIN_FOR_PERCENTILES ? SPREADS.slice(0, 1) : innerAlone ? SPREADS.slice(1) : SPREADS);
const across = (series, share) => binwise(series, (values) => percentile(values, share));
const colour = (item, hues) => (item.ofFlow ? hues.flows : hues.nodes).get(item.entity) ?? NODE;

// What a line is called among others: its entity, its quantity, or both.
function named(item, items) {
  const parts = [];
  if (new Set(items.map(({ entity }) => entity)).size > 1 || !item.label) parts.push(item.entity);
  if (item.label && new Set(items.map(({ label }) => label)).size > 1) parts.push(item.label);
  return parts.join(" ") || item.entity;
}
