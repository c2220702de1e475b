"""The simulator, compiled from the Rust workspace."""

from collections.abc import Callable, Sequence
from os import PathLike

def check(text: str, file: str, overrides: Sequence[tuple[str, str]], seed: int | None) -> str: ...
def run(
    text: str,
    file: str,
    overrides: Sequence[tuple[str, str]],
    seed: int | None,
    out: str | PathLike[str],
    progress: Callable[[float], object] | None = None,
) -> str: ...
def profiles() -> str: ...
def schema() -> str: ...
def version() -> str: ...
