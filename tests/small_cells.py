"""Texts of small scenarios: one 802.11n access point `ap` at 5 GHz, stations around it, a `server` behind it."""

from __future__ import annotations

HOST = "linux-6.18"


def cell(title: str, duration: str, *parts: str, queue: str = "", delay: str = "1 ms", host: str = HOST) -> str:
    """A scenario.

    Args:
        title: Its title.
        duration: Its duration.
        parts: Its stations and flows.
        queue: The queue of the access point, as TOML; without it, its adapter's.
        delay: The delay of the server's link of 1 Gbit/s.
        host: The server's profile.
    """
    flows = [part for part in parts if part.startswith("[[flow]]")]
    return "".join(
        [
            f'title = "{title}"\nduration = "{duration}"\n',
            table("air", standard="802.11n", band="5 GHz", width="40 MHz").replace("[[air]]", "[air]"),
            table("ap", *([f"queue = {queue}"] if queue else []), name="ap", adapter="ath9k"),
            *(part for part in parts if part not in flows),
            table("server", f'link = {{ rate = "1 Gbit/s", delay = "{delay}" }}', name="server", host=host),
            *flows,
        ]
    )


def station(name: str, distance: str, *more: str, host: str = HOST, **keys: str) -> str:
    """A station with an `ath9k`; `more` are lines as TOML, `keys` more texts."""
    return table("station", *more, name=name, host=host, adapter="ath9k", distance=distance, **keys)


def flow(source: str, target: str, *more: str, **keys: str) -> str:
    """A flow from one to another; `more` are lines as TOML, `keys` more texts."""
    return table("flow", f'from = "{source}"', f'to = "{target}"', *more, **keys)


def table(kind: str, *more: str, **keys: str) -> str:
    """One of the scenario's tables."""
    return "\n".join([f"[[{kind}]]", *(f'{key} = "{value}"' for key, value in keys.items()), *more, ""])


NETWORK_MANAGER = 'scan = { by = "networkmanager-0.9.8", channels = %d }'
"""A station that is scanned by NetworkManager, with the number of channels."""

IDLE = cell(
    "Nobody sends",
    "30 s",
    station("sta1", "3 m", NETWORK_MANAGER % 3, host="linux-3.13", rate="MCS 15"),
    delay="0.25 ms",
    host="linux-3.13",
)
"""A station that scans three channels; there is no flow."""

FIFO = '{ discipline = "fifo", limit = "100 packets" }'

TWO = cell(
    "Two",
    "3 s",
    station("sta1", "3 m", rate="minstrel"),
    station("sta2", "12 m", rate="minstrel"),
    flow("server", "sta1", 'tcp = { congestion = "cubic" }', name="near"),
    flow("server", "sta2", 'tcp = { congestion = "newreno" }', name="far"),
    queue=FIFO,
)
"""Two downloads, one of them to a far station."""


def crowd(count: int) -> str:
    """Downloads to many stations."""
    stations = station("crowd", "3 m", f"count = {count}", rate="minstrel")
    return cell("A crowd", "3 s", stations, flow("server", "crowd"), queue=FIFO)
