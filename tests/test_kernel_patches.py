"""The patches for Linux: the letter lists what it sends, and what was measured of them holds."""

from __future__ import annotations

import re
import subprocess
import sys

from conftest import ROOT

KERNEL = ROOT / "kernel"
LETTER = (KERNEL / "0000-cover-letter.patch").read_text(encoding="utf-8")


def test_the_letter_lists_the_patches() -> None:
    patches = sorted(KERNEL.glob("000[1-9]-*.patch"))
    subjects = [
        re.search(r"^Subject: \[.*?\] (.*(?:\n .*)?)$", patch.read_text(encoding="utf-8"), re.MULTILINE)
        for patch in patches
    ]
    found = [subject[1].replace("\n", "") for subject in subjects if subject]
    assert len(found) == len(patches) > 0
    assert all(f"\n  {subject}\n" in LETTER for subject in found)


def test_every_new_file_names_its_licence() -> None:
    for patch in KERNEL.glob("000[1-9]-*.patch"):
        new = re.findall(
            r"^--- /dev/null\n\+\+\+ (.*)\n@@ .*\n\+(.*)$", patch.read_text(encoding="utf-8"), re.MULTILINE
        )
        assert all("SPDX-License-Identifier: GPL-2.0-only" in line for _, line in new)


def test_what_is_recorded_holds() -> None:
    said = subprocess.run(
        [sys.executable, str(KERNEL / "judge.py"), str(KERNEL / "measured.jsonl")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stdout
