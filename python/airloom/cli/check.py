"""`airloom check`."""

from __future__ import annotations

from pathlib import Path

from airloom import _engine
from airloom.cli.common import Seed, Set, overrides
from airloom.cli.terminal import print_file, say, warn
from airloom.scenario.source import check_seed, read, worded
from airloom.support.formatting import count


def check(
    scenario: Path,
    /,
    *,
    resolved: bool = False,
    seed: Seed = None,
    settings: Set = (),
) -> None:
    """Check a scenario without running it.

    Args:
        scenario: The scenario file.
        resolved: Print it with every default spelled out.
        seed: The seed, in place of the scenario's own.
        settings: A value over the scenario's, KEY=VALUE.
    """
    text, file = read(scenario)
    check_seed(seed)
    changed = worded(overrides(settings))
    toml = _engine.check(text, file, changed, seed)
    warnings = _engine.warnings(text, file, changed, seed)
    warn(warnings)
    if resolved:
        print_file(toml.rstrip())
    else:
        say(f"{file}: fine" + (f", with {count(len(warnings), 'warning')}" if warnings else ""))
