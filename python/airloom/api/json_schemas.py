"""The JSON Schema of what a command prints with `--json`."""

from __future__ import annotations

import difflib
import json
import re
from importlib import import_module
from typing import Any

from airloom.errors import AirloomError
from airloom.support.document import named

Schema = dict[str, Any]
"""A JSON Schema, or a part of one."""

HOMES = {
    "check": "api.printed:Checked",
    "run": "api.printed:Ran",
    "compare": "api.printed:Compared",
    "report": "api.printed:Reported",
    "demo": "api.printed:Demonstrated",
    "sweep": "api.printed:Swept",
    "sweep-progress": "api.printed:Progress",
    "sweep-show": "api.printed:Shown",
    "sweep-cell": "api.printed:SweptCell",
    "fit": "api.printed:Fitted",
    "diagnose": "diagnosis.shapes:Diagnosis",
    "against": "diagnosis.against.told:Comparison",
    "diagnose-roams": "diagnosis.shapes:Roams",
    "diagnose-rules": "api.printed:Rules",
    "diagnose-self-test": "diagnosis.self_test:SelfTest",
    "doctor": "api.machine:Examination",
    "doctor-checks": "api.printed:MachineChecks",
    "airtime": "api.printed:Airtime",
    "lab-check": "lab.grade:GradedHandIns",
    "schema": "api.printed:Described",
    "profile": "api.printed:OneProfile",
    "profiles": "api.printed:Profiles",
    "papers-list": "api.printed:ListedPapers",
    "papers-run": "api.printed:PaperRuns",
    "papers-score": "api.printed:Scores",
    "papers-figures": "api.printed:PaperPages",
    "collect": "api.printed:Collected",
    "knob": "emulation.shapes:State",
}
"""Where the type of each document is, by the NAME in its `"schema": "airloom-NAME/1"`."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""What all of them are written in."""


ENGINES = {
    "run": "summary_schema",
    "compare": "summary_schema",
    "sweep-cell": "summary_schema",
    "diagnose": "diagnosis_schema",
    "diagnose-roams": "diagnosis_schema",
    "knob": "state_schema",
}
"""The schema of the engine that says what the keys of a document mean."""

ATTRIBUTE = re.compile(r"^ {8}(\w+): (.+(?:\n {12}.+)*)", re.MULTILINE)
"""An attribute in a docstring, with its meaning."""

OF_SUMMARY = "airloom summary"

CALLED = {
    "Ran": [OF_SUMMARY],
    "Summary": [OF_SUMMARY],
    "FlowSummary": ["Flow", "Tcp", "Udp", "Ping"],
    "Warned": ["Warning"],
}
"""What the engine calls a type that has another name here."""


def json_of(name: str) -> Schema:
    """The JSON Schema of a document of this name, with the meaning of each key where the engine tells it.

    >>> from airloom.api.json_schemas import json_of
    >>> json_of("airtime")["properties"]["ppdu_us"]
    {'type': 'number'}

    Raises:
        AirloomError: No command prints such a document, or it has no type.
    """
    from airloom import _engine

    found, kind = shape_of(name), HOMES[known(name)].partition(":")[2]
    if engine := ENGINES.get(known(name)):
        told = json.loads(getattr(_engine, engine)())
        meanings = {**told["$defs"], told["title"]: told}
        for own, part in {**found.get("$defs", {}), kind: found}.items():
            for called in CALLED.get(own, [own]):
                describe(part, meanings.get(called, {}))
    return found


def shape_of(name: str) -> Schema:
    """The same without meanings: what is there, and of which type.

    Raises:
        AirloomError: As `json_of`.
    """
    import msgspec

    module, _, kind = HOMES[known(name)].partition(":")
    shape = getattr(import_module(f"airloom.{module}"), kind)
    (root,), parts = msgspec.json.schema_components([shape], ref_template="#/$defs/{name}")
    whole = dict(parts.pop(root["$ref"].rpartition("/")[2]))
    title = str(named(known(name), {})["schema"])
    own = {key: value for key, value in whole["properties"].items() if key != "schema"}
    whole["properties"] = {"schema": {"const": title}, **own}
    whole["required"] = ["schema", *(key for key in whole["required"] if key != "schema")]
    for part in parts.values():
        spread(part)
    return {"$schema": DIALECT, **whole, "title": title, **({"$defs": parts} if parts else {})}


def spread(part: Schema) -> None:
    """Gives the keys of a table the meanings that the docstring of its type has for its attributes."""
    said, found, attributes = part.get("description", "").partition("\n\n    Attributes:\n")
    if found:
        part["description"] = said
    for key, meaning in ATTRIBUTE.findall(attributes):
        part["properties"][key]["description"] = " ".join(meaning.split())


def known(name: str) -> str:
    """The name of a document, which may be written as its command is, `sweep show`, or as documents carry it.

    Raises:
        AirloomError: There is none of this name.
    """
    found = name.strip().replace(" ", "-")
    carried = {str(named(one, {})["schema"]): one for one in HOMES}
    found = carried.get(found, found)
    if found in HOMES:
        return found
    near = difflib.get_close_matches(found, HOMES, 1)
    raise AirloomError(
        f"no command prints JSON called `{name}`, or it has no type",
        f"did you mean `{near[0]}`?" if near else f"there are {', '.join(HOMES)}",
    )


def describe(part: Schema, told: Schema) -> None:
    """Gives the keys of a table the meanings that they have in another one."""
    keys = told.get("properties", {})
    for key, value in part.get("properties", {}).items():
        if meaning := keys.get(key, {}).get("description"):
            value["description"] = meaning
