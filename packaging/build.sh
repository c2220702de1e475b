#!/bin/sh
# Builds a Debian package in target/package, with debhelper: of airloom-guard, or of airloom-rate, which takes clang and libelf-dev.
# Usage: build.sh [NAME]
set -eu
cd "$(dirname "$0")/.."
name=${1:-airloom-guard}
case $name in
    airloom-guard) crate=airloom-guard features= ;;
    airloom-rate) crate=airloom-link-share features="--features kernel" ;;
    *) echo "there is no package $name: airloom-guard, airloom-rate" >&2; exit 2 ;;
esac
target=${CARGO_TARGET_DIR:-target}
# A source distribution has a part of the workspace, for which cargo takes packages out of Cargo.lock.
locked=--locked
test -d testbed || locked=
# shellcheck disable=SC2086
cargo build --profile guard --package "$crate" --bin "$name" $features $locked --quiet
rm -rf "$target/package/$name"
mkdir -p "$target/package"
cp -r packaging "$target/package/$name"
cp "$target/guard/$name" "$target/package/$name/"
cd "$target/package/$name"
chmod +x debian/rules  # a source distribution keeps no modes
dh binary --with installsysusers --package "$name" >build.log 2>&1 || { cat build.log; exit 1; }
ls "$PWD"/*.deb
