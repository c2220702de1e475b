"""A run bundle: the folder that one run leaves."""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from airloom import captures
from airloom.errors import BundleError

if TYPE_CHECKING:
    import os

    import pyarrow as pa

    from airloom.frames import Frames
    from airloom.series import SeriesTable
    from airloom.summary import Summary

SCENARIO = "scenario.toml"
SUMMARY = "summary.json"
SERIES = "series.parquet"
MANIFEST = "manifest.json"
REPORT = "report.html"

SUMMARY_KEYS = {
    "airloom",
    "title",
    "seed",
    "duration_s",
    "flows",
    "nodes",
    "airtime",
    "drops",
    "scans",
    "scan_requests",
}
"""What every summary tells."""


class Run:
    """One run, read from its bundle.

    Attributes:
        path: The bundle's folder.
        summary: What `summary.json` holds.
    """

    def __init__(self, path: Path, summary: Summary) -> None:
        """Binds a summary that was read to the folder that it came from."""
        self.path = path
        self.summary = summary

    @cached_property
    def series(self) -> pa.Table:
        """The time series as an Arrow table: time (s, start of the bin), entity, metric, value, unit."""
        return read_table(self.file(SERIES))

    @cached_property
    def sockets(self) -> pa.Table:
        """Every change of every sender's window, as an Arrow table.

        The columns are time (s), flow, cwnd, ssthresh, in_flight (packets), srtt_ms, rto_ms and state.

        Raises:
            BundleError: The run was made without captures.
        """
        return read_table(self.capture(captures.SOCKETS))

    @cached_property
    def segments(self) -> pa.Table:
        """Every segment where TCP sent it and where it passed a host's network device, as an Arrow table.

        The columns are time (s), flow, host, place, seq, ack and payload (bytes).

        Raises:
            BundleError: The run was made without captures.
        """
        return read_table(self.capture(captures.SEGMENTS))

    @cached_property
    def transmissions(self) -> pa.Table:
        """Every PPDU with data as it was sent, those too that nobody received, as an Arrow table.

        The columns are time, end (s), from, to, rate_mbps, mpdus, good, retries and fate.

        Raises:
            BundleError: The run was made without captures.
        """
        return read_table(self.capture(captures.TRANSMISSIONS))

    @cached_property
    def frames(self) -> Frames:
        """The frames that a monitor station beside the access point heard.

        Raises:
            BundleError: The run was made without captures.
        """
        from airloom.frames import read

        return read(self.capture(captures.AIR))

    def capture(self, name: str) -> Path:
        """A file that only a run with captures leaves."""
        file = self.path / name
        if not file.is_file():
            raise BundleError(f"{file}: the run was made without captures; make it with --capture (capture=True)")
        return self.file(name)

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """What the bundle says of itself: version, seed, and the SHA-256 of its files."""
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
        from airloom.series import SeriesTable

        return SeriesTable.from_arrow(self.series)

    @cached_property
    def scenario(self) -> str:
        """The resolved scenario, as TOML."""
        return self.file(SCENARIO).read_text(encoding="utf-8")

    def __repr__(self) -> str:
        """The title and the place."""
        return f"<airloom.Run {self.summary['title']!r} at {self.path}>"


def load(path: str | os.PathLike[str]) -> Run:
    """Reads the bundle in a folder."""
    folder = Path(path)
    if not is_bundle(folder):
        missing = "no such folder" if not folder.is_dir() else f"no {SUMMARY} in it"
        raise BundleError(f"{folder}: not a run bundle ({missing}); `airloom run SCENARIO -o {folder}` makes one")
    verify(folder / SUMMARY, read_manifest(folder))
    summary = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
    if not isinstance(summary, dict) or not summary.keys() >= SUMMARY_KEYS:
        raise BundleError(f"{folder / SUMMARY}: not a run's summary; run the scenario again")
    return Run(folder, cast("Summary", summary))


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a bundle."""
    file = folder / MANIFEST
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BundleError(f"{file}: not readable: {error}") from error
    if not isinstance(manifest, dict) or not isinstance(manifest.get("sha256"), dict):
        raise BundleError(f"{file}: not a run's manifest; run the scenario again")
    return manifest


def verify(file: Path, manifest: dict[str, Any]) -> None:
    """Refuses a file that is not as the run left it."""
    try:
        with file.open("rb") as content:
            found = hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as error:
        raise BundleError(f"{file}: cannot be read: {error.strerror}") from error
    if found != manifest["sha256"].get(file.name):
        raise BundleError(f"{file}: changed since the run (its SHA-256 is not the manifest's); run the scenario again")


def read_table(file: Path) -> pa.Table:
    """A Parquet file as an Arrow table."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_table(file)
    except (OSError, pa.ArrowException) as error:
        raise BundleError(f"{file}: not readable as Parquet: {error}") from error


def is_bundle(folder: Path) -> bool:
    """Whether a folder holds what every bundle holds."""
    return (folder / SUMMARY).is_file() and (folder / MANIFEST).is_file()
