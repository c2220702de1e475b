// The series of a run, by entity and metric (results/series.py).

import { mean } from "./numbers.js";

const PLACES = 1e6; // Of a time in seconds: what lies below is the noise of binary fractions.
const inPlaces = (time) => Math.round(time * PLACES) / PLACES;

export class Series {
  constructor(entity, metric, times, values, width) {
    Object.assign(this, { entity, metric, times, values, width });
  }

  of(times, values, width = this.width) {
    return new Series(this.entity, this.metric, times, values, width);
  }

  // Every bin from the first to the last, empty where nothing was recorded.
  dense() {
    if (!this.times.length) return this;
    const [first, last] = [this.times[0], this.times.at(-1)];
    const bins = Math.round((last - first) / this.width) + 1;
    const times = Array.from({ length: bins }, (_, place) => inPlaces(first + this.width * place));
    const values = new Map(this.times.map((time, place) => [time, this.values[place]]));
    return this.of(times, times.map((time) => values.get(time) ?? NaN));
  }

  // The same in bins that many times as wide: each is the mean of those that have a value.
  coarser(factor) {
    if (factor <= 1) return this;
    const width = this.width * factor;
    const bins = new Map();
    this.times.forEach((time, place) => {
      const bin = Math.floor(time / width + 1e-9);
      if (!bins.has(bin)) bins.set(bin, []);
      if (!Number.isNaN(this.values[place])) bins.get(bin).push(this.values[place]);
    });
    return this.of([...bins.keys()].map((bin) => inPlaces(bin * width)), [...bins.values()].map(mean), width);
  }

  // The same in so many bins at most.
  within(most) {
    return this.coarser(Math.ceil(this.times.length / most));
  }

  // The bins whose start satisfies a condition.
  where(wanted) {
    const kept = this.times.map((time, place) => [time, this.values[place]]).filter(([time]) => wanted(time));
    return this.of(kept.map(([time]) => time), kept.map(([, value]) => value));
  }

  known() {
    return this.values.filter((value) => !Number.isNaN(value));
  }

  mean() {
    return mean(this.known());
  }

  max() {
    return this.known().reduce((highest, value) => Math.max(highest, value), -Infinity);
  }

  min() {
    return this.known().reduce((lowest, value) => Math.min(lowest, value), Infinity);
  }
}

// Several series as one: in each bin a figure of those that have a value there.
export function binwise(parts, fold) {
  const bins = new Map();
  for (const { times, values } of parts) {
    times.forEach((time, place) => {
      if (Number.isNaN(values[place])) return;
      if (!bins.has(time)) bins.set(time, []);
      bins.get(time).push(values[place]);
    });
  }
  const times = [...bins.keys()].sort((one, other) => one - other);
  const like = parts.find((part) => part.times.length) ?? parts[0];
  return new Series("", like.metric, times, times.map((time) => fold(bins.get(time))), like.width);
}

export const together = (parts) => binwise(parts, (values) => values.reduce((sum, one) => sum + one, 0));

// All series of a run, from the columns of an answer (crates/tools/playground/src/run.rs).
export class SeriesTable {
  constructor({ rows, entities, metrics }, octets, width) {
    this.width = width;
    this.series = new Map();
    const times = new Float64Array(octets.buffer, octets.byteOffset, rows);
    const values = new Float64Array(octets.buffer, octets.byteOffset + 8 * rows, rows);
    const whose = new Uint16Array(octets.buffer, octets.byteOffset + 16 * rows, rows);
    const which = new Uint8Array(octets.buffer, octets.byteOffset + 18 * rows, rows);
    for (let row = 0; row < rows; row += 1) {
      const [entity, metric] = [entities[whose[row]], metrics[which[row]]];
      const name = `${entity}\n${metric}`;
      if (!this.series.has(name)) this.series.set(name, new Series(entity, metric, [], [], width));
      const one = this.series.get(name);
      one.times.push(inPlaces(times[row]));
      one.values.push(values[row]);
    }
  }

  get(entity, metric) {
    return this.series.get(`${entity}\n${metric}`) ?? new Series(entity, metric, [], [], this.width);
  }

  entities(metric) {
    return [...this.series.values()].filter((one) => one.metric === metric).map(({ entity }) => entity).sort();
  }
}
