"""A laboratory for TCP over Wi-Fi: simulate it, and see every layer at once.

>>> import airloom
>>> run = airloom.run("upload.toml", seed=2)
>>> run.summary["flows"][0]["goodput_mbps"]
>>> polars.from_arrow(run.series)
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from airloom.errors import (
        AirloomError,
        BundleError,
        GridError,
        PaperError,
        RunError,
        ScenarioError,
        SweepError,
    )
    from airloom.results.bundle import Run, load
    from airloom.simulation.capture_settings import CaptureSettings
    from airloom.simulation.simulate import run

__all__ = [
    "AirloomError",
    "BundleError",
    "CaptureSettings",
    "GridError",
    "PaperError",
    "Run",
    "RunError",
    "ScenarioError",
    "SweepError",
    "load",
    "run",
]


def __getattr__(name: str) -> object:
    """Imports what is asked for when it is: a command that fails or is stopped early has not waited for all."""
    if name in __all__:
        from importlib import import_module

        homes = {
            "Run": "results.bundle",
            "load": "results.bundle",
            "CaptureSettings": "simulation.capture_settings",
            "run": "simulation.simulate",
        }
        return getattr(import_module(f"airloom.{homes.get(name, 'errors')}"), name)
    raise AttributeError(f"module 'airloom' has no attribute {name!r}")
