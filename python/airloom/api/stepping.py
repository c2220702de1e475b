"""`airloom.steps`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from airloom.scenario.given import Scenario, Settings
    from airloom.simulation.steps import Steps


def steps(scenario: Scenario, *, every: str = "100 ms", set: Settings | None = None, seed: int | None = None) -> Steps:
    """Begins a run that stops after each step, so that its caller decides what comes next.

    >>> import airloom
    >>> run = airloom.steps("examples/download.toml", every="500 ms", set={"duration": "2 s"})
    >>> first = run.next()
    >>> first.sum("flows", "goodput") > 10
    True
    >>> far = run.next({"station.0.distance": "40 m"})
    >>> [step.time for step in run]
    [1.5, 2.0]

    Args:
        scenario: As for `run`.
        every: How long a step is.
        set: As for `run`.
        seed: As for `run`.

    Raises:
        ScenarioError: There is a mistake in it.
        RunError: An argument is wrong, or the run would not fit into memory.
    """
    from airloom.api.arguments import one_scenario
    from airloom.simulation.steps import Steps

    asked = one_scenario(scenario, set, seed)
    with asked.in_python():
        return Steps(asked, every)
