// The figures of a paper: each drawn as wide as its place, and again when that changes.

const content = JSON.parse(document.getElementById("content").textContent);
for (const { id, spec } of content.figures) {
  const plot = document.getElementById(`figure-${id}`).querySelector(".plot");
  const width = () => Math.max(120, plot.clientWidth - spec.padding.left - spec.padding.right);
  spec.width = width();
  const { view } = await window.vegaEmbed(plot, spec, { renderer: "svg", actions: false, tooltip: false, ast: true, defaultStyle: false });
  window.offerToSave(plot.parentElement, view, spec);
  new ResizeObserver(() => view.width(width()).run()).observe(plot);
}
document.documentElement.dataset.ready = "true";
