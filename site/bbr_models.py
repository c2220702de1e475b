"""Prints, for docs/bbr.md, what BBR takes its path to be: means over time of its log of sockets."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

import airloom

if TYPE_CHECKING:
    from collections.abc import Mapping

FROM = 10.0
"""Seconds; start-up is long over."""
SEGMENT_BITS = 1448 * 8
ALONE, BOTH = "examples/transfer.toml", "examples/two-transfers.toml"
SCAN = {"by": "networkmanager-0.9.8", "channels": 26, "first": "5 s", "shortest": "10 s", "longest": "10 s"}
COLUMNS = ("goodput", "rate", "least round trip (greatest)", "product", "room", "window", "in flight", "measuring")


class Path(NamedTuple):
    """A path: its name, the scenario with what is set in it, and the flow that is BBR."""

    name: str
    scenario: str
    settings: Mapping[str, Any]
    flow: int = 0


PATHS = (
    Path("download", ALONE, {}),
    Path("upload", ALONE, {"flow.0.from": "laptop", "flow.0.to": "server"}),
    Path("download, scans", ALONE, {"ap.0.power_save_buffer": "2000 packets", "station.0.scan": SCAN}),
    Path("beside CUBIC, fifo 1000", BOTH, {"flow.1.to": "laptop"}, 1),
    Path("beside CUBIC, fifo 100", BOTH, {"flow.1.to": "laptop", "ap.0.queue.limit": "100 packets"}, 1),
    Path("far, beside CUBIC, fifo 100", BOTH, {"station.1.distance": "40 m", "ap.0.queue.limit": "100 packets"}, 1),
)


def line(path: Path, control: str) -> str:
    """What BBR took one path to be."""
    settings = {**path.settings, f"flow.{path.flow}.tcp.congestion": control}
    run = airloom.run(path.scenario, set=settings, seed=1, capture=True)
    flow = run.summary["flows"][path.flow]
    log = run.sockets.to_polars().filter(pl.col("flow") == flow["name"], pl.col("time") >= FROM)
    lasted = (pl.col("time").shift(-1) - pl.col("time")).fill_null(0.0)
    means = ("path_mbps", "path_rtt_ms", "excess", "cwnd", "in_flight")
    of = log.select(
        *((pl.col(name) * lasted).sum() / lasted.sum() for name in means),
        pl.col("path_rtt_ms").max().alias("greatest"),
        ((pl.col("phase") == "probe-rtt") * lasted).sum().alias("measuring") / lasted.sum(),
    ).to_dicts()[0]
    product = of["path_mbps"] * of["path_rtt_ms"] * 1e3 / SEGMENT_BITS
    cells = (
        f"{path.name}, {control}",
        f"{flow['goodput_mbps']:.1f}",
        f"{of['path_mbps']:.1f}",
        f"{of['path_rtt_ms']:.1f} ({of['greatest']:.0f})",
        f"{product:.0f}",
        *(f"{of[name]:.0f}" for name in ("excess", "cwnd", "in_flight")),
        f"{of['measuring']:.1%}",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Prints the table."""
    lines = [line(path, control) for path in PATHS for control in ("bbr", "bbr3")]
    head = f"| | {' | '.join(COLUMNS)} |\n|---{'|--:' * len(COLUMNS)}|"
    sys.stdout.write("\n".join([head, *lines, ""]))


if __name__ == "__main__":
    main()
