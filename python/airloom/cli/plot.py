"""`airloom plot`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from airloom.analysis.starved import sentences
from airloom.analysis.trends import trends
from airloom.cli import kinds
from airloom.cli.common import Out, Whole, pairs
from airloom.cli.progress import bar
from airloom.cli.terminal import say
from airloom.errors import AirloomError
from airloom.report import picture
from airloom.report.standalone import WIDTH
from airloom.results.aggregates import Over

if TYPE_CHECKING:
    from airloom.results.bundle import Run


def plot(
    what: str,
    /,
    *others: str,
    out: Annotated[Path, Out],
    panel: Annotated[tuple[str, ...], Parameter(name="--panel")] = (),
    start: Annotated[float | None, Parameter(name="--from")] = None,
    end: Annotated[float | None, Parameter(name="--to")] = None,
    metric: str | None = None,
    by: str | None = None,
    lines: tuple[str, ...] = (),
    panels: str | None = None,
    of: str | None = None,
    over: Over | None = None,
    where: tuple[str, ...] = (),
    figure: str | None = None,
    title: str | None = None,
    width: Annotated[int, Whole] = WIDTH,
    height: Annotated[int | None, Whole] = None,
) -> None:
    """Draw a chart of a run, of several, of a sweep or of a paper into a file: .svg, .png, .pdf, or .json (Vega-Lite).

    Pictures need vl-convert: `pip install 'airloom[plot]'`.

    Examples:
        airloom plot out/upload --panel goodput --panel rtt -o upload.pdf
        airloom plot out/upload --panel goodput --from 24 --to 36 -o scan.svg
        airloom plot out/fifo out/fq_codel --panel rtt -o queues.svg
        airloom plot buffer.sweep --metric rtt_mean_ms --by ap.0.queue.limit --lines place -o buffer.svg
        airloom plot scan --figure 3 -o figure-3.png

    Args:
        what: A bundle, the folder of a sweep, or the name of a paper.
        others: Bundles that are laid over the first.
        out: The file; its suffix says what it becomes.
        panel: Of runs: a panel of the report, by its name there, such as goodput, cwnd or rtt. May be repeated: they
            stand below each other. Without it, all.
        start: Of runs: from when on, in seconds.
        end: Of runs: until when, in seconds.
        metric: Of a sweep: a metric of the summaries, such as goodput_mbps.
        by: Of a sweep: the key along which it is shown.
        lines: Of a sweep: a key whose values have a line each. May be given twice: colours, then shapes.
        panels: Of a sweep: a key whose values have a chart each.
        of: Of a sweep: the flow, the node or the group whose metric it is, or run for the whole run.
        over: Of a sweep: what is shown of a group in a run, over its members.
        where: Of a sweep: only cells with this value, KEY=VALUE. May be repeated.
        figure: Of a paper: the number of the figure.
        title: What stands above the chart, in place of the run's title.
        width: Pixels of the plot, from one end of its axis to the other.
        height: Pixels of the plot upward.
    """
    picture.suffix(out)
    if width < picture.SMALLEST or (height is not None and height < picture.SMALLEST):
        raise AirloomError(f"a plot needs {picture.SMALLEST} pixels at least; the default is {WIDTH}")
    kind = kinds.kind_of(what)
    given: dict[kinds.Kind, dict[str, object]] = {
        "run": {"--panel": panel, "--from": start is not None, "--to": end is not None, "a second bundle": others},
        "sweep": {
            "--metric": metric,
            "--by": by,
            "--lines": lines,
            "--panels": panels,
            "--of": of,
            "--over": over,
            "--where": where,
        },
        "paper": {"--figure": figure},
    }
    kinds.refuse_foreign(what, kind, given)
    notes: list[str] = []
    match kind:
        case "run":
            from airloom.report.run_chart import run_chart
            from airloom.results.bundle import load

            runs = [load(one) for one in (what, *others)]
            made = run_chart(runs, panel, start=start, end=end, width=width, height=height, title=title)
            notes = [text for run in runs for text in told(run, several=len(runs) > 1)]
        case "sweep":
            from airloom.sweep import results, shown_file
            from airloom.sweep.chart import CUT, is_cut
            from airloom.sweep.chart import picture as draw

            there = results.load(Path(what))
            shown = kinds.shown(there, metric, by, lines, panels, of, over, pairs(where, "--where", "position=far"))
            made = draw(shown, shown_file.named(there), width=width, height=height, title=title)
            notes = [*shown.notes, *([CUT] if is_cut(shown) else []), *shown.idle]
        case _:
            from airloom.papers import figures_page, paper, runner
            from airloom.papers.figure_file import read_figures

            published = paper.read(what)
            wanted = figures_page.numbered(read_figures(published), figure)
            with bar(what) as shown_bar:
                runs_of = runner.make(published, wanted.runs, progress=shown_bar.update)
            made = figures_page.picture(published, wanted, runs_of, width=width, height=height, title=title)
    made.save(out)
    say(str(out), *notes)


def told(run: Run, *, several: bool) -> list[str]:
    """What a picture of a run does not show: flows that delivered nothing, and what has not settled."""
    named = f"{run.path.name}: " if several else ""
    return [f"{named}{text}" for text in (*sentences(run.summary), *trends(run.summary, run.settings))]
