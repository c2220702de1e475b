"""`airloom run`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from airloom import _engine
from airloom.cli.common import AsJson, Out, Seed, Set, Whole, With, bring_along, overrides
from airloom.cli.kept import telling
from airloom.cli.progress import bar
from airloom.cli.terminal import print_json, warn
from airloom.errors import RunError
from airloom.results.bundle import AIR, REPORT, Run
from airloom.results.tables import SEGMENTS, SOCKETS, TRANSMISSIONS
from airloom.scenario.source import check_seed, read, worded
from airloom.simulation.capture_settings import SNAP_LENGTH, CaptureSettings
from airloom.simulation.simulate import simulate


def run(
    scenario: Path,
    /,
    *,
    out: Annotated[Path | None, Out] = None,
    seed: Seed = None,
    settings: Set = (),
    modules: With = (),
    report: bool = False,
    force: bool = False,
    capture: bool = False,
    snap_length: Annotated[int | None, Whole, Parameter(name="--snap-length")] = None,
    capture_window: Annotated[str | None, Parameter(name="--capture-window")] = None,
    as_json: AsJson = False,
) -> None:
    """Run a scenario and write its bundle.

    Examples:
        airloom run upload.toml
        # into a folder, with the report to open in a browser
        airloom run upload.toml -o out/newreno --set flow.0.tcp.congestion=newreno --report
        # with charts in finer steps than a second
        airloom run upload.toml --set record.every="50 ms" --report
        # with captures for Wireshark
        airloom run upload.toml -o out/seen --capture --capture-window "25 s..36 s"

    Args:
        scenario: The scenario file.
        out: The bundle's folder. Without it, the scenario's name with `.run`, in the current folder.
        seed: The seed, in place of the scenario's own.
        settings: A value over the scenario's, KEY=VALUE.
        modules: A module of classes that the scenario names.
        report: Write report.html into the bundle too.
        force: Replace a bundle that is already there, once the new one is whole.
        capture: Write captures too: air.pcapng, one for each host, and the logs of sockets, segments, transmissions.
        snap_length: Bytes kept of a captured packet, 70 or more, 0 for all of it. Without it, 160: every header, but of
            an A-MSDU those of its first packet alone. On the air of 802.11be 64 more: radiotap headers are longer.
        capture_window: When to capture: "25 s..36 s". Without it, always.
        as_json: Print the summary as JSON, and where the bundle is.
    """
    kept = settings_of(capture, snap_length, capture_window)
    bring_along(modules)
    text, file = read(scenario)
    from airloom.sweep.plan import refuse_grid, runs_it

    refuse_grid(text, file, runs_it(file))
    check_seed(seed)
    changed = worded(overrides(settings))
    warn(_engine.warnings(text, file, changed, seed))
    target = out if out is not None else Path(f"{scenario.stem}.run")
    with telling("the bundle", target):
        with bar(scenario.stem) as shown:
            made = simulate(
                text,
                file,
                changed,
                seed,
                target,
                force=force,
                capture=kept or False,
                progress=shown.update,
            )
        if report:
            draw(made, target / REPORT)
        if as_json:
            print_json("run", {"bundle": str(target), "results_version": _engine.results(), **made.summary})
            return
        from airloom.analysis.sharing import sharing
        from airloom.cli.run_tables import show
        from airloom.cli.screen import Screen

        screen = Screen()
        screen.say(made.summary["title"], style="bold")
        show(screen, made.summary, made.settings)
        if shared := sharing(made.scenario):
            screen.fold(shared, indent=0)
        screen.say(f"bundle: {target}")
        if kept:
            captured = made.summary["captured"]
            files = [
                AIR,
                *(f"{name}.pcapng" for name in (*captured.get("monitors", ()), *captured["hosts"])),
                SOCKETS,
                SEGMENTS,
                TRANSMISSIONS,
            ]
            screen.say(f"captures: {', '.join(files)}")
            if unseen := interferers(made):
                screen.say(f"no capture has what interferers send: {', '.join(unseen)}")
        if report:
            screen.say(f"report: {target / REPORT}")


def interferers(made: Run) -> list[str]:
    """The names of what sends beside 802.11, or without a station: frames of it are in no capture."""
    return [one["name"] for one in tomllib.loads(made.scenario).get("interferer", ())]


def draw(made: Run, page: Path) -> None:
    """Writes the report; the bundle stays if that fails."""
    try:
        from airloom.papers.run_report import write

        write(made, page)
    except (OSError, MemoryError, ImportError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or "out of memory"
        raise RunError(f"{page}: cannot be written ({reason}); the bundle is whole without it") from None


def settings_of(capture: bool, snap_length: int | None, window: str | None) -> CaptureSettings | None:
    """What to capture, if anything."""
    for name, value in (("--snap-length", snap_length), ("--capture-window", window)):
        if value is not None and not capture:
            raise RunError(f"{name} says how to capture, but --capture is missing")
    if not capture:
        return None
    return CaptureSettings(SNAP_LENGTH if snap_length is None else snap_length, window)
