#!/bin/bash
# Runs the KUnit tests in a kernel for user space (ARCH=um), which it builds once. Usage: kunit.sh FOLDER, with what source.sh
# has left.
set -euo pipefail
config=$(dirname "$(realpath "$0")")/kunitconfig
cd "$1"
key=$(git -C linux rev-parse HEAD:net/mac80211; cat "$config")
if test "$(cat kunit.key 2>/dev/null)" != "$key"; then
    rm -f kunit.key
    mkdir -p um
    built() { make --silent -C linux ARCH=um O="$PWD/um" "$@" >>um.log 2>&1 || { tail -n 30 um.log; exit 1; }; }
    rm -f um.log
    built KCONFIG_ALLCONFIG="$config" allnoconfig
    built --jobs "$(nproc)"
    echo "$key" >kunit.key
fi
timeout 600 um/linux mem=128M kunit_shutdown=halt con0=fd:0,fd:1 con=null </dev/null 2>&1 | tr -d '\r' >kunit.said || true
grep -E '^ *(not )?ok |EXPECTATION|Expected' kunit.said
grep -q '^ok 1 mac80211_retry_out' kunit.said && ! grep -q '^ *not ok' kunit.said
