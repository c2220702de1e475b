#!/bin/bash
# Everything that these patches claim: they apply and are in style, compile without a warning, their KUnit tests pass, and an
# emulated machine with the modules measures about what measured.jsonl has. `run.sh record` writes that file anew. Each step but the
# measuring is kept by key in target/kernel; the first time takes five minutes of one core and 3 GB of disk, measuring about as long.
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in qemu-system-x86_64 mmdebstrap modprobe cpio strip git gcc make bc flex bison; do
    command -v "$tool" >/dev/null || missing="${missing:-} $tool"
done
test "$(id -u)" = 0 || missing="${missing:-} root"
test "$(uname -m)" = x86_64 || missing="${missing:-} x86-64"
grep -q '^VERSION_CODENAME=bookworm' /etc/os-release || missing="${missing:-} Debian 12"
if test -n "${missing:-}"; then
    echo "the patches for mac80211 are not tested: this takes$missing"
    test -z "${CI:-}"
    exit
fi
out=$(realpath -m "${CARGO_TARGET_DIR:-target}")/kernel
newest() { apt-cache depends --important "linux-$1-amd64" | sed -n 's/ *Depends: \(linux-[0-9a-z]*-[0-9][^ ]*\).*/\1/p'; }
test -n "$(newest headers)" || apt-get -qq update
kernel/source.sh "$out"
kernel/modules.sh "$out" "$(newest headers)"
kernel/kunit.sh "$out"
kernel/machine/system.sh "$out/machine" "$(newest image)" "$out/modules"
kernel/measure.sh "$out/machine" >"$out/uploads.jsonl"
kernel/mean.py <"$out/uploads.jsonl" >"$out/measured.jsonl"
if test "${1:-}" = record; then
    cp "$out/measured.jsonl" kernel/measured.jsonl
fi
kernel/judge.py "$out/measured.jsonl"
