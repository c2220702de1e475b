"""A profile: a kind of host, adapter, scanner or processor, with a source for every value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from airloom import _engine


@dataclass(frozen=True)
class ProfileValue:
    """One value of a profile.

    Attributes:
        value: The value, as TOML has it: a time, a rate and the like with its unit.
        source: Where it stands: a kernel's function and version, a clause of the standard, a data sheet.
        calibrated: The claim that it was fitted to, if no source has it.
    """

    value: str
    source: str
    calibrated: str | None


@dataclass(frozen=True, repr=False)
class Profile:
    """What stands behind a name such as `host = "linux-6.18"`.

    Attributes:
        name: The name.
        kind: `host`, `adapter`, `scanner` or `processor`.
        description: What it is, in a sentence.
        path: Its file in the sources of airloom.
        chips: The chips that it stands for, in small letters.
        values: Its values by dotted key.
    """

    name: str
    kind: str
    description: str
    path: str
    chips: tuple[str, ...]
    values: dict[str, ProfileValue]

    @classmethod
    def of(cls, given: _engine.Profile) -> Self:
        """A profile of the engine."""
        values = {one["key"]: ProfileValue(one["value"], one["source"], one["calibrated"]) for one in given["values"]}
        return cls(
            given["name"], given["kind"], given["description"].strip(), given["path"], tuple(given["chips"]), values
        )

    def __repr__(self) -> str:
        """Kind, name and description."""
        return f"<{self.kind} {self.name}: {self.description}>"
