"""A flow and a node of a run: the figures of its summary as attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from airloom.results.lookup import unknown
from airloom.results.summary import delivered_nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from airloom.results.series import Series
    from airloom.results.summary import Bus, Link, Queue


class Part:
    """A flow or a node: what the summary says of it, as attributes, and its time series.

    Which attributes there are depends on its kind: a ping has no goodput. `dir(part)` lists them.
    """

    name: str
    kind: str
    group: str | None

    def __init__(self, content: Mapping[str, Any], series: Callable[[str, str], Series]) -> None:
        """Shows a part of a run's summary; `series` gives a series by entity and metric."""
        self._series = series
        named = {f"{key}_" if key == "from" else key: value for key, value in content.items()}
        self._content = {"group": None, **named}

    def numbers(self) -> dict[str, float | None]:
        """The figures that are numbers, or would be if there had been something to average."""
        words = {"group", "bus", "name"}
        return {k: v for k, v in self._content.items() if k not in words and isinstance(v, int | float | None)}

    if not TYPE_CHECKING:  # a type checker goes by the declarations

        def __getattr__(self, name: str) -> Any:
            """A figure of the summary."""
            if name.startswith("_"):
                raise AttributeError(name)
            if name not in self._content:
                raise unknown(
                    f"figure of {self._content['kind']} {self._content['name']!r} called", name, self._content
                )
            return self._content[name]

    def __dir__(self) -> list[str]:
        """The figures, and what can be done."""
        return sorted({*super().__dir__(), *self._content})

    def series(self, metric: str) -> Series:
        """A metric of it over time.

        Raises:
            UnknownNameError: The run did not record it; the message has the likely name.
        """
        return self._series(self.name, metric)

    def __repr__(self) -> str:
        """Kind and name, and all figures that are numbers."""
        figures = ", ".join(
            f"{key}={value!r}" for key, value in self._content.items() if key not in ("name", "kind", "group")
        )
        return f"<{self.kind} {self.name!r}: {figures}>"


class Flow(Part):
    """A flow over its own time; units are in the names.

    It has `start_s`, `end_s` and `time_share` where that is not all the time that was measured.
    """

    from_: str
    to: str
    start_s: float
    end_s: float
    time_share: float
    goodput_mbps: float
    share: float | None
    congestion: str
    bytes_written: int
    bytes_delivered: int
    bytes_held: int
    retransmissions: int
    timeouts: int
    recoveries: int
    local_drops: int
    undone: int
    cwnd_mean: float | None
    cwnd_max: float
    in_flight_mean: float | None
    srtt_mean_ms: float | None
    rtt_mean_ms: float | None
    sent: int
    delivered: int
    answered: int
    lost: int
    delay_mean_ms: float | None
    delay_median_ms: float | None
    delay_p95_ms: float | None
    delay_p99_ms: float | None
    rtt_median_ms: float | None
    rtt_p95_ms: float | None
    rtt_p99_ms: float | None
    rpm: float | None
    rtt_max_ms: float | None

    @property
    def delivered_nothing(self) -> bool:
        """Whether it delivered nothing: no byte, or no answer."""
        return delivered_nothing(self._content)


class Node(Part):
    """A station, an access point or a server over the whole run; units are in the names.

    A station has `ap`, the access point at which it is, where there are several, and `signal_*`, its ratio to the
    noise, where it has a place.
    """

    ap: str
    signal_min_db: float
    signal_median_db: float
    ampdus: int
    mpdus_per_ampdu: float | None
    mac_rate_mbps: float | None
    ampdu_rate_mbps: float | None
    received_rate_mbps: float | None
    airtime_share: float
    mpdu_retries: int
    frames: dict[str, int]
    queues: list[Queue]
    bus: Bus
    links: list[Link]


Kind = TypeVar("Kind", bound=Part)


def named(what: str, name: str, parts: Sequence[Kind]) -> Kind:
    """The part of a name.

    Raises:
        UnknownNameError: There is none.
    """
    for one in parts:
        if one.name == name:
            return one
    raise unknown(what, name, (one.name for one in parts))
