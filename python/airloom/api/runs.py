"""`airloom.run`, `airloom.check` and `airloom.load`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from airloom.api.checked import Checked
    from airloom.api.run import Run
    from airloom.scenario.given import Scenario, Settings
    from airloom.simulation.capture_settings import CaptureSettings


def run(
    scenario: Scenario,
    *,
    set: Settings | None = None,
    seed: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    capture: CaptureSettings | str | bool = False,
    progress: Callable[[float], object] | None = None,
) -> Run:
    """Runs a scenario.

    >>> import airloom
    >>> run = airloom.run("examples/download.toml", set={"duration": "2 s", "flow.0.tcp.congestion": "newreno"})
    >>> run.flow("download").congestion
    'newreno'
    >>> run.flow("download").goodput_mbps > 10
    True
    >>> run.series.get("download", "goodput").unit
    'Mbit/s'

    Args:
        scenario: A scenario file, a scenario's text (a string with a line break in it), or its tables as a dict.
        set: Values that take the place of the scenario's, by dotted key: `{"station.0.host.sack": False}`,
            `{"ap.0.queue": {"discipline": "fifo", "limit": "100 packets"}}`. `None` leaves a key as it is.
        seed: Takes the place of the scenario's own seed.
        out: The bundle's folder, which must not exist yet. Without it, the run lies in a temporary folder that goes
            with it: see `Run`.
        force: Lets the bundle take the place of one that stands at `out`.
        capture: Writes captures too: `air.pcapng`, one for each host, `sockets.parquet`, `segments.parquet` and
            `transmissions.parquet`. Text is the window of time: `"25 s..36 s"`.
        progress: Called now and then with the fraction done, from 0 to 1.

    Warns:
        ScenarioWarning: The scenario says what it probably does not mean, such as a station that hears nothing.

    Raises:
        ScenarioError: There is a mistake in the scenario; nothing was run.
        RunError: An argument is wrong, or the run could not be made or written; nothing is left behind.
    """
    from warnings import warn

    from airloom.api.arguments import one_scenario, optional_callable, path
    from airloom.api.run import Run
    from airloom.errors import ScenarioWarning
    from airloom.simulation.capture_settings import settings
    from airloom.simulation.simulate import simulate
    from airloom.support.scratch import Scratch

    asked = one_scenario(scenario, set, seed)
    optional_callable(progress, "progress")
    kept = settings(capture) or False
    scratch = Scratch() if out is None else None
    folder = path(out, "out", "upload.run") if scratch is None else scratch.path / "run"
    try:
        with asked.in_python():
            for warning in asked.warnings():
                warn(warning, ScenarioWarning, stacklevel=2)
            made = simulate(
                asked.text,
                asked.file,
                asked.overrides,
                asked.seed,
                folder,
                force=force,
                capture=kept,
                progress=progress,
            )
    except BaseException:
        if scratch is not None:
            scratch.close()
        raise
    return Run(made.path, made.summary, scratch)


def check(scenario: Scenario, *, set: Settings | None = None, seed: int | None = None) -> Checked:
    """Checks a scenario without running it.

    >>> import airloom
    >>> checked = airloom.check("examples/download.toml", set={"seed": 3})
    >>> checked.settings["seed"]
    3
    >>> airloom.check("examples/download.toml", set={"flow.0.tcp.congestion": "cubik"})
    Traceback (most recent call last):
    airloom.errors.ScenarioError: set["flow.0.tcp.congestion"]: ...

    Args:
        scenario: As for `run`.
        set: As for `run`.
        seed: As for `run`.

    Returns:
        The scenario with every default spelled out, and what it probably does not mean.

    Raises:
        ScenarioError: There is a mistake in it.
        RunError: An argument is wrong, or the run would not fit into memory.
    """
    from airloom import _engine
    from airloom.api.arguments import one_scenario
    from airloom.api.checked import Checked

    asked = one_scenario(scenario, set, seed)
    with asked.in_python():
        toml = _engine.check(asked.text, asked.file, asked.overrides, asked.seed)
        return Checked(toml, asked.warnings())


def load(path: str | os.PathLike[str]) -> Run:
    """Reads the bundle that a run left in a folder.

    >>> import airloom
    >>> with airloom.run("examples/download.toml", set={"duration": "1 s"}) as run:
    ...     airloom.load(run.path).summary["title"]
    'A download over one access point'

    Args:
        path: The folder.

    Raises:
        BundleError: There is none, or it is not as a run left it.
    """
    from airloom.api import arguments
    from airloom.api.run import Run
    from airloom.results import bundle

    there = bundle.load(arguments.path(path, "path", "upload.run"))
    return Run(there.path, there.summary)
