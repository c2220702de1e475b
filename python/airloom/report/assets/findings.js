// What was found: one click on a finding shades its time in every chart, goes there, and lists its packets.
// `timeline.js` calls this in the place of what shows windows of detail.

window.showDetail = (content, panels, listen, draw, { show, point }) => {
  const { findings, excerpts } = content;
  const place = document.getElementById("packets");
  const openers = [...document.querySelectorAll(".open[data-finding]")];
  let chosen = -1;

  const text = (value, digits) => (value === null ? "" : value.toLocaleString("en", { maximumFractionDigits: digits }));

  function line(row, names) {
    const [number, at, kind, from, to, length, mbps, dbm, says, marks] = row;
    const made = document.createElement("tr");
    made.classList.toggle("named", (marks & 1) > 0);
    made.classList.toggle("again", (marks & 2) > 0);
    const cells = [[number, "n"], [at.toFixed(6), "n"], [names[kind]], [names[from]], [names[to]], [length, "n"], [text(mbps, 1), "n"], [text(dbm, 0), "n"], [says]];
    for (const [value, style] of cells) {
      const cell = document.createElement("td");
      cell.textContent = value;
      if (style) cell.className = style;
      made.append(cell);
    }
    made.addEventListener("pointerenter", () => point(at));
    made.addEventListener("pointerleave", () => point(null));
    return made;
  }

  function list(finding, { rows, names }) {
    place.querySelector(".title").textContent = finding.title;
    place.querySelector("small").textContent = finding.subject;
    const named = rows.some((row) => row[9] & 1);
    const told = named ? "records, those that the finding names shaded" : "records from within its time";
    place.querySelector(".told").textContent = rows.length
      ? `${rows.length} ${told}; all of them in Wireshark: ${finding.filter}`
      : `None of its records could be read again; in Wireshark: ${finding.filter}`;
    place.querySelector("table").classList.toggle("wired", rows.every((row) => row[6] === null && row[7] === null));
    place.querySelector("tbody").replaceChildren(...rows.map((row) => line(row, names)));
    place.querySelector(".rows").hidden = !rows.length;
    place.querySelector(".rows").scrollTop = 0;
  }

  function choose(index) {
    chosen = index;
    for (const opener of openers) opener.setAttribute("aria-pressed", Number(opener.dataset.finding) === index);
    for (const { view } of panels) view.signal("chosen", index).run();
    place.hidden = index < 0;
    if (index < 0) return;
    const finding = findings[index];
    list(finding, excerpts[index]);
    show(finding.from, finding.to);
    place.scrollIntoView({ block: "start" });
  }

  for (const opener of openers) {
    const index = Number(opener.dataset.finding);
    opener.addEventListener("click", () => choose(index === chosen && opener.closest(".chips") ? -1 : index));
  }
  place.querySelector(".close").addEventListener("click", () => choose(-1));

  // A click on a bar: the finding of that row whose time is nearest.
  const bars = panels.find(({ id }) => id === "findings");
  let pressed = 0;
  bars?.plot.addEventListener("pointerdown", ({ clientX }) => { pressed = clientX; });
  bars?.plot.addEventListener("click", ({ clientX, clientY }) => {
    if (Math.abs(clientX - pressed) > 4) return;
    const box = bars.plot.getBoundingClientRect();
    const row = Math.floor((clientY - box.top - 8) / content.row);
    const time = bars.view.scale("x").invert(clientX - box.left - content.left);
    const off = (index) => Math.min(...findings[index].spans.map(([from, to]) => Math.max(from - time, time - to, 0)), Infinity);
    const there = findings.map((_, index) => index).filter((index) => content.rows[index] === row);
    const nearest = there.sort((a, b) => off(a) - off(b))[0];
    if (nearest !== undefined) choose(nearest);
  });

  return { follow: () => {}, drawn: () => null };
};
