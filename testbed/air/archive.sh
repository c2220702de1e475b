#!/bin/bash
# Builds an archive of the files that lie over those of testbed/kernel's system, which is there already: the world, the hosts,
# and the devices between them. Usage: archive.sh SYSTEM FOLDER
set -euo pipefail
sources=$(dirname "$(realpath "$0")")
target=${CARGO_TARGET_DIR:-$sources/../../target}
system=$1 out=$2
rm -rf "$out/files"
mkdir -p "$out/files/bin" "$out/files/world"
cc -O2 -Wall -Wextra -Werror -static -o "$out/files/bin/hosts" "$sources/hosts.c"
# With the features that the engine of the package has, so that what was compiled for it serves here.
(cd "$sources/../.." && cargo build --release --locked --quiet --package airloom-python --package airloom-testbed-air --bin airloom-air)
strip -o "$out/files/world/airloom-air" "$target/release/airloom-air"
# Its libraries and its loader stay apart from the machine's own, which are of another distribution.
ldd "$target/release/airloom-air" | sed -n 's|^[^/]*\(/[^ ]*\) (.*|\1|p' | while read -r library; do
    cp -L "$library" "$out/files/world/"
done
mv "$out"/files/world/ld-linux-* "$out/files/world/loader"
cp "$sources/init" "$system/tun.ko" "$out/files/"
find "$out/files" -exec touch --no-dereference --date @0 {} +
(cd "$out/files" && find . -print0 | LC_ALL=C sort -z | cpio --null --create --format=newc --reproducible --quiet --owner=0:0) >"$out/air.cpio"
