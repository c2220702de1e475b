"""The shell commands of a packetdrill script: what they set, without running them."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NESTING = 4
"""How deep files of commands may include others."""

COMMAND = re.compile(r"`([^`]*)`")
PRODUCT = re.compile(r"\$\(\(([\d\s*]+)\)\)")
RESTORES = re.compile(r"/\w+/sysctl_restore_\$\{?PPID\}?\.sh")
"""What `set_sysctls.py` leaves to set back what it set: nothing here outlives a script."""


@dataclass
class Effects:
    """What commands do: sysctls in the order they are set, and what else they ask of a host."""

    sysctls: list[tuple[str, str]] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


def effects(text: str, folder: Path, depth: int = 0) -> Effects:
    """What a text of shell commands does that is run in `folder`."""
    found = Effects()
    for line in lines(text):
        for words in simple_commands(line):
            one(words, folder, depth, found)
    return found


def lines(text: str) -> Iterator[str]:
    """The lines of commands, continued ones joined, comments and empty ones left out."""
    for line in re.sub(r"\\\n", " ", text).splitlines():
        product = PRODUCT.sub(lambda found: str(multiplied(found[1])), line)
        if bare := re.sub(r"(^|\s)#.*", "", product).strip():
            yield bare


def multiplied(factors: str) -> int:
    """What a product such as `15*1024` comes to."""
    total = 1
    for factor in factors.split("*"):
        total *= int(factor)
    return total


def simple_commands(line: str) -> Iterator[list[str]]:
    """The commands of a line one by one, without their redirections; of `a || b` only the first."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="();<>|&")
    lexer.whitespace_split = True
    words: list[str] = []
    skip = False
    for word in lexer:
        if word == "||":
            break
        if re.fullmatch(r"[;&|]+", word) and word != "&":
            if words:
                yield words
            words = []
        elif re.search(r"[<>]", word):
            skip = True
            if words and re.fullmatch(r"[12&]", words[-1]):
                words.pop()
        elif skip:
            skip = False
        elif word != "&":
            words.append(word)
    if words:
        yield words


def one(words: list[str], folder: Path, depth: int, found: Effects) -> None:
    """Add what one command does."""
    name = words[0].rpartition("/")[2]
    if RESTORES.fullmatch(words[0]) or name == "true":
        return
    if name == "sysctl":
        found.sysctls += [setting(word) for word in words[1:] if "=" in word]
    elif name == "set_sysctls.py":
        found.sysctls += [setting(word.removeprefix("/proc/sys/")) for word in words[1:]]
    elif name.endswith(".sh") and (file := folder / words[0]).is_file() and depth < NESTING:
        inner = effects(file.read_text(encoding="utf-8"), file.parent, depth + 1)
        found.sysctls += inner.sysctls
        found.others += inner.others
    else:
        found.others.append(" ".join(words))


def setting(word: str) -> tuple[str, str]:
    """The name of a sysctl with dots, and its value, of `net/ipv4/tcp_sack=1`."""
    key, _, value = word.partition("=")
    return key.replace("/", "."), value
