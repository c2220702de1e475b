#!/bin/sh
# Tries what release.sh has built where nothing but that is: programs in an empty folder, wheels and the tool's package in new Debians
# without a compiler, of both machines. Takes root, mmdebstrap, and for the machine that this is not qemu-user-static with binfmt-support.
# Usage: tried.sh DIST [SUITE/ARCHITECTURE...], such as dist/0.2.0 bookworm/amd64
set -eu
dist=$(realpath "${1:?tried.sh DIST}")
shift
test $# -gt 0 || set -- bookworm/amd64 trixie/amd64 trixie/arm64
cd "$(dirname "$0")/.."
machine=$PWD/crates/linux/doctor/tests/machines/planted.json
requirements=$PWD/python/requirements/package.txt
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# The first argument is what the others have to end with.
ends_with() {
    expected=$1
    shift
    code=0
    "$@" >"$place/said" 2>&1 || code=$?
    test "$code" = "$expected" || { cat "$place/said"; echo "exit code $code instead of $expected: $*"; exit 1; } >&2
}

for program in "$dist"/airloom-*-linux-*; do
    empty=$place/empty
    mkdir "$empty"
    cp "$program" "$empty/program"
    ends_with 0 chroot "$empty" /program --help
    case $program in
    *doctor*)
        cp "$machine" "$empty/planted.json"
        ends_with 1 chroot "$empty" /program --fail-on D101 /planted.json
        ends_with 2 chroot "$empty" /program
        ;;
    esac
    rm -r "$empty"
    echo "$(basename "$program"): $(stat -c %s "$program") bytes, runs in an empty folder"
done

# The demo as somebody who is not root, with the seconds that it takes.
demo() {
    began=$(date +%s)
    chroot --userspec=nobody:nogroup "$root" env -i HOME=/tmp PATH=/usr/bin:/bin sh -ec "cd /tmp && $1 demo" >"$place/said" 2>&1 || { cat "$place/said" >&2; exit 1; }
    chroot "$root" sh -c 'head -c 15 /tmp/out/*/*.html && rm -r /tmp/out' | grep -qi '<!doctype html>'
    echo "$2 in $system: demo in $(($(date +%s) - began)) s"
}

for system in "$@"; do
    suite=${system%/*} architecture=${system#*/}
    case $architecture in amd64) processor=x86_64 ;; arm64) processor=aarch64 ;; esac
    root=$place/root
    mmdebstrap --quiet --variant=minbase --architectures="$architecture" --include=python3-venv "$suite" "$root"
    ! chroot "$root" sh -c 'command -v cc gcc clang rustc' || { echo "$system has a compiler" >&2; exit 1; }
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    test -z "${PIP_CERT:-}" || { mkdir -p "$root$(dirname "$PIP_CERT")" && cp -L "$PIP_CERT" "$root$PIP_CERT"; }
    cp "$requirements" "$dist"/airloom-*manylinux*"$processor".whl "$dist/airloom_"*"_$architecture.deb" "$root/opt"
    chroot "$root" sh -ec "python3 -m venv /opt/venv
        /opt/venv/bin/pip install --quiet --require-hashes --only-binary :all: --requirement /opt/package.txt
        /opt/venv/bin/pip install --quiet --no-index --no-deps /opt/*.whl"
    demo /opt/venv/bin/airloom wheel
    rm -r "$root/opt/venv"
    ends_with 0 chroot "$root" sh -c 'dpkg --install /opt/*.deb'
    demo airloom package
    ends_with 0 chroot "$root" test -e /usr/share/bash-completion/completions/airloom
    ends_with 0 chroot "$root" dpkg --purge airloom
    ends_with 1 chroot "$root" test -e /usr/lib/airloom
    rm -r "$root"
done
