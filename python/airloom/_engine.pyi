"""The simulator, compiled from the Rust workspace."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import TypedDict

class ProfileValue(TypedDict):
    key: str
    value: str
    source: str
    calibrated: str | None

class Profile(TypedDict):
    kind: str
    name: str
    description: str
    path: str
    chips: list[str]
    values: list[ProfileValue]

class ScenarioWarning(TypedDict):
    file: str
    line: int
    column: int
    message: str
    hint: str | None
    setting: str | None

def check(text: str, file: str, overrides: Sequence[tuple[str, str]], seed: int | None) -> str: ...
def warnings(text: str, file: str, overrides: Sequence[tuple[str, str]], seed: int | None) -> list[ScenarioWarning]: ...
def run(
    text: str,
    file: str,
    overrides: Sequence[tuple[str, str]],
    seed: int | None,
    out: str | PathLike[str],
    replace: bool = False,
    capture: tuple[int, int, int] | None = None,
    progress: Callable[[float], object] | None = None,
    engine: str | None = None,
) -> str: ...
def hosts(text: str, file: str, overrides: Sequence[tuple[str, str]], seed: int | None) -> list[tuple[str, str]]: ...
def programs(
    text: str, file: str, overrides: Sequence[tuple[str, str]], seed: int | None
) -> list[tuple[str, tuple[str, str], tuple[str, str] | None, float, float | None]]: ...
def live(
    text: str,
    file: str,
    overrides: Sequence[tuple[str, str]],
    seed: int | None,
    flows: bool,
    devices: Sequence[int],
    kernels: Sequence[int],
    listeners: Sequence[int],
    stop: int,
    gateway: str | None,
    out: str | PathLike[str] | None = None,
    replace: bool = False,
    capture: tuple[int, int, int] | None = None,
    engine: str | None = None,
) -> str: ...
def summarize(
    text: str,
    file: str,
    overrides: Sequence[tuple[str, str]],
    seed: int | None,
    progress: Callable[[float], object] | None = None,
) -> str: ...

class Frames:
    def __len__(self) -> int: ...
    def __getitem__(
        self, at: int
    ) -> tuple[int, int | None, str, str | None, str | None, int | None, bool, bool, int | None, bool, int]: ...

def read_machine() -> str: ...
def examine_machine(snapshot: str, columns: int) -> tuple[str, list[tuple[str, str]]]: ...
def machine_checks() -> list[tuple[str, str, str, str]]: ...
def collect(
    out: str | PathLike[str], seconds: int, interface: str | None, began: Callable[[], None]
) -> tuple[str, list[str]]: ...
def diagnose(paths: Sequence[str | PathLike[str]], progress: Callable[[float], object] | None = None) -> str: ...
def rules() -> str: ...
def diagnose_closely(
    paths: Sequence[str | PathLike[str]], progress: Callable[[float], object] | None = None
) -> tuple[str, str, str]: ...
def airtime(ask: str) -> str: ...
def exchange(new: str | PathLike[str], old: str | PathLike[str]) -> None: ...
def frames(path: str | PathLike[str]) -> Frames: ...
def read_table(path: str | PathLike[str], columns: Sequence[tuple[str, str]], most: int) -> list[bytes | list[str]]: ...
def write_table(
    path: str | PathLike[str],
    columns: Sequence[tuple[str, str, Sequence[object]]],
    notes: Sequence[tuple[str, str]],
) -> None: ...
def receive(rate_mbps: float, first: int, ampdus: Sequence[str]) -> list[dict[int, str]]: ...
def retry_out_index(rates_mbps: Sequence[float]) -> int | None: ...
def profiles() -> list[Profile]: ...
def serves_for_profile(name: str) -> str | None: ...
def serves_for_key(key: str) -> str | None: ...
def numbered(text: str, keys: Sequence[str]) -> list[str]: ...
def schema() -> str: ...
def summary_schema() -> str: ...
def version() -> str: ...
def results() -> int: ...
