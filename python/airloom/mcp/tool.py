"""What a tool is: typed arguments, the commands that they stand for, and the document that comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec

from airloom.api.json_schemas import DIALECT, shape_of
from airloom.errors import RunError
from airloom.scenario.given import overriding

if TYPE_CHECKING:
    from airloom.mcp.folder import Folder

Words = list[str]
"""The words of a command, behind `airloom`."""

Text = Annotated[
    str | None,
    msgspec.Meta(description="What the file says. It is written there first; without it the file is there already."),
]
Force = Annotated[
    bool, msgspec.Meta(description="Replace a result that is already there, and a file that says something else.")
]
Settings = Annotated[
    dict[str, Any],
    msgspec.Meta(
        description="Values over the scenario's, by dotted key; items go by number from 0 or by name.",
        examples=[{"flow.0.tcp.congestion": "bbr", "station.laptop.distance": "20 m", "duration": "10 s"}],
    ),
]
Seed = Annotated[int | None, msgspec.Meta(description="The seed, in place of the scenario's own.")]


class Tool(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A tool. Its fields are its arguments, its documentation is what an agent reads of it."""

    PRINTS: ClassVar[str] = ""
    """The name of the document that comes of it: `airloom-NAME/1`."""

    WRITES: ClassVar[bool] = False
    """Whether it writes into the folder, be it that it is asked to."""

    def commands(self, folder: Folder) -> list[Words]:
        """The commands that it stands for; each is asked for JSON. The first one's answer is the tool's.

        Raises:
            AirloomError: An argument is not what it should be.
        """
        raise NotImplementedError


def set_words(settings: dict[str, Any]) -> Words:
    """The options that set values, such as `--set=duration="10 s"`.

    Raises:
        RunError: A value is null, which no key can be.
    """
    if empty := [key for key, value in settings.items() if value is None]:
        raise RunError(f"settings: {empty[0]} is null, which is no value; leave a key out to keep what the file says")
    return [f"--set={key}={value}" for key, value in overriding(settings)]


def option(name: str, value: object) -> Words:
    """An option with its value in one word, so that no value is taken for an option; or alone if that is true."""
    if value is None or value is False:
        return []
    return [name] if value is True else [f"{name}={value}"]


def arguments(kind: type[Tool]) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments."""
    (root,), parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    schema = {**parts.pop(root["$ref"].rpartition("/")[2])}
    schema.pop("title", None)
    schema.pop("description", None)
    return {"$schema": DIALECT, **schema, **({"$defs": parts} if parts else {})}


def result(kind: type[Tool]) -> dict[str, Any]:
    """The JSON Schema of what comes of a tool: each key with its type, but not what is within tables.

    All of it would be longer than all else that a client reads of the tools; `airloom schema --json-of` has it.
    """
    if not kind.PRINTS:
        return {"$schema": DIALECT, "type": "object"}
    schema = shape_of(kind.PRINTS)
    parts = schema.pop("$defs", {})
    return dict(flat(schema, parts))


def flat(schema: Any, parts: dict[str, Any]) -> Any:
    """A schema in which other tables are tables, whatever they hold."""
    if isinstance(schema, list):
        return [flat(one, parts) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if ref := schema.get("$ref"):
        there = parts[ref.rpartition("/")[2]]
        return {"type": "object"} if there.get("type") == "object" or "anyOf" in there else flat(there, parts)
    return {key: flat(value, parts) for key, value in schema.items()}
