"""Writes docs/profile-values.md, every profile with its values and their sources: `make profiles`."""

from __future__ import annotations

from pathlib import Path

from airloom import _engine
from reference import cell, sentence

PAGE = Path(__file__).resolve().parents[1] / "docs" / "profile-values.md"


def profiles() -> str:
    """Every profile with its values and their sources."""
    lines = [
        "# What each profile says",
        "",
        "<!-- Written by `make profiles` from profiles/; a change here is lost. -->",
        "",
        'What a scenario means by a word such as `"linux-6.18"` or `"ath9k"`: every value, with its source',
        "([what that is](profiles.md)); one that was fitted names the published result that it was fitted to.",
        "A key that is not here has the default of `airloom schema`.",
        "",
    ]
    for profile in _engine.profiles():
        lines += [
            f"## {profile['name']}",
            "",
            f"{profile['kind'].capitalize()}. {sentence(profile['description'])}",
            "",
        ]
        lines += ["| key | value | source |", "| --- | --- | --- |"]
        for value in profile["values"]:
            fitted = f"fitted to `{value['calibrated']}`" if value["calibrated"] else ""
            source = "; ".join(filter(None, [cell(value["source"] or ""), fitted]))
            lines.append(f"| `{value['key']}` | `{cell(value['value'])}` | {source} |")
        lines.append("")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(profiles(), encoding="utf-8")
