// The timeline: one span of time for all charts. Whatever changes it - a drag, the wheel, a pinch, a key, a chip, the
// navigator - calls `show`, and nothing else touches the charts.

const content = JSON.parse(document.getElementById("content").textContent);
const { duration, left, right } = content;
const SHORTEST = 0.02; // s
const span = { from: 0, to: duration };
const panels = [];
let pending = false;
let addressing = null;
let closer = { follow: () => {} };

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

function show(from, to) {
  const length = clamp(to - from, SHORTEST, duration);
  span.from = clamp(from, 0, duration - length);
  span.to = span.from + length;
  if (!pending) {
    pending = true;
    requestAnimationFrame(draw);
  }
}

function draw() {
  pending = false;
  closer.follow(span);
  for (const { view } of panels) view.signal("t0", span.from).signal("t1", span.to).run();
  const frame = document.querySelector(".navigator .window");
  frame.style.left = `${(100 * span.from) / duration}%`;
  frame.style.width = `${(100 * (span.to - span.from)) / duration}%`;
  tell();
  average();
  clearTimeout(addressing);
  addressing = setTimeout(address, 200); // Browsers refuse to change it with every frame.
  for (const chip of document.querySelectorAll(".chip")) {
    const same = Math.abs(chip.dataset.from - span.from) < 0.05 && Math.abs(chip.dataset.to - span.to) < 0.05;
    chip.setAttribute("aria-pressed", same);
  }
}

// Writes the time that is shown into the page's address; a page within another, as the playground has it, has none of its own.
function address() {
  if (location.protocol === "about:") return;
  const whole = span.to - span.from > duration - 1e-6;
  if (!whole) history.replaceState(null, "", `#t=${+span.from.toFixed(4)},${+span.to.toFixed(4)}`);
  else if (location.hash.startsWith("#t=")) history.replaceState(null, "", location.pathname + location.search);
}

function tell() {
  const length = span.to - span.from;
  const digits = length < 1 ? 3 : length < 20 ? 1 : 0;
  document.querySelector(".span").textContent = `${span.from.toFixed(digits)} to ${span.to.toFixed(digits)} s`;
}

// Zooms by a factor around a time.
const zoom = (factor, around) => show(around - (around - span.from) * factor, around + (span.to - around) * factor);

// The bin under the pointer, shown in every panel at once.
function point(time) {
  const share = (time - span.from) / (span.to - span.from);
  const visible = time !== null && share >= 0 && share <= 1;
  for (const panel of panels) {
    panel.cursor.hidden = !visible;
    panel.cursor.style.left = `${left + share * panel.width()}px`;
    for (const { now, means, values, start, bin } of panel.lines) {
      if (!values) continue; // No value for each bin: what stands beside the chart stays.
      now.hidden = !visible;
      means.hidden = visible;
      if (visible) now.textContent = text(values[Math.floor((time - start) / bin + 1e-9)]);
    }
  }
  if (visible) document.querySelector(".span").textContent = `at ${time.toFixed(span.to - span.from < 5 ? 3 : 1)} s`;
  else tell();
}

const text = (value) => (value === null || value === undefined || Number.isNaN(value) ? "-" : value.toLocaleString("en", { maximumSignificantDigits: value < 100 ? 3 : Math.max(3, String(Math.round(value)).length) }));

// What stands for some values: the greatest where a line is of the longest, else their mean, in which each counts for its weight where it has one.
function summed(values, weights, longest) {
  const known = values.map((value, place) => [value, weights ? weights[place] || 0 : 1]).filter(([value]) => value !== null);
  if (longest) return known.length ? Math.max(...known.map(([value]) => value)) : NaN;
  return known.reduce((sum, [value, weight]) => sum + value * weight, 0) / known.reduce((sum, [, weight]) => sum + weight, 0);
}

// The means of the time that is shown; over the whole run they are those that the page came with.
function average() {
  const whole = span.to - span.from > duration - 1e-6;
  for (const { lines } of panels) {
    for (const { mean, values, start, bin, said, weights, longest } of lines) {
      if (!values) continue;
      const inside = [Math.max(0, Math.floor((span.from - start) / bin)), Math.max(0, Math.ceil((span.to - start) / bin))];
      mean.textContent = whole ? said : text(summed(values.slice(...inside), weights && weights.slice(...inside), longest));
    }
  }
}

// Hides a line, or shows it again: on the whole page what has its colour, or it alone in a panel of one colour.
function toggle(panel, line) {
  const hide = !line.hidden;
  const several = new Set(panel.lines.map(({ colour }) => colour)).size > 1;
  for (const other of panels) {
    for (const one of other.lines) {
      if (one === line || (several && one.colour === line.colour)) {
        one.hidden = hide;
        one.button.setAttribute("aria-pressed", !hide);
      }
    }
    if (other.hides) other.view.signal("hidden", other.lines.filter(({ hidden }) => hidden).map(({ label }) => label)).run();
  }
}

function listen(panel) {
  const { plot, brush } = panel;
  const touches = new Map();
  let drag = null;
  const at = (x) => span.from + ((x - plot.getBoundingClientRect().left - left) / panel.width()) * (span.to - span.from);

  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    plot.setPointerCapture(event.pointerId);
    touches.set(event.pointerId, event.clientX);
    const pan = event.pointerType === "touch" || event.shiftKey;
    drag = { pan, x: event.clientX, time: at(event.clientX), from: span.from, to: span.to };
    if (touches.size === 2) drag.pinch = [...touches.values()].map(at);
  });
  plot.addEventListener("pointermove", (event) => {
    if (touches.has(event.pointerId)) touches.set(event.pointerId, event.clientX);
    if (!drag) return point(clamp(at(event.clientX), span.from, span.to - 1e-6));
    if (drag.pinch && touches.size === 2) return pinch(drag.pinch);
    if (drag.pan) {
      const shift = ((drag.x - event.clientX) / panel.width()) * (drag.to - drag.from);
      return show(drag.from + shift, drag.to + shift);
    }
    const ends = [drag.x, event.clientX].map((x) => clamp(x - plot.getBoundingClientRect().left, left, left + panel.width()));
    brush.hidden = false;
    brush.style.left = `${Math.min(...ends)}px`;
    brush.style.width = `${Math.abs(ends[0] - ends[1])}px`;
  });
  const release = (event) => {
    touches.delete(event.pointerId);
    brush.hidden = true;
    if (drag && !drag.pan && event.type === "pointerup" && Math.abs(event.clientX - drag.x) > 4) {
      const [from, to] = [drag.time, at(event.clientX)].map((time) => clamp(time, span.from, span.to)).sort((a, b) => a - b);
      show(from, to);
    }
    if (touches.size === 0) drag = null;
  };
  plot.addEventListener("pointerup", release);
  plot.addEventListener("pointercancel", release);
  plot.addEventListener("pointerleave", () => !drag && point(null));
  plot.addEventListener("dblclick", () => show(0, duration));
  plot.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoom(Math.exp(event.deltaY / 300), at(event.clientX));
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      const shift = (event.deltaX / panel.width()) * (span.to - span.from);
      show(span.from + shift, span.to + shift);
    }
  }, { passive: false });
  plot.addEventListener("keydown", (event) => {
    const step = (span.to - span.from) / 10;
    const middle = (span.from + span.to) / 2;
    const keys = {
      ArrowLeft: () => show(span.from - step, span.to - step),
      ArrowRight: () => show(span.from + step, span.to + step),
      "+": () => zoom(0.7, middle),
      "=": () => zoom(0.7, middle),
      "-": () => zoom(1 / 0.7, middle),
      0: () => show(0, duration),
      Escape: () => show(0, duration),
    };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  // Keeps the two times that were touched under the fingers.
  function pinch([a, b]) {
    const box = plot.getBoundingClientRect().left + left;
    const [x, y] = [...touches.values()].map((value) => (value - box) / panel.width());
    if (Math.abs(y - x) < 0.02) return;
    const length = (b - a) / (y - x);
    if (length > 0) show(a - x * length, a - x * length + length);
  }
}

function navigate(strip) {
  const bands = strip.querySelector(".bands");
  for (const scan of content.scans) {
    const band = document.createElement("i");
    band.style.left = `${(100 * scan.start) / duration}%`;
    band.style.width = `${(100 * (scan.end - scan.start)) / duration}%`;
    band.style.background = "var(--scan-ink)";
    band.style.opacity = 0.55 / new Set(content.scans.map((scan) => scan.run)).size;
    bands.append(band);
  }
  const [low, high] = strip.querySelectorAll(".window i");
  const at = (x) => clamp((x - strip.getBoundingClientRect().left) / strip.clientWidth, 0, 1) * duration;
  let drag = null;
  strip.addEventListener("pointerdown", (event) => {
    strip.setPointerCapture(event.pointerId);
    const time = at(event.clientX);
    const whole = span.to - span.from > duration - 1e-6;
    const inside = !whole && time >= span.from && time <= span.to;
    drag = { time, from: span.from, to: span.to, mode: inside ? "move" : "draw" };
    if (event.target === low || event.target === high) drag.mode = event.target === low ? "low" : "high";
  });
  strip.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const time = at(event.clientX);
    const shift = time - drag.time;
    if (drag.mode === "move") show(drag.from + shift, drag.to + shift);
    else if (drag.mode === "low") show(Math.min(time, drag.to - SHORTEST), drag.to);
    else if (drag.mode === "high") show(drag.from, Math.max(time, drag.from + SHORTEST));
    else if (Math.abs(shift) > duration / 200) show(Math.min(time, drag.time), Math.max(time, drag.time));
  });
  const release = () => { drag = null; };
  strip.addEventListener("pointerup", release);
  strip.addEventListener("pointercancel", release);
  strip.addEventListener("dblclick", () => show(0, duration));
}

for (const { id, spec, lines } of content.panels) {
  const article = document.getElementById(`panel-${id}`);
  const plot = article.querySelector(".plot");
  const target = plot.querySelector(".view");
  const width = () => Math.max(120, plot.clientWidth - left - right);
  spec.width = width();
  const { view } = await window.vegaEmbed(target, spec, { renderer: "svg", actions: false, tooltip: false, ast: true, defaultStyle: false });
  const items = [...article.querySelectorAll(".readout li")];
  const panel = {
    id, view, plot, width,
    hides: spec.params.some(({ name }) => name === "hidden"),
    lines: lines.map((line, index) => ({
      ...line,
      hidden: false,
      button: items[index].querySelector("button"),
      now: items[index].querySelector(".now"),
      means: items[index].querySelector(".means"),
      mean: items[index].querySelector(".mean"),
      said: items[index].querySelector(".mean").textContent,
    })),
    cursor: plot.querySelector(".cursor"),
    brush: plot.querySelector(".brush"),
  };
  panels.push(panel);
  listen(panel);
  window.offerToSave(article.querySelector(".about"), view, spec);
  for (const line of panel.lines) line.button.addEventListener("click", () => toggle(panel, line));
  new ResizeObserver(() => view.width(width()).run()).observe(plot);
}
for (const chip of document.querySelectorAll(".chip")) {
  chip.addEventListener("click", () => show(Number(chip.dataset.from), Number(chip.dataset.to)));
}
navigate(document.querySelector(".navigator"));
closer = window.showDetail(content, panels, listen, draw, { show, point });

for (const { id, spec } of content.distributions) {
  const article = document.getElementById(id);
  const plot = article.querySelector(".plot");
  const width = () => Math.max(120, plot.clientWidth - spec.padding.left - spec.padding.right);
  spec.width = width();
  const { view } = await window.vegaEmbed(plot.querySelector(".view"), spec, { renderer: "svg", actions: false, tooltip: false, ast: true, defaultStyle: false });
  window.offerToSave(article.querySelector(".about"), view, spec);
  new ResizeObserver(() => view.width(width()).run()).observe(plot);
}

// A link may name the time to show: #t=25,36.
function follow() {
  const [, from, to] = location.hash.match(/^#t=([\d.]+),([\d.]+)$/) ?? [];
  if (Number(to) > Number(from)) show(Number(from), Number(to));
}
window.addEventListener("hashchange", follow);
follow();
draw();

// For the console and for tests: the span shown by each chart, and a way to set it.
window.airloom = {
  show,
  detail: () => closer.drawn(),
  spans: () => Object.fromEntries(panels.map(({ id, view }) => [id, view.scale("x").domain()])),
};
document.documentElement.dataset.ready = "true";
