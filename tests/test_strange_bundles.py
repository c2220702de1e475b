"""Bundles from strangers: whatever they hold, hashes that match included, there is a report or a line that refuses."""

from __future__ import annotations

import copy
import json
import math
import os
import random
import shutil
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import airloom
import synthetic
from airloom.cli.app import code
from airloom.errors import BundleError
from airloom.results import tables
from airloom.results.tables import COLUMNS, DETAIL, SEGMENTS, SERIES, TRANSMISSIONS
from airloom.support import reading
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

DEEP = "[" * 3000 + "]" * 3000
VALUES: list[Any] = [None, True, "text", "", -1, 0, 1e300, 2**63, [], {}, [None], {"a": {"b": []}}]
TAMPERINGS = 60
"""How many of some 2400 changes to the summary are tried."""
THOROUGH = 8
"""How many of them are looked at in every way."""


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a bus, a hold, captures; two scans and two more kinds of flows are written into its summary."""
    folder = tmp_path_factory.mktemp("real") / "run"
    airloom.run(ROOT / "papers" / "usb" / "hold.toml", set={"duration": "3 s"}, out=folder, capture=True)
    summary = json.loads((folder / "summary.json").read_text())
    (tcp,) = summary["flows"]
    ends = {"from": tcp["from"], "to": tcp["to"]}
    counts = {"sent": 9, "lost": 1, "delivered": 8, "answered": 8, "bytes_delivered": 12000}
    times = dict.fromkeys(("rtt_mean_ms", "rtt_median_ms", "rtt_p95_ms", "rtt_max_ms", "delay_mean_ms"), 3.0)
    for kind in ("udp", "ping"):
        goodput = {"goodput_mbps": 1.0, "share": 0.1} if kind == "udp" else {}
        summary["flows"].append({"name": kind, "kind": kind} | ends | counts | times | goodput)
    summary["scans"] = [
        {"station": "laptop", "requested_s": at, "start_s": at, "end_s": at + 0.5, "trips": synthetic.trips(at)[:1]}
        for at in (0.2, 1.2)
    ]
    summary["scan_requests"] = [{"station": "laptop", "time_s": 0.2, "verdict": "started"}]
    summary["drops"] = [{"place": "laptop driver", "cause": "retry limit", "count": 2}]
    (folder / "summary.json").write_text(json.dumps(summary))
    synthetic.sign(folder)
    return folder


@pytest.fixture
def bundle(real: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it to be changed, where there are no papers that it could be of."""
    (tmp_path / "papers").mkdir()
    monkeypatch.setenv("AIRLOOM_PAPERS", str(tmp_path / "papers"))
    return shutil.copytree(real, tmp_path / "run")


REPORT = ("report", "RUN", "-o", "PAGE")
COMPARE = ("compare", "RUN", "RUN")
WAYS = ((*REPORT, "--against", "RUN"), COMPARE, (*COMPARE, "--json"))
"""Ways to look at a bundle."""


def looked_at(
    folder: Path, capsys: pytest.CaptureFixture[str], ways: Iterable[tuple[str, ...]] = WAYS
) -> list[tuple[int, str]]:
    """What comes of each way to look at a bundle: the exit code, and the complaint."""
    files = {"RUN": str(folder), "PAGE": str(folder.parent / "page.html")}
    found = []
    for way in ways:
        arguments = [files.get(word, word) for word in way]
        result = code(arguments)
        printed = capsys.readouterr()
        complaint = printed.err
        if result and "--json" in way:
            assert complaint == ""
            complaint = f"airloom: {json.loads(printed.out)['message']}\n"
        assert (result, complaint.count("\n")) in ((0, 0), (2, 1)), (arguments, result, complaint)
        assert complaint == "" or complaint.startswith("airloom: "), complaint
        found.append((result, complaint))
    return found


def places(content: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place in a summary; of a list's parts, those that are of one kind are there once."""
    if path:
        yield path
    if isinstance(content, dict):
        for key, value in content.items():
            yield from places(value, (*path, key))
    elif isinstance(content, list):
        seen = set()
        for number, part in enumerate(content):
            kind = (part.get("kind"), part.get("layer")) if isinstance(part, dict) else type(part)
            if kind not in seen:
                seen.add(kind)
                yield from places(part, (*path, number))


def changed(content: Any, path: tuple[str | int, ...], value: object) -> Any:
    """A summary with another value at a place, or with nothing there."""
    content = copy.deepcopy(content)
    within = content
    for step in path[:-1]:
        within = within[step]
    if value is ...:
        del within[path[-1]]
    else:
        within[path[-1]] = value
    return content


@pytest.mark.long
def test_a_summary_of_any_shape_is_shown_or_refused(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = bundle / "summary.json"
    whole = json.loads(file.read_text())
    assert [result for result, _ in looked_at(bundle, capsys)] == [0, 0, 0]
    every = [(path, value) for path in places(whole) for value in (*VALUES, ...)]
    refused = 0
    for number, (path, value) in enumerate(random.Random(1).sample(every, TAMPERINGS)):  # noqa: S311 - always the same
        if number == THOROUGH:
            # Most of the time that a report takes goes into its panels of segments.
            (bundle / SEGMENTS).unlink()
        file.write_text(json.dumps(changed(whole, path, value)))
        synthetic.sign(bundle)
        refused += looked_at(bundle, capsys, WAYS if number < THOROUGH else [REPORT])[0][0] == 2
    assert TAMPERINGS / 2 < refused < TAMPERINGS


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        "NaN",
        '{"a": NaN}',
        '{"a": 1e999}',
        DEEP,
        '{"a": ' * 3000,
        "9" * 5000,
        "\x00",
        '"\\ud800"',
    ],
)
@pytest.mark.parametrize("name", ["summary.json", "manifest.json", "scenario.toml"])
def test_a_file_that_is_something_else_is_reported(
    name: str, text: str, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for content in (text.encode(), text.encode() + b"\xff\xfe"):
        (bundle / name).write_bytes(content)
        if name != "manifest.json":
            synthetic.sign(bundle)
        # Summaries as JSON go without what the scenario says, and an empty one is TOML.
        # A report reads it last, which takes a while.
        ways = {"scenario.toml": [REPORT, COMPARE] if content in (b"", b"{") else [COMPARE]}.get(name, WAYS)
        found = looked_at(bundle, capsys, ways)
        assert {result for result, _ in found} == {0 if (name, content) == ("scenario.toml", b"") else 2}
        assert all(name in complaint for result, complaint in found if result == 2)


def test_a_summary_of_another_version_names_it(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (bundle / "summary.json").write_text("{}")
    synthetic.sign(bundle)
    manifest = json.loads((bundle / "manifest.json").read_text())
    (bundle / "manifest.json").write_text(json.dumps({**manifest, "airloom": "0.1.7"}))
    for _, complaint in looked_at(bundle, capsys):
        assert "airloom 0.1.7 wrote it" in complaint


@pytest.mark.parametrize("value", [None, 3, "abc", [], {"summary.json": 3}, {"summary.json": "0" * 64}, {}])
def test_a_manifest_of_another_shape_is_reported(
    value: object, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = json.loads((bundle / "manifest.json").read_text())
    (bundle / "manifest.json").write_text(json.dumps(manifest | {"sha256": value}))
    assert {result for result, _ in looked_at(bundle, capsys)} == {2}


@pytest.mark.parametrize("name", ["summary.json", "manifest.json", "series.parquet", "scenario.toml"])
def test_a_file_that_is_missing_is_reported_by_its_name(
    name: str, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (bundle / name).unlink()
    for result, complaint in looked_at(bundle, capsys):
        assert result == 2
        assert name in complaint


ODD = ("nan", "huge", "negative", "text")
"""Changes that leave some columns what they may be."""

REPORTED = (*ODD, "lists")
"""Changes of which reports are tried, each with its part of the columns: all with all would take minutes."""


def with_column(values: Callable[[pa.ChunkedArray], object]) -> Callable[[pa.Table, str], pa.Table]:
    """Puts other values into a column."""

    def change(table: pa.Table, name: str) -> pa.Table:
        return table.set_column(table.column_names.index(name), name, values(table.column(name)))

    return change


CHANGES: dict[str, Callable[[pa.Table, str], pa.Table]] = {
    "gone": lambda table, name: table.drop_columns([name]),
    "twice": lambda table, name: table.append_column(name, table.column(name)),
    "infinite": with_column(lambda column: pa.array([float("inf")] * len(column))),
    "nan": with_column(lambda column: pa.array([float("nan")] * len(column))),
    "huge": with_column(lambda column: pa.array([1e300] * len(column))),
    "negative": with_column(lambda column: pa.array([-1.0] * len(column))),
    "null": with_column(lambda column: pa.nulls(len(column), column.type)),
    "whole": with_column(lambda column: pa.array([1] * len(column))),
    "text": with_column(lambda column: pa.array(["x"] * len(column))),
    "bytes": with_column(lambda column: pa.array([b"\xff"] * len(column))),
    "no text": with_column(
        lambda column: pa.StringArray.from_buffers(
            len(column), pa.array([b"\xff"] * len(column)).buffers()[1], pa.py_buffer(b"\xff" * len(column))
        )
    ),
    "lists": with_column(lambda column: pa.array([[1.0]] * len(column))),
}


@pytest.mark.long
@pytest.mark.sample(6)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", COLUMNS)
def test_a_table_of_any_shape_is_shown_or_refused(
    name: str, change: str, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = bundle / name
    table = pq.read_table(file)
    for place, column in enumerate(COLUMNS[name]):
        pq.write_table(CHANGES[change](table, column), file)
        if change not in ODD:
            with pytest.raises(BundleError, match=rf"{column}|Parquet"):
                tables.read(file)
        # No report of a run shows transmissions; of the others, what cannot be read is refused in the test below.
        if name != TRANSMISSIONS and change in REPORTED and place % len(REPORTED) == REPORTED.index(change):
            synthetic.sign(bundle)
            ((result, _),) = looked_at(bundle, capsys, [REPORT])
            assert result == 2 or change in ODD


@pytest.mark.parametrize("name", COLUMNS)
def test_a_table_that_is_no_table_is_reported(name: str, bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = (bundle / name).read_bytes()
    for content in (b"", b"PAR1", whole[:-9], whole[: len(whole) // 2], whole[:200] + b"\xff" * 200 + whole[400:]):
        (bundle / name).write_bytes(content)
        with pytest.raises(BundleError):
            tables.read(bundle / name)
    if name != TRANSMISSIONS:  # which no report of a run shows
        synthetic.sign(bundle)
        ((result, complaint),) = looked_at(bundle, capsys, [REPORT])
        assert result == 2
        assert name in complaint


def test_a_table_without_rows_is_a_table(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in COLUMNS:
        pq.write_table(pq.read_table(bundle / name).slice(0, 0), bundle / name)
    synthetic.sign(bundle)
    assert [result for result, _ in looked_at(bundle, capsys)] == [0, 0, 0]


@pytest.mark.long
@pytest.mark.sample(1)
@pytest.mark.parametrize("column", ["time", "end", "seq", "bytes", "packets", "good", "rate_mbps"])
def test_a_window_of_detail_has_its_numbers_and_is_short(
    column: str, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = pq.read_table(bundle / DETAIL)
    strange = [math.nan, -1e15, 1e15] if column != "time" else [0.0, 1e15]
    refused = []
    for value in strange:
        values = table.column(column).to_pylist()
        for row in range(1, len(values), 2):
            values[row] = value
        changed_table = table.set_column(table.column_names.index(column), column, pa.array(values))
        pq.write_table(changed_table, bundle / DETAIL)
        synthetic.sign(bundle)
        ((result, complaint),) = looked_at(bundle, capsys, [REPORT])
        refused.append(result == 2 and DETAIL in complaint)
    assert any(refused)


def test_a_table_that_is_far_too_long_is_not_read(
    bundle: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST", 10)
    rows = pq.read_metadata(bundle / SERIES).num_rows
    ((result, complaint),) = looked_at(bundle, capsys, [REPORT])
    assert result == 2
    assert complaint == (
        f"airloom: {bundle / SERIES}: too long to be read at once: {rows:,} rows, at most 10; "
        "make `duration` shorter, stations fewer or the capture window narrower\n"
    )


def test_a_series_is_compared_by_its_hash(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = bundle / "series.parquet"
    file.write_bytes(file.read_bytes() + b"x")
    for result, complaint in looked_at(bundle, capsys):
        assert result == 2
        assert "series.parquet: changed since the run" in complaint


def test_a_capture_of_the_air_that_is_none_is_reported(bundle: Path) -> None:
    whole = (bundle / "air.pcapng").read_bytes()
    for content in (b"", b"nonsense", whole[:1000]):
        (bundle / "air.pcapng").write_bytes(content)
        synthetic.sign(bundle)
        with pytest.raises(BundleError):
            _ = airloom.load(bundle).frames


@pytest.mark.parametrize("name", ["manifest.json", "summary.json", "series.parquet", "scenario.toml"])
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_what_never_ends_is_no_file_of_a_bundle(
    bundle: Path, capsys: pytest.CaptureFixture[str], name: str, kind: str
) -> None:
    (bundle / name).unlink()
    if kind == "pipe":
        os.mkfifo(bundle / name)
    else:
        (bundle / name).symlink_to("/dev/zero")
    assert all(result == 2 for result, _ in looked_at(bundle, capsys))


def test_a_key_of_many_parts_is_refused_before_it_is_read() -> None:
    with pytest.raises(ValueError, match="nested deeper"):
        reading.toml(".".join("a" * 200_000) + " = 1")
    assert reading.toml(f'a.b = "{"." * 500} {"x" * 500}"')["a"]["b"]


def test_values_beyond_all_measure_are_refused(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    series = pq.read_table(bundle / "series.parquet")
    values = pa.array([1e308, -1e308] * (series.num_rows // 2) + [0.0] * (series.num_rows % 2))
    pq.write_table(series.set_column(series.column_names.index("value"), "value", values), bundle / "series.parquet")
    synthetic.sign(bundle)
    assert looked_at(bundle, capsys)[0][0] == 2
