"""The stations that roam decide where the daemons do, and send the frames that they send."""

from __future__ import annotations

from collections import defaultdict
from statistics import median
from typing import TYPE_CHECKING

import pytest

import airloom

from . import streams
from .kept import DAEMONS, HOME_MHZ, Done, done, read
from .reading import PHASES, frames
from .walks import LEVELS, WALKS, Walk, scenario, stream, text

if TYPE_CHECKING:
    from pathlib import Path

STATION = "02:00:00:00:00:02"
NOISE_DBM = -93.97
"""Of 20 MHz: -174 dBm/Hz and a noise figure of 7 dB."""
EXPLAINED = {
    (
        "iwd",
        "scan",
    ): "a grace period of RCU behind the scan (`__ieee80211_scan_completed`) and timers that wait for a jiffy more",
    ("wpa_supplicant", "authentication"): "frames on Linux's simulated radios take no time",
    ("iwd", "authentication"): "frames on Linux's simulated radios take no time",
    ("wpa_supplicant-ft", "authentication"): "frames on Linux's simulated radios take no time",
    ("wpa_supplicant-ft", "association"): "frames on Linux's simulated radios take no time",
    ("wpa_supplicant", "keys"): "frames on Linux's simulated radios take no time",
}
"""Where the medians differ by more than a fifth, and why."""
APART_MS = {"scan": 20.0, "authentication": 0.6, "association": 1.0, "keys": 1.5}
"""How far they may be apart then, in ms."""

EARLIER = {("wpa_supplicant", "down"), ("wpa_supplicant-ft", "down")}
"""What waited in the scan arrives there before wpa_supplicant closes the port, since frames on Linux's simulated radios
take no time: nothing is lost. Ours loses it, and waits for the sender's timer."""


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int], Done]:
    """What the simulated stations do on the same walks."""
    folder = tmp_path_factory.mktemp("walks")
    found = {}
    for daemon in DAEMONS:
        for number, walk in enumerate(WALKS, 1):
            air = walked(walk, daemon, folder / f"{daemon}-{number}")
            found[daemon, number] = done(daemon, number, 0.0, frames(air, STATION))
    return found


def walked(walk: Walk, daemon: str, folder: Path) -> Path:
    """Runs a walk, and returns what a monitor captures."""
    manager, fast = DAEMONS[daemon]
    folder.mkdir()
    file = folder / "walk.toml"
    file.write_text(scenario(walk, manager, fast=fast), encoding="utf-8")
    return airloom.run(file, out=folder / "run", capture=airloom.CaptureSettings(snap_length=0)).path / "air.pcapng"


def test_the_emulated_machine_has_the_levels_of_the_simulated_world(tmp_path: Path) -> None:
    assert LEVELS.read_text(encoding="utf-8") == text()
    walk = WALKS[3]
    (tmp_path / "walk.toml").write_text(scenario(walk, "sticky", fast=False), encoding="utf-8")
    ratios = airloom.run(tmp_path / "walk.toml").series.get("laptop", "signal").values
    before = walk.levels()[0][0]
    for second, (ratio, (level, _)) in enumerate(zip(ratios, walk.levels(), strict=True)):
        # A station that walks is elsewhere every 100 ms: the first tenth of a second is still of the place before.
        assert ratio + NOISE_DBM == pytest.approx(0.9 * level + 0.1 * before, abs=0.51), second
        before = level


@pytest.mark.nightly
@pytest.mark.parametrize("daemon", DAEMONS)
def test_ten_of_ten_walks_scan_and_decide_at_the_same_levels(daemon: str, ours: dict[tuple[str, int], Done]) -> None:
    theirs = [row for row in read() if row.daemon == daemon]
    assert len(theirs) == len(WALKS)
    for row in theirs:
        assert ours[daemon, row.walk].scans == row.scans, row.walk


@pytest.mark.nightly
@pytest.mark.parametrize("daemon", DAEMONS)
def test_ten_of_ten_walks_have_the_same_frames(daemon: str, ours: dict[tuple[str, int], Done]) -> None:
    for row in read():
        if row.daemon == daemon:
            # Questions for addresses are no frames on the simulated air.
            assert ours[daemon, row.walk].frames == row.frames.replace(" ask", ""), row.walk


@pytest.mark.nightly
def test_the_parts_of_a_way_take_as_long(ours: dict[tuple[str, int], Done]) -> None:
    theirs = {(row.daemon, row.walk): row for row in read()}
    both: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for key, row in theirs.items():
        for phase, its, our in zip(PHASES, row.phases, ours[key].phases, strict=True):
            both[row.daemon, phase].append((its, our))
    for (daemon, phase), pairs in both.items():
        if phase == "first data":
            continue
        its, our = (median(column) for column in zip(*pairs, strict=True))
        if (daemon, phase) in EXPLAINED:
            assert abs(our - its) < APART_MS[phase], (daemon, phase, its, our)
        else:
            assert our == pytest.approx(its, rel=0.2), (daemon, phase)


@pytest.mark.nightly
def test_data_are_late_by_a_second_where_the_address_was_asked_for_too_early(ours: dict[tuple[str, int], Done]) -> None:
    for rows in (read(), list(ours.values())):
        for row in rows:
            first = row.phases[-1]
            if row.daemon == "iwd":
                assert first < 60, row
            else:
                assert first < 60 or 950 < first < 1050, row


def test_a_receiver_waits_as_long_as_the_daemons(tmp_path: Path) -> None:
    waits: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    goes = {(row.daemon, row.walk): int(row.scans[-1].split(":")[0]) for row in read()}
    for row in streams.read():
        manager, fast = DAEMONS[row.daemon]
        file = tmp_path / f"{row.daemon}-{row.way}-{row.walk}.toml"
        flow = stream(row.way, goes[row.daemon, row.walk])
        walk = scenario(WALKS[row.walk - 1], manager, fast=fast, flow=flow)
        file.write_text(walk, encoding="utf-8")
        (roam,) = airloom.run(file).summary["roams"]
        stall = roam["tcp_stall_ms"]
        assert stall is not None
        waits[row.daemon, row.way].append((row.waited, stall))
    for key, pairs in waits.items():
        theirs, ours = (median(column) for column in zip(*pairs, strict=True))
        # Nobody waits for an address, a second.
        assert max(max(pair) for pair in pairs) < 500, key
        if key not in EARLIER:
            assert ours == pytest.approx(theirs, rel=0.25), key


def test_a_channel_is_the_one_that_is_named() -> None:
    assert HOME_MHZ == 5180
