"""Prints what a release is made of as CycloneDX 1.5: the crates in it, and the packages that a wheel takes.

Of a commit it is always the same, so it says no time: Cargo.lock and python/requirements/package.txt say it all.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PRODUCTS = ("airloom-module", "airloom-doctor", "airloom-guard", "airloom-link-share")
"""The crates of the wheel and of the programs."""


def crates() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The crates in the products for Linux, and what each depends on: none that only tests, builds or writes code."""
    platforms = [f"--filter-platform={machine}-unknown-linux-gnu" for machine in ("x86_64", "aarch64")]
    command = [
        "cargo",
        "metadata",
        "--format-version=1",
        "--locked",
        "--features=airloom-link-share/kernel",
        *platforms,
    ]
    known = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    packages = {package["id"]: package for package in known["packages"]}
    needs = {
        node["id"]: [to["pkg"] for to in node["deps"] if any(kind["kind"] is None for kind in to["dep_kinds"])]
        for node in known["resolve"]["nodes"]
    }
    macros = {key for key, package in packages.items() if package["targets"][0]["kind"] == ["proc-macro"]}
    needs = {key: [other for other in others if other not in macros] for key, others in needs.items()}
    waiting = [key for key, package in packages.items() if package["name"] in PRODUCTS]
    reached: set[str] = set()
    while waiting:
        key = waiting.pop()
        if key not in reached:
            reached.add(key)
            waiting += needs[key]
    sums = {
        (package["name"], package["version"]): package.get("checksum")
        for package in tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    }
    chosen = sorted((packages[key] for key in reached), key=purl_of_crate)
    tree = [
        {"ref": purl_of_crate(crate), "dependsOn": sorted(purl_of_crate(packages[key]) for key in needs[crate["id"]])}
        for crate in chosen
    ]
    return [of_crate(crate, sums[crate["name"], crate["version"]]) for crate in chosen], tree


def purl_of_crate(crate: dict[str, Any]) -> str:
    """What names a crate everywhere."""
    return f"pkg:cargo/{crate['name']}@{crate['version']}"


def of_crate(crate: dict[str, Any], checksum: str | None) -> dict[str, Any]:
    """A crate as a component; ours have no checksum, since they are this commit."""
    component = component_of("library", crate["name"], crate["version"], purl_of_crate(crate))
    component["licenses"] = [{"expression": crate["license"].replace("/", " OR ")}]
    if checksum:
        component["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    return component


def python_packages() -> list[dict[str, Any]]:
    """The packages that a wheel takes; each is several files, whose hashes are in the list."""
    listed = (ROOT / "python" / "requirements" / "package.txt").read_text(encoding="utf-8")
    pairs = re.findall(r"(?m)^([\w.-]+)==([\w.]+)", listed)
    return [component_of("library", name, version, f"pkg:pypi/{name}@{version}") for name, version in pairs]


def component_of(kind: str, name: str, version: str, purl: str) -> dict[str, Any]:
    """What every component says."""
    return {"type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl}


def main() -> None:
    """Prints it."""
    components, tree = crates()
    packages = python_packages()
    version = next(crate["version"] for crate in components if crate["name"] == "airloom-module")
    product = component_of("application", "airloom", version, f"pkg:pypi/airloom@{version}")
    product["licenses"] = [{"expression": "Apache-2.0"}]
    top = [f"pkg:cargo/{name}@{version}" for name in PRODUCTS] + [package["bom-ref"] for package in packages]
    said = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": product},
        "components": components + packages,
        "dependencies": [{"ref": product["bom-ref"], "dependsOn": top}, *tree],
    }
    sys.stdout.write(json.dumps(said, indent=1) + "\n")


main()
