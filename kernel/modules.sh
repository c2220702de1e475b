#!/bin/bash
# Builds the patched mac80211, mac80211_hwsim and what is patched of ath9k against the headers of the distribution's kernel. A
# warning is an error. Usage: modules.sh FOLDER HEADERS, with what source.sh has left and the package of the headers.
set -euo pipefail
cd "$1"
here=$PWD headers=$2
key=$(git -C linux rev-parse 'HEAD^{tree}'; apt-cache show "$headers" | sed -n 's/^Version: //p' | head -n 1)
test "$(cat modules.key 2>/dev/null)" = "$key" && exit
rm -rf modules.key headers build modules
mkdir headers build modules
(
    cd headers
    # Its Makefile and the headers of all flavours.
    needs=$(apt-cache depends --important "$headers" | sed -n 's/ *Depends: \(linux-[^ ]*\)/\1/p' | grep -E 'common|kbuild')
    # shellcheck disable=SC2086
    apt-get -qq download "$headers" $needs 2>/dev/null
    for package in *.deb; do dpkg -x "$package" .; done
    rm ./*.deb
    sed -i "s|/usr/src|$PWD/usr/src|" "usr/src/$headers/Makefile"
)
cp -r linux/net/mac80211 build/mac80211
cp -r linux/drivers/net/wireless/ath build/ath
mkdir build/hwsim
cp linux/drivers/net/wireless/mac80211_hwsim.[ch] build/hwsim/
echo 'obj-m := mac80211_hwsim.o' >build/hwsim/Kbuild
built() {
    make --jobs "$(nproc)" -C "$here/headers/usr/src/$headers" KCFLAGS="-DCONFIG_MAC80211_RETRY_OUT=1 -Werror" "$@" \
        >>build.log 2>&1 || { tail -n 30 build.log; exit 1; }
}
rm -f build.log
built M="$here/build/mac80211" CONFIG_MAC80211=m CONFIG_MAC80211_RETRY_OUT=y modules
built M="$here/build/hwsim" KBUILD_EXTRA_SYMBOLS="$here/build/mac80211/Module.symvers" modules
built M="$here/build/ath/ath9k" common.o
! grep -i 'warning:' build.log || exit 1
cp build/mac80211/mac80211.ko build/hwsim/mac80211_hwsim.ko modules/
strip --strip-debug modules/*.ko
rm -rf build
echo "ok   mac80211, mac80211_hwsim and ath9k's common.o compile without a warning: $headers"
echo "$key" >modules.key
