// The table of a run's flows: what each got, what it waited, what it sent again, and its radio's share of the air.

import { count, known } from "./numbers.js";
import { SUM, colours, hue } from "./run.js";

const SPELLINGS = { udp: "UDP", ping: "ping", cubic: "CUBIC", newreno: "NewReno", bbr: "BBR", bbr3: "BBR 3" };

const COLUMNS = [
  { key: "goodput_mbps", title: "Goodput", unit: "Mbit/s" },
  { key: "rtt_mean_ms", title: "RTT, mean", unit: "ms" },
  { key: "rtt_p95_ms", title: "RTT, 95 %", unit: "ms" },
  { key: "delay_mean_ms", title: "One way, mean", unit: "ms" },
  { key: "retransmissions", title: "Retransmitted", unit: "" },
  { key: "lost", title: "Lost", unit: "" },
  { key: "airtime", title: "Air share of its sender", unit: "%" },
];

const MOST = 40; // Rows; of more flows the others are left to the charts.

const kind = (flow) => SPELLINGS[flow.congestion ?? flow.kind] ?? flow.congestion ?? flow.kind;

// The share of the time that the radios take which send a flow's data.
function airtime(run, flow) {
  const nodes = run.radiosOf(flow).map((name) => run.summary.nodes.find((node) => node.name === name));
  const shares = nodes.map((node) => node?.airtime_share).filter((share) => typeof share === "number");
  return shares.length ? 100 * shares.reduce((sum, share) => sum + share, 0) : NaN;
}

const value = (run, flow, key) => (key === "airtime" ? airtime(run, flow) : (flow[key] ?? NaN));

// The columns that any run has, and a row for each flow: of several runs, each flow's rows below each other.
export function table(runs) {
  const columns = COLUMNS.filter(({ key }) => runs.some((run) => run.flows.some((flow) => !Number.isNaN(value(run, flow, key)))));
  const several = runs.length > 1;
  const rows = runs.flatMap((run) => {
    const hues = colours(run);
    return run.flows.map((flow) => ({
      name: flow.name, of: several ? run.called : "", note: kind(flow),
      colour: several ? hue(run.index) : (hues.flows.get(flow.name) ?? SUM),
      values: columns.map(({ key }) => value(run, flow, key)),
    }));
  });
  const place = new Map([...new Set(rows.map(({ name }) => name))].map((name, at) => [name, at]));
  rows.sort((one, other) => place.get(one.name) - place.get(other.name));
  const shown = rows.slice(0, MOST).map((row) => ({ ...row, values: row.values.map(known) }));
  const left = rows.length - shown.length;
  return { columns, rows: shown, left: left ? count(left, "more flow") : "" };
}
