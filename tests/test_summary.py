"""The summary as the engine writes it, and as Python reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import airloom
from airloom.cli.tables import summaries
from airloom.report import page
from test_report import IDLE

if TYPE_CHECKING:
    from pathlib import Path


def test_a_run_may_end_while_its_radio_is_away(tmp_path: Path) -> None:
    whole = airloom.run(IDLE, set={"duration": "30 s"}, out=tmp_path / "whole")
    first, *_ = whole.summary["scans"][0]["trips"]
    assert first["home_s"] is not None
    end = (first["leaving_s"] + first["home_s"]) / 2
    run = airloom.load(airloom.run(IDLE, set={"duration": f"{end:.6f} s"}, out=tmp_path / "cut").path)
    (trip,) = run.summary["scans"][0]["trips"]
    assert trip["home_s"] is None
    assert summaries([run.summary]).row_count > 0
    assert "airloom" in page.render(run)
