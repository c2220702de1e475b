"""Things by their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

from airloom.results.lookup import unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

Thing = TypeVar("Thing")


class Named(Mapping[str, Thing]):
    """A read-only dict; a name that is not in it is answered with the likely one, and with those that there are."""

    def __init__(self, what: str, things: Mapping[str, Thing]) -> None:
        """Takes the things, and what one of them is called."""
        self._what = what
        self._things = dict(things)

    def __getitem__(self, name: str) -> Thing:
        """The thing of a name.

        Raises:
            UnknownNameError: There is none.
        """
        if name not in self._things:
            raise unknown(self._what, name, self._things)
        return self._things[name]

    def __iter__(self) -> Iterator[str]:
        """The names, in their order."""
        return iter(self._things)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._things)

    def __repr__(self) -> str:
        """The things, one a line."""
        return "\n".join(map(repr, self._things.values()))
