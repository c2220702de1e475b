"""What runs many pieces of work: the cores of this machine, or a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.batch.executor import Threads
from airloom.errors import RunError

if TYPE_CHECKING:
    from airloom.batch.executor import Executor


def executor_of(workers: int | None, dask: str | None) -> Executor:
    """An executor of so many threads, or of the cluster with its scheduler at this address.

    Raises:
        RunError: One is no such thing.
        SweepError: There is no such cluster.
    """
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
        raise RunError(f"workers: needs a number from 1, not {workers!r}")
    if dask is not None:
        from airloom.batch.dask import Dask

        if not isinstance(dask, str):
            raise RunError(f"dask: needs the address of a scheduler, such as 'tcp://10.0.0.1:8786', not {dask!r}")
        return Dask(dask)
    return Threads(workers)
