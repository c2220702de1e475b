// What sheets ask for of runs and airtimes (lab/quantity.py, analysis/summary_table.py): a figure, or one divided by another.

const FIGURE = /^(?<metric>\w+)(?: of (?<of>[\w.-]+))? in (?<run>[\w-]+)$/;
const sum = (values) => values.reduce((all, one) => all + one, 0);

// `METRIC of NAME in RUN`, `METRIC in AIRTIME` or a number, and what it is divided by.
export function quantity(text) {
  const [above, below = "1"] = text.split(" / ");
  return [above, below].map((part) => FIGURE.exec(part)?.groups ?? Number(part));
}

// The value of a quantity, of summaries by run and of airtimes; nothing where a run has not been made.
export function valueOf([above, below], summaries, airtimes) {
  const [up, down] = [above, below].map((one) => (typeof one === "number" ? one : figure(one, summaries, airtimes)));
  return up === null || down === null ? null : up / down;
}

export function figure({ metric, of, run }, summaries, airtimes) {
  if (!of) return airtimes[run][metric];
  const summary = summaries.get(run);
  if (!summary) return null;
  if (of === "run") return ofRun(summary)[metric];
  const flow = numbers(summary.flows.find(({ name }) => name === of) ?? {});
  return metric in flow ? flow[metric] : { ...numbers(summary.nodes.find(({ name }) => name === of) ?? {}), ...roams(summary, of) }[metric];
}

function ofRun({ flows, drops, scans }) {
  return {
    goodput_mbps: sum(flows.filter(({ goodput_mbps: own }) => typeof own === "number").map(({ goodput_mbps: own, time_share: share = 1 }) => own * share)),
    drops: sum(drops.map(({ count }) => count)),
    scans: scans.length,
  };
}

// The numbers within a table; those of a table or a layer within it are named after it.
function numbers(content, prefix = "") {
  const found = {};
  for (const [key, value] of Object.entries(content)) {
    if (typeof value === "number") found[prefix + key] = value;
    else if (Array.isArray(value)) for (const part of value) Object.assign(found, part?.layer ? numbers(part, `${prefix}${part.layer}_`) : {});
    else if (value !== null && typeof value === "object") Object.assign(found, numbers(value, `${prefix}${key}_`));
  }
  return found;
}

// How often a station roamed, and the medians of what that cost it.
function roams(summary, station) {
  const own = (summary.roams ?? []).filter((roam) => roam.station === station);
  return { roams: own.length, roam_late_ms: median(own, "decided_late_ms"), roam_gap_ms: median(own, "gap_ms"), roam_stall_ms: median(own, "tcp_stall_ms") };
}

function median(rows, key) {
  const values = rows.map((row) => row[key]).filter((value) => typeof value === "number").sort((one, other) => one - other);
  const middle = values.length / 2;
  return values.length ? (values[Math.ceil(middle) - 1] + values[Math.floor(middle)]) / 2 : null;
}
