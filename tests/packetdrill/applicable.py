"""What a script asks of a host that airloom's TCP does not have, by its own text."""

from __future__ import annotations

import re

RULES = (
    (r"\b(MSG_FASTOPEN|TCP_FASTOPEN\w*)\b|<[^>]*\bFO(EXP)?\b", "TCP Fast Open"),
    (r"\b(SO|MSG)_ZEROCOPY\b", "zero copy"),
    (r"\b(SO_TIMESTAMPING|SCM_TIMESTAMPING\w*)\b", "timestamps of packets for the application"),
    (r"\b(TCP_MD5SIG|md5)\b", "MD5 signatures"),
    (r"\bTCP_AO\w*\b", "the authentication option"),
    (r"\b(mp_capable|mp_join|dss|MPTCP)\b", "Multipath TCP"),
    (r"\bicmp\b", "ICMP"),
    (r"\bIPPROTO_UDP\b|\budp\b", "UDP"),
    (r"--ip_version=(ipv6|ipv4-mapped-ipv6)", "IPv6"),
    (r"\b(splice|sendfile|pipe)\(", "files and pipes as sources of data"),
    (r"\bMSG_EOR\b", "the ends of records (MSG_EOR)"),
    (r"--mss=", "segments gathered on arrival (GRO)"),
    (r"--strict_segments\b", "how segments are gathered for segmentation offload"),
    (r"\bTCP_KEEP(IDLE|INTVL|CNT)\b", "keepalive"),
)
"""What stands in a script, its comments aside, that airloom has nothing for."""

COMMANDS = (
    (r"^tc qdisc (add|replace) .*\bfq\b", "pacing by the queue discipline fq"),
    (r"^tc qdisc (add|replace) .*\bpfifo limit 0\b", "a device that drops every packet"),
    (r"^tc qdisc (add|replace|del|delete)\b", None),
    (r"^ip tcp_metrics\b", None),
    (r"^ip (-6 )?route\b", "metrics of a route"),
    (r"^ethtool -K \S+ (gso|tso) off\b", None),
    (r"^echo 3 > /sys/module/tcp_cubic/parameters/hystart_detect$", None),
    (r"^echo 3$", None),
    (r"^(nstat|grep|ss|cat)\b", "counters and tables of the kernel"),
)
"""Commands of a script beside sysctls, each with what is missing for it, or None if it changes nothing here."""


def uncommented(text: str) -> str:
    """A script without its comments."""
    return re.sub(r"/\*.*?\*/", "", re.sub(r"//.*", "", text), flags=re.DOTALL)


def missing(text: str) -> str | None:
    """What a script's text asks for that airloom does not have; None if nothing is known to be missing."""
    bare = re.sub(r"`[^`]*`", "", uncommented(text))
    return next((what for pattern, what in RULES if re.search(pattern, bare)), None)


def missing_of_command(command: str) -> str | None:
    """What a command asks for that airloom does not have."""
    for pattern, what in COMMANDS:
        if re.search(pattern, command):
            return what
    return f"the command `{command}`"
