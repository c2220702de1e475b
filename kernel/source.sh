#!/bin/bash
# Unpacks the source of the distribution's kernel and applies the patches, each of which has to be in the kernel's style.
# Usage: source.sh FOLDER; the source is in FOLDER/linux then.
set -euo pipefail
patches=$(dirname "$(realpath "$0")")
mkdir -p "$1"
cd "$1"
version=$(apt-cache show linux-source-6.1 | sed -n 's/^Version: //p' | head -n 1)
touched="net/mac80211 drivers/net/wireless/mac80211_hwsim.c drivers/net/wireless/mac80211_hwsim.h drivers/net/wireless/ath"

if test "$(cat source.key 2>/dev/null)" != "$version"; then
    rm -rf linux source.key
    apt-get -qq download linux-source-6.1="$version" 2>/dev/null
    dpkg-deb --fsys-tarfile linux-source-6.1_*.deb | tar -x --to-stdout ./usr/src/linux-source-6.1.tar.xz \
        | tar -xJ --transform 's|^linux-source-6.1|linux|'
    rm linux-source-6.1_*.deb
    # What the patches touch is enough of it.
    git -C linux init --quiet --initial-branch debian
    # shellcheck disable=SC2086
    git -C linux add --force $touched
    git -C linux -c user.name=Debian -c user.email=debian@localhost commit --quiet --message "linux-source-6.1 $version"
    echo "$version" >source.key
fi

key=$(cat "$patches"/000[1-9]*.patch | sha256sum)
test "$(cat patches.key 2>/dev/null)" = "$key" && exit
rm -f patches.key
cd linux
git am --quiet --abort 2>/dev/null || true
git checkout --quiet --force -B patched debian
git -c user.name=airloom -c user.email=airloom@localhost am --quiet --committer-date-is-author-date "$patches"/000[1-9]*.patch
echo "ok   the patches apply with git am: linux-source-6.1 $version"
for patch in "$patches"/000[1-9]*.patch; do
    # MAINTAINERS has net/mac80211/ as a whole. The tool for SPDX lines wants a Python package, and says so.
    if ! scripts/checkpatch.pl --strict --terse --ignore FILE_PATH_CHANGES "$patch" >../checkpatch.said 2>/dev/null; then
        cat ../checkpatch.said
        exit 1
    fi
    echo "ok   checkpatch --strict: $(basename "$patch")"
done
cd ..
echo "$key" >patches.key
