"""The host that a script's sysctls describe, as keys of a host in a scenario (docs/tcp.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CONTROLS = {"cubic": "cubic", "reno": "newreno", "bbr": "bbr"}


class MissingError(Exception):
    """A setting that airloom's TCP cannot take, with the reason."""


def flag(key: str) -> Callable[[str], dict[str, str]]:
    """A sysctl that is on or off."""
    return lambda value: {key: "false" if int(value, 0) == 0 else "true"}


def number(key: str) -> Callable[[str], dict[str, str]]:
    """A sysctl whose number is the key's."""
    return lambda value: {key: str(int(value, 0))}


def receive_buffer(value: str) -> dict[str, str]:
    """`tcp_rmem`; its maximum decides the window scale (`tcp_select_initial_window`)."""
    _, initial, most = (int(word, 0) for word in value.split())
    scale = max(0, min(14, most.bit_length() - 16))
    return {
        "receive_buffer_initial": f"'{min(initial, most)} B'",
        "receive_buffer_max": f"'{most} B'",
        "window_scale": str(scale),
    }


def send_buffer(value: str) -> dict[str, str]:
    """`tcp_wmem`."""
    _, initial, most = (int(word, 0) for word in value.split())
    return {"send_buffer_initial": f"'{min(initial, most)} B'", "send_buffer_max": f"'{most} B'"}


def congestion(value: str) -> dict[str, str]:
    """`tcp_congestion_control`."""
    if value not in CONTROLS:
        reason = f"the congestion control {value}"
        raise MissingError(reason)
    return {"congestion": f"'{CONTROLS[value]}'"}


def ecn(value: str) -> dict[str, str]:
    """`tcp_ecn`: 1 offers it, 2 agrees if it is offered, 3 to 5 are Accurate ECN."""
    mode = int(value, 0)
    if mode > 2:
        reason = "Accurate ECN"
        raise MissingError(reason)
    return {"ecn": "'on'" if mode == 1 else "'off'", "ecn_if_asked": "true" if mode else "false"}


def loss_probe(value: str) -> dict[str, str]:
    """`tcp_early_retrans`: 3 and 4 are tail loss probes (`tcp_schedule_loss_probe`); 1 and 2 are nothing any more."""
    return {"recovery.tail_loss_probe": "true" if int(value, 0) in (3, 4) else "false"}


def recovery(value: str) -> dict[str, str]:
    """`tcp_recovery`: its first bit is RACK, the others change it."""
    bits = int(value, 0)
    for bit, what in ((2, "RACK with a fixed reordering window"), (4, "RACK without a threshold of SACKed segments")):
        if bits & 1 and bits & bit:
            raise MissingError(what)
    return {"recovery.detection": "'rack'" if bits & 1 else "'sacks'"}


def ignored(_value: str) -> dict[str, str]:
    """A sysctl that changes nothing here."""
    return {}


SYSCTLS: dict[str, Callable[[str], dict[str, str]]] = {
    "tcp_rmem": receive_buffer,
    "tcp_wmem": send_buffer,
    "tcp_timestamps": flag("timestamps"),
    "tcp_sack": flag("sack"),
    "tcp_dsack": flag("duplicate_sack"),
    "tcp_frto": flag("recovery.frto"),
    "tcp_early_retrans": loss_probe,
    "tcp_recovery": recovery,
    "tcp_reordering": number("recovery.duplicate_threshold"),
    "tcp_congestion_control": congestion,
    "tcp_slow_start_after_idle": flag("slow_start_after_idle"),
    "tcp_ecn": ecn,
    "tcp_adv_win_scale": number("receive_window_share"),
    "tcp_notsent_lowat": number("unsent_limit"),
    "tcp_min_tso_segs": number("least_burst"),
    # For what has rules of its own (`applicable`), and for what no wire shows of one connection.
    **dict.fromkeys(("tcp_fastopen", "tcp_fastopen_key", "tcp_fastopen_blackhole_timeout_sec"), ignored),
    **dict.fromkeys(("tcp_ecn_option", "tcp_fack", "tcp_syncookies", "tcp_no_metrics_save"), ignored),
    **dict.fromkeys(("tcp_syn_retries", "tcp_synack_retries", "tcp_tso_win_divisor"), ignored),
    **dict.fromkeys(("tcp_pacing_ss_ratio", "tcp_pacing_ca_ratio"), ignored),
}


def settings(sysctls: list[tuple[str, str]]) -> Iterator[str]:
    """Lines of `key = value`, later ones counting, for the library.

    Raises:
        MissingError: at the first sysctl that airloom's TCP has nothing for.
    """
    for name, value in sysctls:
        area, _, key = name.rpartition(".")
        if area != "net.ipv4" or key not in SYSCTLS:
            reason = f"the sysctl {name}"
            raise MissingError(reason)
        yield from (f"{key} = {text}" for key, text in SYSCTLS[key](value).items())
