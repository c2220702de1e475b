"""`airloom shell` says where this kernel's TCP is not the scenario's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from airloom import _engine
from airloom.emulation.kernel_settings import differing, octets
from airloom.support import reading
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

KERNEL = {
    "tcp_congestion_control": "cubic",
    "tcp_sack": "1",
    "tcp_dsack": "1",
    "tcp_timestamps": "1",
    "tcp_window_scaling": "1",
    "tcp_slow_start_after_idle": "1",
    "tcp_early_retrans": "3",
    "tcp_ecn": "2",
    "tcp_rmem": "4096\t131072\t33554432",
    "tcp_wmem": "4096\t16384\t4194304",
}
"""What Linux 6.18 sets by itself."""


def scenario(*settings: tuple[str, str]) -> dict[str, Any]:
    """A download, resolved, with settings over its own."""
    text = (ROOT / "examples" / "download.toml").read_text()
    return reading.toml(_engine.check(text, "download.toml", list(settings), None))


def kernel(**other: str) -> Callable[[str], str | None]:
    return {**KERNEL, **other}.get


def test_a_kernel_with_the_scenarios_settings_needs_no_word() -> None:
    assert differing(scenario(), kernel()) == []
    assert differing(scenario(), kernel(tcp_timestamps="2", tcp_early_retrans="4", tcp_ecn="0")) == []
    assert differing(scenario(), lambda _: None) == [], "a kernel that tells nothing"


@pytest.mark.parametrize("name", KERNEL)
def test_each_setting_that_differs_is_named_with_what_sets_it(name: str) -> None:
    other = {"tcp_congestion_control": "reno", "tcp_ecn": "1"}.get(name, "0")
    other = "4096 4096 4096" if "mem" in name else other
    said = differing(scenario(), kernel(**{name: other}))
    assert [line.split()[:3] for line in said] == [[name, "is", other.split()[0]]]
    assert "in this kernel, where laptop and server have" in said[0]
    setting = said[0].rsplit("sysctl -w net.ipv4.", 1)[1]
    value = setting.removeprefix(f"{name}=").strip('"')
    assert differing(scenario(), kernel(**{name: value})) == [], "what it says to set ends it"


def test_what_a_flow_has_is_what_its_sender_has() -> None:
    said = differing(scenario(("flow.0.tcp.congestion", "newreno")), kernel())
    assert said == [
        (
            "tcp_congestion_control is cubic in this kernel, where server has reno: "
            'before the shell, sudo sysctl -w net.ipv4.tcp_congestion_control="reno"'
        )
    ]
    off = differing(scenario(("station.0.host.sack", "false")), kernel())
    assert [line.split(":")[0] for line in off] == ["tcp_sack is 1 in this kernel, where laptop has 0"]


def test_sizes_are_in_octets() -> None:
    assert [octets(size) for size in ("4 MiB", "87380 B", "128 KiB", "1.5 MB")] == [4194304, 87380, 131072, 1500000]
