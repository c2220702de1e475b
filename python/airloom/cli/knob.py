"""`airloom knob`."""

from __future__ import annotations

import sys
from typing import Annotated

from airloom.cli.common import AsJson, Whole, pairs
from airloom.cli.terminal import print_json, say
from airloom.emulation.knobs import Shell
from airloom.errors import RunError
from airloom.scenario.source import worded

SCAN = "scan"
WALK = "walk"
POWER = {"off": False, "on": True}


def knob(
    *wish: str,
    shell: Annotated[int | None, Whole] = None,
    as_json: AsJson = False,
) -> None:
    """Change the world of a shell that runs, or watch it: carry a station away, have it scan, change queues, cut power.

    Without a wish it is watched, with keys for what is wished most; or shown once, where there is no terminal. It works
    within `airloom shell` and outside. What can be changed: a station's distance, walls or snr, its remedy
    against scans, its queue, and the access point's queue; and whether an access point has power. The page of the run
    marks each change.

    Examples:
        # watch it
        airloom knob
        airloom knob station.laptop.distance="12 m"
        airloom knob ap.0.queue.discipline=fq_codel
        airloom knob station.sta1.scan.remedy=skip-if-moved
        airloom knob scan sta1
        # to a place of the plan, at a speed or in a time
        airloom knob walk laptop "40 m, 2 m" "1.4 m/s"
        # an access point falls silent, until it is `on` again
        airloom knob hall off

    Args:
        wish: KEY=VALUE as with `--set` of `airloom shell`, once or more often; or `scan` and a station;
            or `walk`, a station, where it goes, and at what speed or in which time;
            or an access point and `off` or `on`.
        shell: The process of the shell, where more than one runs.
        as_json: Print how the world is as JSON, and change nothing.
    """
    asked = Shell(shell)
    if as_json:
        print_json("knob", asked.look())
    elif wish and wish[0] == SCAN:
        for station in wish[1:] or [""]:
            say(f"{station} scans at {asked.scan(station):.3f} s")
    elif wish and wish[0] == WALK:
        try:
            _, station, to, pace = wish
        except ValueError:
            example = 'airloom knob walk laptop "40 m, 2 m" "1.4 m/s"'
            raise RunError(f"a walk needs a station, a place and a speed or a time, such as {example}") from None
        say(f"{station} walks from {asked.walk(station, to, pace):.3f} s on")
    elif len(wish) > 1 and wish[-1] in POWER:
        for access_point in wish[:-1]:
            say(f"{access_point} is {wish[-1]} at {asked.switch(access_point, on=POWER[wish[-1]]):.3f} s")
    elif wish:
        settings = worded(pairs(wish, "a wish", "station.laptop.distance=12 m"))
        say(f"changed at {asked.change(settings):.3f} s")
    elif sys.stdin.isatty() and sys.stdout.isatty():
        from airloom.cli.knob_view import watch

        watch(asked)
    else:
        from airloom.cli.knob_view import once
        from airloom.cli.screen import Screen

        screen = Screen()
        screen.print(once(screen, asked))
