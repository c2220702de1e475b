"""The part of `airloom export` that writes the link of a scenario for other emulators."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.analysis.link_trace import PAYLOAD, netem, opportunities, way
from airloom.cli.progress import bar
from airloom.cli.terminal import say
from airloom.errors import AirloomError
from airloom.results.by_suffix import refuse_file_name
from airloom.scenario.members import stations
from airloom.scenario.source import read
from airloom.simulation.simulate import simulate
from airloom.support import reading
from airloom.support.atomic import folder_of
from airloom.support.scratch import Scratch

if TYPE_CHECKING:
    from airloom.results.bundle import Run

SATURATED = f'kind = "udp", rate = "saturated", payload = "{PAYLOAD} B"'
PING = 'kind = "ping", interval = "20 ms", stop = "19 s"'
"""The flows by which a link is measured, each alone. The last answers have time to come."""

DURATION = "21 s"
"""How long each is measured, the first second aside."""


def is_scenario(what: str) -> bool:
    """Whether a name on the command line is a scenario's file, be it missing: no folder of results."""
    return what.endswith(".toml") and not Path(what).is_dir()


def export_link(what: str, out: Path, station: str | None) -> None:
    """Measures the link between a station and the first server, and writes what other emulators take into a folder.

    Raises:
        AirloomError: There is no such station, no server, no link, or a folder already.
    """
    text, file = read(Path(what))
    if out.exists():
        raise AirloomError(f"{out}: exists already; choose another folder")
    refuse_file_name(out, "what is exported of a scenario", "`airloom export` writes a file of the bundle of a run")
    settings = reading.toml(_engine.check(text, file, [], None))
    there, servers = stations(settings), [one["name"] for one in settings.get("server", ())]
    own = station or next(iter(there))
    if own not in there:
        raise AirloomError(f"no station {own!r}; there are {', '.join(there)}")
    if not servers:
        raise AirloomError(f"{file}: has no server, to which there could be a link")
    rate = settings["server"][0]["link"]["rate"]
    if not isinstance(rate, str):
        raise AirloomError(f"{file}: the rate of the link of {servers[0]} changes", "what is exported has one rate")
    scratch, ends = Scratch(), (own, servers[0])
    with bar(Path(what).stem) as shown:
        runs: list[Run] = []
        for flow, (source, target) in ((SATURATED, ends), (SATURATED, ends[::-1]), (PING, ends)):
            flows = f'[{{ from = "{source}", to = "{target}", {flow} }}]'
            changed = [("duration", DURATION), ("flow", flows)]
            runs.append(simulate(text, file, changed, None, scratch.path / str(len(runs)), capture=flow is SATURATED))
            shown.update(len(runs) / 3)
    ap = next(one for one in settings["ap"] if one["name"] == there[own]["ap"])
    queues = there[own]["host"]["queue"], ap["queue"]
    first = [run.summary["flows"][0] for run in runs]
    try:
        up, down = (way(first[place], first[2], packets(queue)) for place, queue in enumerate(queues))
    except ValueError as error:
        raise AirloomError(f"{file}: between {own} and {servers[0]} {error}") from None
    texts = {
        "up.trace": opportunities(runs[0], own, ap["name"], mbps(rate)),
        "down.trace": opportunities(runs[1], ap["name"], own),
        "netem.sh": netem(f"{settings['title']}: {own} and {servers[0]}", up, down),
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    folder_of(texts, out)
    say(f"{out}: {', '.join(texts)}", f"mm-delay {up.delay_ms:.0f} mm-link {out}/up.trace {out}/down.trace")


def mbps(rate: str) -> float:
    """A rate as a scenario has it, in Mbit/s."""
    number, _, unit = rate.partition(" ")
    return float(number) * {"Gbit/s": 1e3, "Mbit/s": 1.0, "kbit/s": 1e-3, "bit/s": 1e-6}[unit]


def packets(queue: dict[str, Any]) -> int | None:
    """How many packets a queue holds, if that is what limits it."""
    limit, _, unit = str(queue.get("limit", "")).partition(" ")
    return int(limit) if unit.startswith("packet") and limit.isdecimal() else None
