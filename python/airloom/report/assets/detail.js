// Packet by packet: the charts of the window of detail that the timeline shows, if it shows one. A window comes packed
// (report/detail.py) and becomes rows only once one looks at it.

const SLACK = 0.002; // s

// Times in seconds from distances in microseconds.
function times(start, distances) {
  let at = 0;
  return distances.map((distance) => start + 1e-6 * (at += distance));
}

const steps = (start, end, [distances, values], rest) => {
  const rows = times(start, distances).map((t, index) => ({ t, v: values[index], ...rest }));
  return rows.length ? [...rows, { ...rows.at(-1), t: end, end_of_line: true }] : rows;
};

// The rows of every layer of every chart, from a window, the kinds of frames and the width of a bin of goodput.
function rows(window, { kinds, bin }) {
  const { from, to, flows, frames, queues } = window;
  const found = { band: [{ t: window.band[0], end: window.band[1] }], sent: [], again: [], acks: [], frames: [], nulls: [], words: [], queues: [], goodput: [] };
  for (const { name: k, sent, again, acked, goodput } of flows) {
    const repeated = new Set(again);
    times(from, sent[0]).forEach((t, index) => {
      if (repeated.has(index)) found.again.push({ t, v: sent[1][index], k: `${k}, again` });
      else found.sent.push({ t, v: sent[1][index], k });
    });
    found.acks.push(...steps(from, to, acked, { k }));
    found.goodput.push(...goodput.map((v, index) => ({ t: from + bin * index, v, k })));
  }
  for (const { name: k, t, length, kind, rate, mpdus, acked, good } of frames) {
    times(from, t).forEach((at, index) => {
      const came = good[index] > 0 || acked[index] > 0 ? 1 : 0;
      const word = kinds[kind[index]];
      found.frames.push({ t: at, end: at + 1e-6 * length[index], v: rate[index], low: 0, k, came, kind: word, mpdus: mpdus[index], acked: acked[index] });
      if (!word.startsWith("null")) return;
      const before = found.nulls.at(-1);
      if (before?.text !== word || at - before.t > 0.02) found.words.push({ t: at, text: word.slice(5) });
      found.nulls.push({ t: at, text: word });
    });
  }
  for (const { name: k, layer, t, packets } of queues) found.queues.push(...steps(from, to, [t, packets], { k, layer }));
  return found;
}

const names = (specific) => [...new Map(specific.map(({ name, colour }) => [name, colour]))];

// Which series a chart has, with their colours: they become its scale of colour and the list beside it.
const series = {
  sequence: ({ flows }) => names(flows),
  air: ({ frames }) => names(frames),
  queue: ({ queues }) => names(queues),
  goodput: ({ flows }) => names(flows),
};

// Fills in what a chart's scales depend on: the hues, and how high the values go.
function fit(spec, entries, data) {
  for (const layer of spec.layer) spec.datasets[layer.data.name] = data[layer.data.name];
  const values = Object.values(spec.datasets).flat().map(({ v }) => v).filter((v) => v !== undefined);
  const reach = [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), 0)];
  for (const { encoding: { color, y } } of spec.layer) {
    if (color?.field === "k") color.scale = { domain: entries.map(([name]) => name), range: entries.map(([, colour]) => colour) };
    if (y?.field === "v") y.scale.domain = [y.scale.zero ? 0 : Math.min(reach[0], reach[1]), reach[1] || 1];
  }
}

// A list item for each series: colour, dash and name.
function key(list, entries, dashed) {
  list.replaceChildren(...entries.map(([name, colour]) => {
    const item = document.createElement("li");
    const swatch = document.createElement("i");
    swatch.className = `swatch q${dashed(name) ? 1 : 0}`;
    swatch.style.setProperty("--colour", colour);
    const text = document.createElement("span");
    text.className = "name";
    text.textContent = name;
    item.append(swatch, text);
    return item;
  }));
}

// Called once by the timeline, with its content, its panels, and what makes a plot follow the pointer. Returns what it calls
// with each span of time that it shows, and for tests the rows that are drawn.
window.showDetail = ({ detail, left, right }, panels, listen, redraw) => {
  const place = document.getElementById("detail");
  if (!place) return { follow: () => {}, drawn: () => null };
  const own = detail.charts.map(({ id, spec }) => {
    const article = document.getElementById(`panel-detail-${id}`);
    const plot = article.querySelector(".plot");
    const width = () => Math.max(120, plot.clientWidth - left - right);
    const panel = { id: `detail-${id}`, plot, width, hides: false, lines: [], cursor: plot.querySelector(".cursor"), brush: plot.querySelector(".brush") };
    listen(panel);
    new ResizeObserver(() => panel.view?.width(width()).run()).observe(plot);
    return { id, spec, article, panel };
  });
  let current = null;
  let drawn = null;

  async function open(window_) {
    const data = rows(window_, detail);
    place.hidden = false;
    place.querySelector(".told").textContent = window_.told;
    for (const { id, spec, article, panel } of own) {
      const made = structuredClone(spec);
      const entries = series[id](window_);
      fit(made, entries, data);
      key(article.querySelector(".readout"), entries, (name) => name.endsWith(", driver"));
      made.width = panel.width();
      const { view } = await window.vegaEmbed(panel.plot.querySelector(".view"), made, { renderer: "svg", actions: false, tooltip: false, ast: true, defaultStyle: false });
      if (current !== window_) return;
      drawn = data;
      panel.view = view;
      article.querySelector(".save")?.remove();
      window.offerToSave(article.querySelector(".about"), view, made);
      if (!panels.includes(panel)) panels.push(panel);
    }
    place.dataset.shown = window_.title;
    redraw();
  }

  function close() {
    place.hidden = true;
    delete place.dataset.shown;
    for (const { panel } of own) if (panels.includes(panel)) panels.splice(panels.indexOf(panel), 1);
  }

  const follow = ({ from, to }) => {
    const inside = detail.windows.filter((one) => from >= one.from - SLACK && to <= one.to + SLACK);
    const wanted = inside.includes(current) ? current : inside[0] ?? null;
    if (wanted === current) return;
    current = wanted;
    if (wanted) open(wanted);
    else close();
  };
  return { follow, drawn: () => drawn };
};
