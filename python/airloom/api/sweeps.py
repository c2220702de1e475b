"""`airloom.sweep`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from airloom.api.sweep_results import Sweep
    from airloom.scenario.given import Scenario, Settings
    from airloom.scenario.toml_text import Value


def sweep(
    scenario: Scenario,
    axes: Mapping[str, Sequence[Value] | Mapping[str, Settings]] | None = None,
    *,
    seeds: int | Sequence[int] | None = None,
    set: Settings | None = None,
    sample: tuple[int, int] | None = None,
    keep: str = "summary",
    out: str | os.PathLike[str] | None = None,
    retry: bool = False,
    workers: int | None = None,
    dask: str | None = None,
    progress: Callable[[float, int], object] | None = None,
) -> Sweep:
    """Runs every combination of some values, with every seed, on all cores.

    >>> import airloom
    >>> swept = airloom.sweep(
    ...     "examples/download.toml",
    ...     {"ap.0.queue.limit": ["50 packets", "200 packets"]},
    ...     seeds=2,
    ...     set={"duration": "1 s"},
    ... )
    >>> len(swept)
    4
    >>> shown = swept.show("goodput_mbps", by="ap.0.queue.limit")
    >>> shown.places
    ['50 packets', '200 packets']

    Args:
        scenario: The scenario, as for `run`; or a grid file, which has all that is below in it.
        axes: What is varied. The values of a key, by the key; or named settings, by any name:
            `{"place": {"near": {"station.0.distance": "2 m"}, "far": {"station.0.distance": "20 m"}}}`.
        seeds: The seeds, or how many, from 1. Without them, the scenario's own.
        set: What takes the place of the scenario's values in all cells, by dotted key.
        sample: Draws some cells instead of running all: how many, and the seed of the draw.
        keep: What is left of each run: `"summary"`, or `"bundle"` for all of it.
        out: The folder of the results; a sweep of which it holds a part goes on from there. Without it, they lie in a
            temporary folder that goes with them.
        retry: Runs those cells again that failed before.
        workers: How many cells run at the same time; as many as there are cores.
        dask: Runs the cells on a Dask cluster, with its scheduler at this address: `"tcp://10.0.0.1:8786"`.
        progress: Called with how many cells are done, parts included, and of how many, from any thread.

    Warns:
        ScenarioWarning: Cells say what they probably do not mean; it says how many, and which.

    Raises:
        GridError: The grid makes no sense, or the engine refuses one of its values.
        ScenarioError: There is a mistake in the scenario.
        SweepError: The folder holds something else, or no cell could be run.
    """
    from airloom.api.arguments import optional_callable
    from airloom.api.sweep_plan import read
    from airloom.api.sweep_results import perform

    optional_callable(progress, "progress")
    asked = read(scenario, axes, seeds=seeds, settings=set, sample=sample, keep=keep)
    return perform(asked, out=out, retry=retry, workers=workers, dask=dask, progress=progress)
