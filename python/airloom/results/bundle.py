"""A run bundle: the folder that one run leaves."""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict

from msgspec import Meta

from airloom.errors import BundleError
from airloom.results import tables
from airloom.results.groups import Group, group
from airloom.results.parts import Flow, Node, named
from airloom.results.planned import planned
from airloom.results.summary import read as read_summary
from airloom.results.tables import SERIES
from airloom.results.timing import CHANGES, TIMING, Change, Changes, Timing
from airloom.support import reading

if TYPE_CHECKING:
    import os

    from airloom.results.frames import Frames
    from airloom.results.run_series import RunSeries
    from airloom.results.series import Series, SeriesTable
    from airloom.results.summary import Summary
    from airloom.results.table import Table
    from airloom.support.reading import Shape

SCENARIO = "scenario.toml"
SUMMARY = "summary.json"
MANIFEST = "manifest.json"
DIAGNOSIS = "diagnosis.json"
SWEEP = "sweep.json"
"""What the folder of a diagnosis has, which is no run's."""

REPORT = "report.html"
BUNDLE = "a bundle"
"""What messages call the folder."""

AIR = "air.pcapng"


class Manifest(TypedDict):
    """What a bundle says of itself.

    Attributes:
        schema: The name and the version of this document's schema; one that is not there is the first.
        airloom: The engine's version.
        results: Its results version: with the same one, a scenario and a seed give the same numbers.
        engine: The SHA-256 of its code, if the program that ran knew it.
        seed: The seed.
        bin_s: The width of a bin of the series, in seconds; one that is not there is a second.
        sha256: The SHA-256 of each other file, by name.
    """

    schema: NotRequired[Literal["airloom-manifest/1"]]
    airloom: str
    results: int
    engine: str | None
    seed: int
    bin_s: NotRequired[Annotated[float, Meta(ge=0.001, le=86_400)]]
    sha256: dict[str, str]


class Run:
    """One run, read from its bundle.

    Attributes:
        path: The bundle's folder.
        summary: What `summary.json` holds.
        called: The name that tells it from other runs, if it was given one.
    """

    def __init__(self, path: Path, summary: Summary, called: str = "") -> None:
        """Binds a summary that was read to the folder that it came from."""
        self.path = path
        self.summary = summary
        self.called = called

    @cached_property
    def series(self) -> RunSeries:
        """The time series: a table for other libraries, and each series by its name."""
        from airloom.results.run_series import RunSeries

        return RunSeries(self._rows, self.table)

    @cached_property
    def _rows(self) -> Table:
        """The time series as a table: time (s, start of the bin), entity, metric, value, unit."""
        return tables.read(self.file(SERIES))

    @cached_property
    def sockets(self) -> Table:
        """Every change of every sender's window, as a table.

        The columns are time (s), flow, cwnd, ssthresh, in_flight (packets), srtt_ms, rto_ms and state. What BBR takes
        its path to be is in phase, delivered (packets), path_mbps, path_rtt_ms, pacing_gain, window_gain, excess,
        short_term and long_term (packets); other congestion controls leave those empty.

        Raises:
            BundleError: The run was made without captures.
        """
        return tables.read(self.capture(tables.SOCKETS))

    @cached_property
    def segments(self) -> Table:
        """Every segment where TCP sent it and where it passed a host's network device, as a table.

        The columns are time (s), flow, host, place, seq, ack and payload (bytes).

        Raises:
            BundleError: The run was made without captures.
        """
        return tables.read(self.capture(tables.SEGMENTS))

    @cached_property
    def transmissions(self) -> Table:
        """Every PPDU with data as it was sent, received or not, as a table.

        The columns are time, end (s), from, to, rate_mbps, mpdus, good, retries and fate.

        Raises:
            BundleError: The run was made without captures.
        """
        return tables.read(self.capture(tables.TRANSMISSIONS))

    @cached_property
    def detail(self) -> Table | None:
        """What every layer did around the first and the worst absences, holds and recoveries; None if left out.

        The columns are window, time, end (s), event, entity, to, kind, seq, bytes, packets, good, retries, rate_mbps,
        fate and acked. The first row of each window says what it is about.
        """
        return tables.read(self.file(tables.DETAIL)) if (self.path / tables.DETAIL).is_file() else None

    @cached_property
    def frames(self) -> Frames:
        """The frames that a monitor station beside the access point heard.

        Raises:
            BundleError: The run was made without captures.
        """
        from airloom.results.frames import read

        return read(self.capture(AIR))

    def _one_series(self, entity: str, metric: str) -> Series:
        """One metric of one flow or node."""
        return self.series.get(entity, metric)

    @property
    def flows(self) -> list[Flow]:
        """Its flows, in the order of the scenario."""
        return [Flow(one, self._one_series) for one in self.summary["flows"]]

    @property
    def nodes(self) -> list[Node]:
        """Its stations, access points and servers, in the order of the scenario."""
        return [Node(one, self._one_series) for one in self.summary["nodes"]]

    @property
    def stations(self) -> list[Node]:
        """Its stations, in the order of the scenario."""
        return [node for node in self.nodes if node.kind == "station"]

    def flow(self, name: str) -> Flow:
        """The flow of a name: `run.flow("server-alice").goodput_mbps`.

        Raises:
            UnknownNameError: There is none; the message has the likely name.
        """
        return named("flow", name, self.flows)

    def station(self, name: str) -> Node:
        """The station of a name: `run.station("bob").received_rate_mbps`.

        Raises:
            UnknownNameError: There is none; the message has the likely name.
        """
        return named("station", name, self.stations)

    def node(self, name: str) -> Node:
        """The station, the access point or the server of a name.

        Raises:
            UnknownNameError: There is none; the message has the likely name.
        """
        return named("node", name, self.nodes)

    def group(self, name: str) -> Group:
        """The stations or the flows of a group as one: `run.group("sta").goodput_mbps` is the sum.

        Raises:
            UnknownNameError: There is none; the message has the likely name.
        """
        return group(name, self.flows, self.stations)

    def capture(self, name: str) -> Path:
        """A file that only a run with captures leaves."""
        file = self.path / name
        if not file.is_file():
            raise BundleError(f"{file}: the run was made without captures; make it with --capture (capture=True)")
        return self.file(name)

    @cached_property
    def timing(self) -> Timing | None:
        """How well the machine kept time; None of a run without real programs."""
        return self._beside(TIMING, Timing) if (self.path / TIMING).is_file() else None

    @cached_property
    def changes(self) -> list[Change]:
        """What changed in the world as it ran, in the order of time: by its scenario, or by somebody."""
        by_scenario = planned(self.settings, self.summary["duration_s"])
        return sorted([*by_scenario, *self.changed_by_hand], key=lambda change: change["time_s"])

    @property
    def changed_by_hand(self) -> list[Change]:
        """What somebody changed as it ran, with `airloom knob`: its scenario does not tell of that."""
        return self._beside(CHANGES, Changes)["changes"] if (self.path / CHANGES).is_file() else []

    def _beside(self, name: str, shape: type[Shape]) -> Shape:
        """A file in JSON that only a run with real programs leaves."""
        file = self.file(name)
        try:
            return reading.shaped(reading.json(reading.read(file)), shape)
        except (OSError, ValueError) as error:
            raise BundleError(f"{file}: not of a run ({error}); run it again") from None

    @cached_property
    def manifest(self) -> Manifest:
        """What the bundle says of itself: versions, seed, and the SHA-256 of engine and files."""
        return read_manifest(self.path)

    def file(self, name: str) -> Path:
        """A file of the bundle.

        Raises:
            BundleError: It is not as the run left it.
        """
        file = self.path / name
        verify(file, self.manifest)
        return file

    @cached_property
    def table(self) -> SeriesTable:
        """The time series by entity and metric."""
        from airloom.results.series import BIN, SeriesTable

        try:
            return SeriesTable(self._rows, self.summary["duration_s"], self.manifest.get("bin_s", BIN))
        except ValueError as error:
            raise BundleError(f"{self.path / SERIES}: {error}") from None

    @cached_property
    def scenario(self) -> str:
        """The resolved scenario, as TOML."""
        return self._scenario[0]

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The resolved scenario, as tables."""
        return self._scenario[1]

    @cached_property
    def _scenario(self) -> tuple[str, dict[str, Any]]:
        """The resolved scenario, as text and as what it says."""
        file = self.file(SCENARIO)
        try:
            text = reading.read(file).decode()
            return text, reading.toml(text)
        except (OSError, ValueError) as error:
            raise BundleError(f"{file}: not a run's scenario: {error}") from None

    def __repr__(self) -> str:
        """The title and the place."""
        return f"<airloom.Run {self.summary['title']!r} at {self.path}>"


def load(path: str | os.PathLike[str]) -> Run:
    """Reads the bundle in a folder.

    Raises:
        BundleError: There is none, or it is not as a run left it.
    """
    folder = Path(path)
    if is_file(folder):
        hint = f"it is run by: airloom run {folder} (in Python: airloom.run)" if folder.suffix == ".toml" else ""
        raise BundleError(f"{folder}: a file, not the folder of a run", *filter(None, [hint]))
    refuse_diagnosis(folder)
    if is_file(folder / SWEEP):
        hint = f"`airloom sweep show {folder}` shows it, with -o page.html as a page"
        raise BundleError(f"{folder}: the results of a sweep, not the folder of a run", hint)
    if missing := lacking(folder):
        raise BundleError(f"{folder}: not a run bundle ({missing}); `airloom run SCENARIO -o {folder}` makes one")
    file, manifest = folder / SUMMARY, read_manifest(folder)
    verify(file, manifest)
    try:
        return Run(folder, read_summary(reading.json(reading.read(file))))
    except (OSError, ValueError) as error:
        raise BundleError(
            f"{file}: not a run's summary ({error}); {of_another_version(manifest)}run it again"
        ) from None


def of_another_version(manifest: Manifest) -> str:
    """What a message says of a bundle that another version of airloom has written; nothing of one of this version."""
    from airloom import _engine

    ours, theirs = _engine.version(), manifest["airloom"]
    return "" if theirs == ours else f"airloom {theirs} wrote it, this is {ours}: "


def refuse_diagnosis(folder: Path) -> None:
    """Refuses the folder of a diagnosis, and says what there is for that.

    Raises:
        BundleError: It is one.
    """
    if is_file(folder / DIAGNOSIS):
        page = folder / "report.html"
        hint = f"its page is {page}; what changed between captures: airloom diagnose BEFORE --against AFTER"
        raise BundleError(f"{folder}: a diagnosis of captures, not the folder of a run", hint)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a bundle."""
    file = folder / MANIFEST
    try:
        return reading.shaped(reading.json(reading.read(file)), Manifest)
    except (OSError, ValueError) as error:
        raise BundleError(f"{file}: not a run's manifest ({error}); run the scenario again") from None


def verify(file: Path, manifest: Manifest) -> None:
    """Refuses a file that is not as the run left it."""
    try:
        with reading.opened(file) as there:
            found = hashlib.file_digest(there, "sha256").hexdigest()
    except OSError as error:
        raise BundleError(f"{file}: cannot be read: {error.strerror}") from error
    if found != manifest["sha256"].get(file.name):
        raise BundleError(f"{file}: changed since the run (its SHA-256 is not the manifest's); run the scenario again")


def lacking(folder: Path) -> str:
    """What a folder lacks that every bundle has; empty if it is one."""
    try:
        if not folder.is_dir():
            return "no such folder"
        return next((f"no {name} in it" for name in (SUMMARY, MANIFEST) if not (folder / name).is_file()), "")
    except (OSError, ValueError) as error:
        return str(getattr(error, "strerror", error))


def is_file(path: Path) -> bool:
    """Whether there is a file of this name."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_bundle(folder: Path) -> bool:
    """Whether a folder holds what every bundle holds."""
    return not lacking(folder)
