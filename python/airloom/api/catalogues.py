"""`airloom.papers`, `airloom.profiles` and `airloom.schema`: what there is to use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airloom.errors import AirloomError

if TYPE_CHECKING:
    from airloom.api.named import Named
    from airloom.api.profile import Profile
    from airloom.api.published import PublishedPaper


def papers() -> Named[PublishedPaper]:
    """The published experiments that come with airloom, by their ids.

    >>> import airloom
    >>> airloom.papers()["scan"].title
    'Access-point scanning starves TCP over 802.11n'

    Raises:
        PaperError: There are none here, or one is broken.
    """
    from airloom.api.named import Named
    from airloom.api.published import PublishedPaper
    from airloom.papers import paper

    return Named("paper", {name: PublishedPaper(paper.read(name)) for name in paper.available()})


def profiles() -> Named[Profile]:
    """The hosts, adapters, scanners and processors that a scenario can name, by their names.

    >>> import airloom
    >>> airloom.profiles()["linux-6.18"].values["initial_window"].source
    'include/net/tcp.h: TCP_INIT_CWND 10'
    """
    from airloom import _engine
    from airloom.api.named import Named
    from airloom.api.profile import Profile

    return Named("profile", {one["name"]: Profile.of(one) for one in _engine.profiles()})


def profile(name: str) -> Profile:
    """The profile of this name, or the one that stands for the chip of this name.

    >>> from airloom.api.catalogues import profile
    >>> profile("QCA9984").name
    'ath10k'

    Raises:
        AirloomError: There is none.
    """
    from airloom import _engine

    found = profiles()
    if name in found:
        return found[name]
    of_chip = (one for one in found.values() if name.lower() in one.chips)
    if one := next(of_chip, None):
        return one
    if instead := _engine.serves_for_profile(name):
        raise AirloomError(f"no profile '{name}'", instead)
    return found[name]


def schema(key: str | None = None, /, *, summary: bool = False) -> dict[str, Any]:
    """The JSON Schema of scenario files, as editors take it, or what one key means.

    >>> import airloom
    >>> "flow" in airloom.schema()["properties"]
    True
    >>> airloom.schema("air.fading")["default"]
    '"0 dB"'

    Args:
        key: A table or a key, such as `air` or `station.rate`: its meaning, values, default and, of a table, keys.
        summary: That of `summary.json` instead: what a run found out, with the meaning and the unit of each value.

    Raises:
        AirloomError: No key is called so, or several are.
    """
    import json

    from airloom import _engine

    if key is not None:
        from dataclasses import asdict

        from airloom.scenario import reference

        if summary:
            raise AirloomError(f"`summary` is a JSON Schema, which does not describe `{key}`: leave one of them out")
        return asdict(reference.find(key))
    found: dict[str, Any] = json.loads(_engine.summary_schema() if summary else _engine.schema())
    return found
