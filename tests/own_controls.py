"""Reno and CUBIC of Linux 3.13 as classes in Python, for `airloom.congestion_control`, in time without ticks."""

from __future__ import annotations

import math

SECOND = 1_000_000_000
"""In nanoseconds."""

BETA, C, CLOCK = 717, 410, 1024
"""CUBIC's decrease of 1024, its C times 1024, and how often its clock ticks a second (`tcp_cubic.c`)."""


class Counted:
    """What both have: slow start that ends one segment past the threshold, and a count towards the next segment."""

    def __init__(self) -> None:
        """Nothing is counted."""
        self.count = 0

    def slow_start(self, cwnd: float, ssthresh: float, segments: int) -> float:
        """The window after an ACK in slow start (`tcp_slow_start`)."""
        return min(cwnd + segments, ssthresh + 1)

    def avoid(self, cwnd: float, per: float, counted: int) -> float:
        """One segment more for so many counted (`tcp_cong_avoid_ai`)."""
        if self.count >= per:
            self.count, cwnd = 0, cwnd + 1
        self.count += counted
        if self.count >= per:
            cwnd += self.count // per
            self.count = int(self.count % per)
        return cwnd


class Reno(Counted):
    """`tcp_reno`, which counts ACKs."""

    def grow(self, cwnd: float, ssthresh: float, segments: int) -> float:
        """A segment in a round trip."""
        if cwnd <= ssthresh:
            return self.slow_start(cwnd, ssthresh, segments)
        return self.avoid(cwnd, cwnd, 1)

    def lost(self, cwnd: float) -> float:
        """Half."""
        self.count = 0
        return max(cwnd // 2, 2)

    def timeout(self) -> None:
        """The count begins anew."""
        self.count = 0


class Cubic(Counted):
    """`tcp_cubic` without HyStart."""

    def __init__(self) -> None:
        """Nothing is known of the path."""
        super().__init__()
        self.forget()

    def forget(self) -> None:
        """As after a timeout."""
        self.epoch: int | None = None
        self.least: int | None = None
        self.last_max, self.per = 0, 1
        self.counted = self.reno = 0
        self.origin = self.k = 0
        self.last = (0, 0)

    def acked(self, now: float, rtt: float | None) -> None:
        """Takes the least round trip, but not just after a reduction."""
        quiet = self.epoch is not None and nanoseconds(now) - self.epoch < SECOND
        if rtt is not None and not quiet:
            ns = round(rtt * SECOND)
            self.least = ns if self.least is None else min(self.least, ns)

    def grow(self, now: float, cwnd: float, ssthresh: float, segments: int) -> float:
        """Along the curve."""
        if cwnd <= ssthresh:
            return self.slow_start(cwnd, ssthresh, segments)
        self.update(int(cwnd), nanoseconds(now), segments)
        return self.avoid(cwnd, self.per, segments)

    def update(self, cwnd: int, now: int, acked: int) -> None:
        """After how many segments the window grows by one (`bictcp_update`)."""
        self.counted += acked
        if self.last[0] == cwnd and now - self.last[1] <= SECOND // 32:
            return
        self.last = (cwnd, now)
        self.read(cwnd, now, acked)
        step = max((cwnd * 15) >> 3, 1)
        if self.counted > step:
            steps = (self.counted - 1) // step
            self.counted -= steps * step
            self.reno += steps
        if self.reno > cwnd:
            self.per = min(self.per, cwnd // (self.reno - cwnd))
        self.per = max(self.per, 1)

    def read(self, cwnd: int, now: int, acked: int) -> None:
        """The growth that the curve asks for; it begins if none has."""
        if self.epoch is None:
            self.epoch, self.counted, self.reno = now, acked, cwnd
            below = max(self.last_max - cwnd, 0)
            self.k, self.origin = math.floor(math.cbrt((below << 40) // C)), cwnd + below
        t = (now - self.epoch + (self.least or 0)) * CLOCK // SECOND
        delta = (C * abs(t - self.k) ** 3) >> 40
        target = max(self.origin - delta, 0) if t < self.k else self.origin + delta
        self.per = cwnd // (target - cwnd) if target > cwnd else 100 * cwnd
        if self.last_max == 0:
            self.per = min(self.per, 20)

    def lost(self, cwnd: float) -> float:
        """Seven tenths; a window below its last plateau leaves room for others."""
        self.epoch, self.count, whole = None, 0, int(cwnd)
        self.last_max = whole * (1024 + BETA) // 2048 if whole < self.last_max else whole
        return max(whole * BETA // 1024, 2)

    def timeout(self) -> None:
        """Everything begins anew, but what is counted towards Reno's window."""
        counted, reno, last, origin, k = self.counted, self.reno, self.last, self.origin, self.k
        self.forget()
        self.counted, self.reno, self.last, self.origin, self.k = counted, reno, last, origin, k
        self.count = 0


def nanoseconds(now: float) -> int:
    """A time as the engine has it."""
    return round(now * SECOND)
