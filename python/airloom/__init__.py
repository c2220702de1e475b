"""A laboratory for TCP over Wi-Fi: simulate it, and see every layer at once.

>>> import airloom
>>> run = airloom.run("examples/download.toml", seed=2, set={"duration": "2 s"})
>>> run.flow("download").congestion
'cubic'

What there is: `run` and `check` take a scenario, `sweep` a grid of them, `fit` what was measured; `compare` and
`report` show what came of runs, `load` reads one that is there; `diagnose` takes captures, `against` those of before
and after, `doctor` a machine's Wi-Fi; `shell` has real programs talk over one; `papers`, `profiles` and `schema` list
what there is to use. `congestion_control`, `rate_control`, `queue`, `scheduler`, `roaming_policy`, `scan_policy` and
`traffic` bring classes of your own; `steps` runs step by step, and `airloom.gym` has environments for learning agents.
"""

# ruff: noqa: E402 - Ctrl-C is heeded before anything else is imported
from airloom.support.early import heed, imported

heed()

# These rooms are called like functions: imported first, they leave the names to them. Nothing heavy comes with either.
import airloom.papers
import airloom.report
import airloom.sweep  # noqa: F401
from airloom.api.catalogues import papers, profiles, schema
from airloom.api.comparisons import compare
from airloom.api.diagnoses import against, diagnose
from airloom.api.fits import fit
from airloom.api.machine import doctor
from airloom.api.reports import report
from airloom.api.runs import check, load, run
from airloom.api.stepping import steps
from airloom.api.sweeps import sweep

imported()

TYPE_CHECKING = False
if TYPE_CHECKING:
    from airloom.api.comparison import Comparison
    from airloom.api.run import Run
    from airloom.api.sweep_results import Sweep
    from airloom.emulation.background import shell
    from airloom.errors import (
        AirloomError,
        BundleError,
        CaptureError,
        EmulationError,
        GridError,
        MachineError,
        Mistake,
        OwnClassError,
        PaperError,
        RunError,
        ScenarioError,
        ScenarioWarning,
        SweepError,
        UnknownNameError,
    )
    from airloom.own.congestion import congestion_control
    from airloom.own.queue import queue
    from airloom.own.rate import rate_control
    from airloom.own.roaming import roaming_policy
    from airloom.own.scan import scan_policy
    from airloom.own.scheduler import scheduler
    from airloom.own.traffic import traffic
    from airloom.scenario.toml_text import Value
    from airloom.simulation.capture_settings import CaptureSettings

    __version__: str

__all__ = [
    "AirloomError",
    "BundleError",
    "CaptureError",
    "CaptureSettings",
    "Comparison",
    "EmulationError",
    "GridError",
    "MachineError",
    "Mistake",
    "OwnClassError",
    "PaperError",
    "Run",
    "RunError",
    "ScenarioError",
    "ScenarioWarning",
    "Sweep",
    "SweepError",
    "UnknownNameError",
    "Value",
    "__version__",
    "against",
    "check",
    "compare",
    "congestion_control",
    "diagnose",
    "doctor",
    "fit",
    "load",
    "papers",
    "profiles",
    "queue",
    "rate_control",
    "report",
    "roaming_policy",
    "run",
    "scan_policy",
    "scheduler",
    "schema",
    "shell",
    "steps",
    "sweep",
    "traffic",
]

HOMES = {
    "CaptureSettings": "simulation.capture_settings",
    "Comparison": "api.comparison",
    "Run": "api.run",
    "Sweep": "api.sweep_results",
    "Value": "scenario.toml_text",
    "congestion_control": "own.congestion",
    "queue": "own.queue",
    "rate_control": "own.rate",
    "roaming_policy": "own.roaming",
    "scan_policy": "own.scan",
    "scheduler": "own.scheduler",
    "shell": "emulation.background",
    "traffic": "own.traffic",
}
"""Where that is which is imported when it is asked for; errors are in `errors`."""


def __getattr__(name: str) -> object:
    """Imports what is asked for when it is: a command that fails or is stopped early has not waited for all."""
    from importlib import import_module

    if name == "__version__":
        return import_module("airloom._engine").version()
    if name in __all__:
        return getattr(import_module(f"airloom.{HOMES.get(name, 'errors')}"), name)
    raise AttributeError(f"module 'airloom' has no attribute {name!r}")


def __dir__() -> list[str]:
    """What there is to use; rooms are found by their names all the same."""
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
