#!/bin/sh
# Builds the Debian package of airloom-guard in target/package, with debhelper.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
# A source distribution has a part of the workspace, for which cargo takes packages out of Cargo.lock.
locked=--locked
test -d testbed || locked=
cargo build --profile guard --package airloom-guard $locked --quiet
rm -rf "$target/package"
cp -r packaging "$target/package"
cp "$target/guard/airloom-guard" "$target/package/"
cd "$target/package"
chmod +x debian/rules  # a source distribution keeps no modes
dh binary --with installsysusers >build.log 2>&1 || { cat build.log; exit 1; }
ls "$PWD"/*.deb
