#!/bin/bash
# Measures uploads over simulated air with the remedy off and on, in emulated machines whose clock counts instructions: no number
# depends on how busy this machine is. Usage: measure.sh FOLDER, with what machine/system.sh has left; the numbers go to
# standard output, a line for each upload.
set -euo pipefail
cd "$1"
# How full queues are hangs on a few losses, and when these come on instants that another build of the modules moves: each upload is
# made several times.
starts=4
# MCS : MPDUs damaged in a thousand : sender : what is given up
open=
for cell in 0:250:none 1:250:none 1:250:today 3:450:none 5:500:none 14:500:none; do
    open=$open,$cell:0,$cell:1
done
encrypted=1:250:none:0,1:250:none:1,1:250:none:2
measured() {
    local name=$1
    shift
    timeout 3000 qemu-system-x86_64 -accel tcg -cpu max -smp 1 -m 256 -icount shift=0,sleep=off \
        -rtc base=2026-01-01,clock=vm -seed 1 -nodefaults -no-user-config -display none -no-reboot -nic none \
        -serial "file:$name.console" -serial "file:$name.said" -kernel vmlinuz -initrd initrd.cpio \
        -append "console=ttyS0 panic=-1 quiet nokaslr mitigations=off init_on_alloc=0 rodata=off ipv6.disable=1 random.trust_cpu=on starts=$starts $*" \
        </dev/null
}
measured open "cells=${open#,}" &
measured encrypted encrypted=yes "cells=$encrypted"
wait
for name in open encrypted; do
    tr -d '\r' <"$name.said" >"$name.text"
    if grep -q FAIL "$name.text" || ! grep -q '^kernel' "$name.text"; then
        cat "$name.text" >&2
        echo "the machine's console is in $PWD/$name.console" >&2
        exit 1
    fi
done
grep -h '^{' open.text encrypted.text
