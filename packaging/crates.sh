#!/bin/sh
# Packages crate `airloom` and the crates of which it is made, target/package/NAME-VERSION.crate; tests/test_installed.py builds with them.
# Which these are their manifests say: no other crate may be published.
# Usage: crates.sh
set -eu
cd "$(dirname "$0")/.."
crates=$(cargo metadata --no-deps --format-version 1 --locked | python3 -c '
import json, sys
for package in json.load(sys.stdin)["packages"]:
    if package["publish"] is None:
        print("--package", package["name"])')
# shellcheck disable=SC2086
cargo package --quiet --locked --allow-dirty --no-verify $crates
ls "${CARGO_TARGET_DIR:-target}"/package/*.crate
