"""A laboratory for TCP over Wi-Fi: simulate it, and see every layer at once.

>>> import airloom
>>> run = airloom.run("upload.toml", seed=2)
>>> run.summary["flows"][0]["goodput_mbps"]
>>> polars.from_arrow(run.series)
"""

from airloom.bundle import Run, load
from airloom.captures import CaptureSettings
from airloom.errors import AirloomError, BundleError, PaperError, RunError, ScenarioError
from airloom.simulate import run

__all__ = [
    "AirloomError",
    "BundleError",
    "CaptureSettings",
    "PaperError",
    "Run",
    "RunError",
    "ScenarioError",
    "load",
    "run",
]
