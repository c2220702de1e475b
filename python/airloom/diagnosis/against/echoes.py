"""The pairs of hosts whose ICMP echo is compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.echoes import ECHOES, echoes, is_heard

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import Diagnosis, PingsSeen


def echoed(found: Diagnosis) -> list[PingsSeen]:
    """The pairs with as many packets of ICMP echo as matter, each once.

    What a monitor alone heard is not among them: it may miss answers.
    """
    told = [one for one in found["pings"] if one["tells_most"] and not is_heard(one, found)]
    return [one for one in told if one["requests"] and echoes(one) >= ECHOES]
