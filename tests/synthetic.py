"""A bundle made up by arithmetic, so that what reads bundles can be tested without a simulator.

The upload it describes is steady but for three scans of ten seconds, 120 s apart.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from small_cells import NETWORK_MANAGER, cell, flow, station

if TYPE_CHECKING:
    from pathlib import Path

DURATION = 300
SCANS = (24.0, 144.0, 264.0)
CHANNELS = 26
PAIR = 0.430
AWAY = 0.110

SCENARIO = cell(
    "Upload with TCP small queues while the station scans",
    "300 s",
    station("sta1", "3 m", f"{NETWORK_MANAGER % CHANNELS} # of both bands", host="linux-3.13"),
    flow("sta1", "server", 'tcp = { congestion = "cubic" }'),
    queue='{ discipline = "fifo", limit = "1000 packets" }',
    delay="0.25 ms",
    host="linux-3.13",
)


def trips(start: float) -> list[dict[str, float]]:
    """The visits of one scan."""
    starts = [start + PAIR * index for index in range(CHANNELS)]
    return [
        {"leaving_s": at, "away_s": at + 0.002, "returning_s": at + AWAY - 0.002, "home_s": at + AWAY} for at in starts
    ]


def scans(remedy: bool) -> list[dict[str, Any]]:
    """The scans that took place."""
    return [
        {
            "station": "sta1",
            "requested_s": start - 0.01,
            "start_s": start,
            "end_s": start + PAIR * (CHANNELS - 1) + AWAY,
            "trips": trips(start),
        }
        for start in SCANS
        if not remedy
    ]


def away(second: int, remedy: bool) -> float:
    """The share of a second that the radio is off its channel."""
    total = 0.0
    for scan in scans(remedy):
        for trip in scan["trips"]:
            total += max(0.0, min(second + 1, trip["home_s"]) - max(second, trip["leaving_s"]))
    return total


def rows(remedy: bool, goodput: float) -> list[tuple[float, str, str, float, str]]:
    """The series."""
    noise = random.Random(7)  # noqa: S311 - nothing is secret here
    table = []
    for second in range(DURATION):
        off = away(second, remedy)
        grow = min(1.0, (second + 1) / 3)
        on = (1 - 1.35 * off) * grow * noise.gauss(1, 0.012)
        values = {
            ("sta1-server", "goodput", "Mbit/s"): goodput * on,
            ("sta1-server", "cwnd", "packets"): 203 * min(1.0, 0.3 + second / 8),
            ("sta1-server", "ssthresh", "packets"): math.nan,
            ("sta1-server", "in_flight", "packets"): 42 * noise.gauss(1, 0.03),
            ("sta1-server", "srtt", "ms"): 3.1 + 9 * off + noise.gauss(0, 0.08),
            ("sta1-server", "rtt", "ms"): 3.1 + 14 * off + noise.gauss(0, 0.15),
            ("sta1-server", "retransmissions", "1/s"): 0.0,
            ("sta1", "ampdus", "1/s"): 1190 * on,
            ("sta1", "mpdus_per_ampdu", "MPDUs"): 9.8 * noise.gauss(1, 0.01),
            ("sta1", "mac_rate", "Mbit/s"): 292 + noise.gauss(0, 1.5),
            ("sta1", "mpdu_retries", "1/s"): 60 * on,
            ("sta1", "mpdu_losses", "1/s"): 0.0,
            ("sta1", "airtime", "share"): 0.72 * on,
            ("sta1", "queue", "packets"): 11.5 + 16 * off + noise.gauss(0, 0.4),
            ("sta1", "queue_drops", "1/s"): 0.0,
            ("sta1", "sojourn", "ms"): 0.9 + 9 * off,
            ("sta1", "driver_queue", "packets"): 18 + 4 * off + noise.gauss(0, 0.4),
            ("sta1", "away", "share"): off,
            ("ap", "ampdus", "1/s"): 1100 * on,
            ("ap", "mpdus_per_ampdu", "MPDUs"): 4.9 * noise.gauss(1, 0.01),
            ("ap", "mac_rate", "Mbit/s"): 286 + noise.gauss(0, 1.5),
            ("ap", "airtime", "share"): 0.085 * on,
            ("ap", "queue", "packets"): 2.1 * on,
            ("ap", "driver_queue", "packets"): 4.0 * on,
            ("ap", "away", "share"): 0.0,
        }
        table += [(float(second), entity, metric, value, unit) for (entity, metric, unit), value in values.items()]
    return table


def summary(remedy: bool, goodput: float, seed: int) -> dict[str, Any]:
    """The summary."""
    delivered = int(goodput * 1e6 / 8 * DURATION)
    return {
        "airloom": "0.1.0",
        "title": "Upload with TCP small queues while the station scans",
        "seed": seed,
        "duration_s": float(DURATION),
        "flows": [
            {
                "name": "sta1-server",
                "kind": "tcp",
                "from": "sta1",
                "to": "server",
                "congestion": "cubic",
                "goodput_mbps": goodput,
                "share": 1.0,
                "bytes_written": delivered + 65536,
                "bytes_delivered": delivered,
                "bytes_held": 65536,
                "retransmissions": 0,
                "timeouts": 0,
                "recoveries": 0,
                "local_drops": 0,
                "cwnd_mean": 201.0,
                "cwnd_max": 203.0,
                "in_flight_mean": 180.0,
                "srtt_mean_ms": 3.2,
                "rtt_mean_ms": 3.2,
            }
        ],
        "jain": 1.0,
        "nodes": [
            {
                "name": "sta1",
                "kind": "station",
                "ampdus": 350_000,
                "mpdus_per_ampdu": 9.8,
                "mac_rate_mbps": 292.0,
                "airtime_share": 0.7,
                "mpdu_retries": 17_500,
                "queues": [
                    {
                        "layer": "discipline",
                        "mean_packets": 12.0,
                        "max_packets": 61.0,
                        "mean_sojourn_ms": 1.0,
                        "drops": 0,
                    },
                    {
                        "layer": "driver",
                        "mean_packets": 18.2,
                        "max_packets": 30.0,
                        "mean_sojourn_ms": 1.5,
                        "drops": 0,
                    },
                ],
            },
            {
                "name": "ap",
                "kind": "ap",
                "ampdus": 321_000,
                "mpdus_per_ampdu": 4.9,
                "mac_rate_mbps": 286.0,
                "airtime_share": 0.08,
                "mpdu_retries": 2_100,
                "queues": [],
            },
            {"name": "server", "kind": "server", "queues": []},
        ],
        "airtime": {
            "by_node": {"sta1": 0.7, "ap": 0.084},
            "by_station": {"sta1": 1.0},
            "idle": 0.201,
            "collided": 0.015,
        },
        "drops": []
        if remedy
        else [
            {"place": "sta1: air", "cause": "retry limit", "count": 14},
            {"place": "sta1: driver", "cause": "radio left the channel", "count": 3},
        ],
        "scans": scans(remedy),
        "scan_requests": [
            {"station": "sta1", "time_s": start, "verdict": "skipped" if remedy else "started"} for start in SCANS
        ],
    }


def write(
    folder: Path, *, remedy: bool = False, goodput: float = 136.0, scenario: str = SCENARIO, seed: int = 1
) -> Path:
    """Writes the bundle."""
    folder.mkdir(parents=True)
    names = ("time", "entity", "metric", "value", "unit")
    columns = zip(*rows(remedy, goodput), strict=True)
    pq.write_table(pa.table(dict(zip(names, map(list, columns), strict=True))), folder / "series.parquet")
    (folder / "scenario.toml").write_text(scenario)
    (folder / "summary.json").write_text(json.dumps(summary(remedy, goodput, seed)))
    sign(folder, seed)
    return folder


def sign(folder: Path, seed: int = 1) -> None:
    """Writes the manifest of the files as they are now."""
    (folder / "manifest.json").unlink(missing_ok=True)
    hashes = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}
    manifest = {"airloom": "0.1.0", "results": 1, "engine": None, "seed": seed, "sha256": hashes}
    (folder / "manifest.json").write_text(json.dumps(manifest))
