"""`airloom.fit`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os
    from collections.abc import Callable


def fit(
    problem: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str],
    hold_out: str = "",
    workers: int | None = None,
    dask: str | None = None,
    progress: Callable[[float, int], object] | None = None,
) -> dict[str, Any]:
    """Finds the worlds that a measurement allows; needs `airloom[fit]`.

    >>> import airloom
    >>> airloom.fit("examples/download.toml", out="fit")
    Traceback (most recent call last):
    airloom.errors.GridError: examples/download.toml: a scenario, not a fit's problem
      docs/fit.md shows one: a scenario beside it, [parameter.NAME], [[measured]]

    Args:
        problem: The problem file: a scenario, what is unknown of it, and what was measured (docs/fit.md).
        out: The folder of the results; a fit of which it holds a part goes on from there.
        hold_out: The fold of measurements that is predicted instead of fitted.
        workers: How many runs are made at the same time; as many as there are cores.
        dask: Runs on a Dask cluster, with its scheduler at this address: `"tcp://10.0.0.1:8786"`.
        progress: Called with how many runs are done, parts included, and how many there may be, from any thread.

    Returns:
        What `fit.json` says: `parameters`, `region`, `posterior`, `unidentified`, `tied`, `excluding`,
        `predictions`.

    Raises:
        GridError: The problem makes no sense, or the engine refuses one of its values.
        SweepError: The folder holds something else, or too many runs failed.
        RunError: What fits needs is not installed.
    """
    from pathlib import Path

    from airloom.api.arguments import optional_callable
    from airloom.batch.choice import executor_of
    from airloom.fitting.installed import needed

    needed()
    from airloom.fitting import problem_file

    optional_callable(progress, "progress")
    asked = problem_file.read(Path(problem), hold_out=hold_out)
    asked.check()
    from airloom.fitting import folder

    def told(done: float, total: int, _: float | None) -> None:
        if progress:
            progress(done, total)

    return folder.run(asked, Path(out), executor_of(workers, dask), told, lambda *_: None)
