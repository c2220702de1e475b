#!/bin/bash
# Builds an archive of the files that lie over those of testbed/kernel's system. Usage: archive.sh FOLDER
set -euo pipefail
sources=$(dirname "$(realpath "$0")")
mkdir -p "$1/files/bin"
cc -O2 -Wall -Wextra -Werror -static -o "$1/files/bin/flows" "$sources/flows.c"
find "$1/files" -exec touch --no-dereference --date @0 {} +
(cd "$1/files" && find . -print0 | LC_ALL=C sort -z | cpio --null --create --format=newc --reproducible --quiet --owner=0:0) >"$1/phases.cpio"
