#!/bin/sh
# Boots emulated machines for sets of checks, and shows what they found. Fails if a check did, or a set was not made.
# Usage: run.sh [SUITE/]SET[+SET]..., the longest first: machines run at once, and an earlier one goes before a later one, so
# that none is left alone on one core in the end. Sets with + between them have a machine in turn, for a boot takes as long
# as a set. A machine has this machine's own distribution, or SUITE of Debian.
#
# The machine's clock counts its instructions, and jumps while it idles: ten minutes of it take as long as its work does,
# and no time in it depends on how busy this machine is.
set -eu
cd "$(dirname "$0")/.."
for tool in qemu-system-x86_64 mmdebstrap dh cpio modprobe strip; do
    command -v "$tool" >/dev/null || missing="${missing:-} $tool"
done
test "$(id -u)" = 0 || missing="${missing:-} root"
test "$(uname -m)" = x86_64 || missing="${missing:-} x86-64"
grep -q '^ID=debian' /etc/os-release || missing="${missing:-} Debian"
if test -n "${missing:-}"; then
    echo "airloom-guard is not tested in emulated machines: this takes$missing"
    test -z "${CI:-}"
    exit
fi
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
bed=$target/testbed
suite_of() {
    case $1 in */*) echo "${1%/*}" ;; *) echo system ;; esac
}
suites=$(for sets in "$@"; do suite_of "$sets"; done | sort -u)
guests=
for suite in $suites; do
    testbed/guest.sh "$bed/$suite" $(test "$suite" = system || echo "$suite") &
    guests="$guests $!"
done
# The guard's, and those of daemons that a set is named for.
packages=$(packaging/build.sh)
for set in $(echo "$@" | tr /+ '  '); do
    if grep -qx "Package: airloom-$set" crates/linux/*/package/control; then
        packages="$packages $(packaging/build.sh "airloom-$set")"
    fi
done
# With the features that the workspace's tests have, so that what was compiled for them serves here.
cargo build --workspace --bin airloom-testbed --bin airloom-doctor --locked --quiet
for guest in $guests; do wait "$guest"; done

overlay=$bed/overlay
rm -rf "$overlay"
mkdir -p "$overlay"
cp -r testbed/guest/. "$overlay"
chmod 600 "$overlay"/etc/NetworkManager/system-connections/*
mkdir -p "$overlay/opt"
for package in $packages; do
    name=$(basename "$package")
    cp "$package" "$overlay/opt/${name%%_*}.deb"
done
cp -r crates/linux/guard/package/abort.conf crates/linux/guard/package/no-daemon \
    crates/linux/link_share/package/rate-default.conf "$overlay/opt/"
for program in airloom-testbed airloom-doctor; do
    strip -o "$overlay/opt/$program" "$target/debug/$program"
done
(cd "$overlay" && find . -print0 | cpio --null --create --format=newc --quiet --owner=0:0) >"$bed/overlay.cpio"
for suite in $suites; do
    # A machine that still runs may read the old one.
    rm -f "$bed/$suite/initrd"
    cat "$bed/$suite/system.cpio" "$bed/overlay.cpio" >"$bed/$suite/initrd"
done

# What a machine says is in files of its name.
name_of() {
    echo "$1" | tr / -
}

# norandmaps: the emulator keeps what it has translated by virtual address, and would translate each start of a program anew.
boot() {
    system=$bed/$(suite_of "$1")
    says=$bed/$(name_of "$1")
    nice -n "$2" timeout 3000 qemu-system-x86_64 -accel tcg -cpu max -smp 1 -m 1024 -icount shift=1,sleep=off -rtc clock=vm -seed 1 \
        -nodefaults -no-user-config -display none -no-reboot -nic none \
        -serial "file:$says.console" -serial "file:$says.checks" -serial "file:$says.archive" \
        -kernel "$system/vmlinuz" -initrd "$system/initrd" \
        -append "console=ttyS0 panic=-1 quiet mitigations=off init_on_alloc=0 norandmaps random.trust_cpu=on systemd.show_status=0 testbed=${1##*/}" \
        </dev/null || echo "FAIL the machine was stopped after 3000 s" >>"$says.checks"
}

behind=0
for sets in "$@"; do
    boot "$sets" "$behind" &
    behind=$((behind + 4))
done
wait
for sets in "$@"; do
    echo "== $sets"
    tr -d '\r' <"$bed/$(name_of "$sets").checks"
done
for sets in "$@"; do
    says=$bed/$(name_of "$sets")
    asked=$(echo "$sets" | tr + '\n' | grep -c .)
    if grep -q '^FAIL' "$says.checks" || test "$(grep -c '^passed' "$says.checks")" != "$asked"; then
        echo "$sets: failed; the machine's console is in $says.console"
        exit 1
    fi
done
