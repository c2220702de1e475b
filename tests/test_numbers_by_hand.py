"""Numbers in the sentences of papers' pages are printed by commands, inputs, published, or say where they are from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import by_hand
from airloom.papers import paper

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGE = """\
The link has 30 ms and 12.5 Mbit/s; near ones get 20 to 1,400 kbit/s, a share of 57 %, in 31 ms or 32 ms.
Figure 1 has 41 and 42 kB, as 42 kB to 43 kB and 44 ms, not 45 ms.
| a table | 33 ms |

    In 34
    ms they are <!-- $ echo 35 ms -->35 ms<!-- end -->, or <!-- from: section 2 -->36 to
    37 ms<!-- end -->, of `wait = "38 ms"` with MCS 15 and 1.39 ms.

```
40 ms
```
"""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The page of a paper."""
    folder = tmp_path / "papers" / "tiny"
    folder.mkdir(parents=True)
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "host.toml").write_text(
        'description = "not 45 ms"\nrate = "12.5 Mbit/s"\nwait = ["44 ms"] # not 31 ms\n'
        '[calibrated]\nrate = "a.b: not 45 ms"\n'
    )
    (folder / "figures.toml").write_text(
        '[[figure]]\nshow = [{ unit = "kB" }]\n'
        'published = [{ value = [0.041, 0.042], scale = 1000 }, { claim = "a" }]\n'
    )
    (folder / "claims.toml").write_text(
        '[[claim]]\nvalue = 0.57\nunit = "ratio"\n[[claim]]\nlo = 20\nhi = 30\nunit = "kbit/s"\n'
    )
    (folder / "run.toml").write_text('delay = "30 ms" # not 32 ms\n')
    (folder / "README.md").write_text(PAGE)
    monkeypatch.setattr(by_hand, "ROOT", tmp_path)
    by_hand.profiles.cache_clear()
    yield folder / "README.md"
    by_hand.profiles.cache_clear()


@pytest.mark.usefixtures("page")
def test_numbers_by_hand_are_found() -> None:
    assert by_hand.by_hand("tiny") == [
        "1: 1,400 kbit/s",
        "1: 31 ms",
        "1: 32 ms",
        "2: 43 kB",
        "2: 45 ms",
        "5: 34 ms",
        "7: 1.39 ms",
    ]


@pytest.mark.parametrize("name", paper.available())
def test_no_number_of_a_page_is_written_by_hand(name: str) -> None:
    found = by_hand.by_hand(name)
    lines = "\n".join(f"papers/{name}/README.md:{line}" for line in found)
    assert not found, f"print them with site/quantity.py, or say where they are from:\n{lines}"
