"""The summary as the engine writes it, and as Python reads it: one shape."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import airloom
from airloom import _engine
from airloom.cli.run_tables import compared_table, rest
from airloom.report import page
from airloom.results.summary import NEEDED, Summary
from conftest import ROOT
from small_cells import IDLE

if TYPE_CHECKING:
    from pathlib import Path

WRITTEN = json.loads(_engine.summary_schema())
READ = msgspec.json.schema(Summary)


def shape(schema: dict[str, Any], defs: dict[str, Any]) -> Any:
    """A JSON Schema as what it allows, whatever it is written like: for objects, by key, `(required, shape)`."""
    if ref := schema.get("$ref"):
        own = {key: value for key, value in schema.items() if key != "$ref"}
        return joined(shape(defs[ref.rpartition("/")[2]], defs), shape(own, defs))
    if options := schema.get("oneOf") or schema.get("anyOf"):
        own = {key: value for key, value in schema.items() if key not in ("oneOf", "anyOf")}
        return joined(shape(own, defs), either([shape(option, defs) for option in options]))
    if "const" in schema or "enum" in schema:
        return frozenset(schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "object":
        return keys_of(schema, defs)
    if schema.get("type") == "array":
        return [shape(schema["items"], defs)]
    types = schema.get("type", [])
    return frozenset([types] if isinstance(types, str) else types)


def keys_of(schema: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    """The keys of an object; of a table with any keys, `*`."""
    if isinstance(schema.get("additionalProperties"), dict):
        return {"*": (False, shape(schema["additionalProperties"], defs))}
    required = schema.get("required", [])
    return {key: (key in required, shape(value, defs)) for key, value in schema.get("properties", {}).items()}


def joined(one: Any, other: Any) -> Any:
    """What both allow, of which one may say nothing."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {**one, **other}
    return one or other


def either(options: list[Any]) -> Any:
    """What one of them allows: of objects, all keys of any, of which those of all are required."""
    if all(isinstance(option, dict) for option in options):
        keys = dict.fromkeys(key for option in options for key in option)
        return {
            key: (
                all(key in option and option[key][0] for option in options),
                either([option[key][1] for option in options if key in option]),
            )
            for key in keys
        }
    if all(isinstance(option, frozenset) for option in options):
        return frozenset().union(*options)
    assert all(option == options[0] for option in options), options
    return options[0]


def differences(written: Any, read: Any, place: str = "") -> list[str]:
    """Where the shape that is written and the one that is read differ."""
    if isinstance(written, dict) and isinstance(read, dict):
        found = [f"{place}.{key}: read, never written" for key in read.keys() - written.keys()]
        found += [f"{place}.{key}: written, not read" for key in written.keys() - read.keys()]
        for key in written.keys() & read.keys():
            (must, ours), (needed, theirs) = written[key], read[key]
            if must != needed:
                found.append(f"{place}.{key}: {'always' if must else 'not always'} written, but required: {needed}")
            found += differences(ours, theirs, f"{place}.{key}")
        return found
    if isinstance(written, list) and isinstance(read, list):
        return differences(written[0], read[0], f"{place}[]")
    return [] if written == read else [f"{place}: written as {written}, read as {read}"]


def test_python_reads_the_summary_that_the_engine_writes() -> None:
    written, read = shape(WRITTEN, WRITTEN["$defs"]), shape(READ, READ["$defs"])
    assert written["flows"][1][0]["goodput_mbps"] == (False, {"number"})
    assert written["scans"][1][0]["end_s"] == (True, {"number", "null"})
    assert differences(written, read) == []


def test_the_comparison_sees_what_differs() -> None:
    written = {"a": (True, frozenset({"number"})), "b": (True, [frozenset({"string"})]), "c": (False, frozenset())}
    read = {
        "a": (True, frozenset({"number", "null"})),
        "b": (False, [frozenset({"integer"})]),
        "d": (True, frozenset()),
    }
    assert len(differences(written, read)) == 5


def test_what_is_needed_of_a_kind_of_flow_is_written() -> None:
    kinds = {
        next(iter(shape(option, WRITTEN["$defs"])["kind"][1])): shape(option, WRITTEN["$defs"])
        for option in WRITTEN["$defs"]["Flow"]["oneOf"]
    }
    assert kinds.keys() == NEEDED.keys()
    for kind, names in NEEDED.items():
        assert [name for name in names if not kinds[kind].get(name, (False,))[0]] == []


def misfits(value: Any, allowed: Any, place: str = "") -> list[str]:
    """What of a value a shape does not allow."""
    if isinstance(allowed, dict) and isinstance(value, dict):
        if "*" in allowed:
            return [found for key in value for found in misfits(value[key], allowed["*"][1], f"{place}.{key}")]
        found = [f"{place}.{key}: missing" for key, (must, _) in allowed.items() if must and key not in value]
        found += [f"{place}.{key}: unknown" for key in value.keys() - allowed.keys()]
        return found + [
            wrong
            for key in value.keys() & allowed.keys()
            for wrong in misfits(value[key], allowed[key][1], f"{place}.{key}")
        ]
    if isinstance(allowed, list) and isinstance(value, list):
        return [found for part in value for found in misfits(part, allowed[0], f"{place}[]")]
    kinds = {str: "string", int: "integer", float: "number", type(None): "null"}
    is_number = isinstance(value, (int, float)) and "number" in allowed
    return [] if value in allowed or kinds.get(type(value)) in allowed or is_number else [f"{place}: {value!r}"]


@pytest.mark.parametrize(
    ("scenario", "duration", "capture"),
    [
        ("papers/usb/hold.toml", "3 s", False),
        ("papers/scan/upload-tsq.toml", "21 s", True),
        ("papers/bloat/udp.toml", "2 s", False),
    ],
)
def test_what_the_engine_writes_is_as_its_schema_says(
    scenario: str, duration: str, capture: bool, tmp_path: Path
) -> None:
    made = airloom.run(ROOT / scenario, set={"duration": duration}, capture=capture, out=tmp_path / "run")
    summary = json.loads((made.path / "summary.json").read_text())
    allowed = shape(WRITTEN, WRITTEN["$defs"])
    assert misfits(summary, allowed) == []
    del summary["nodes"][0]["name"]
    summary["jain"] = "much"
    assert sorted(misfits(summary, allowed)) == [".jain: 'much'", ".nodes[].name: missing"]


@pytest.mark.filterwarnings("ignore::airloom.errors.ScenarioWarning")
def test_a_run_may_end_while_its_radio_is_away(tmp_path: Path) -> None:
    idle = f"{IDLE}[[flow]]\nkind = 'ping'\nfrom = 'sta1'\nto = 'server'\n"
    whole = airloom.run(idle, set={"duration": "30 s"}, out=tmp_path / "whole")
    first, *_ = whole.summary["scans"][0]["trips"]
    assert first["home_s"] is not None
    end = (first["leaving_s"] + first["home_s"]) / 2
    run = airloom.load(airloom.run(idle, set={"duration": f"{end:.6f} s"}, out=tmp_path / "cut").path)
    (trip,) = run.summary["scans"][0]["trips"]
    assert trip["home_s"] is None
    assert "1 scan" in list(rest(run.summary))
    assert compared_table([run.summary] * 2, ["a", "b"]).row_count > 0
    assert "airloom" in page.render(run)
