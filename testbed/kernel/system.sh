#!/bin/bash
# Builds the system of the emulated machine in which a kernel's TCP carries flows: the kernel of the current stable Debian,
# whatever this machine's is, and an archive of files that it unpacks into memory. Usage: system.sh FOLDER
set -euo pipefail
sources=$(dirname "$(realpath "$0")")
out=$1
mkdir -p "$out"
cd "$out"
# Whoever comes meanwhile waits.
exec 9>../kernel.lock
flock 9
suite=trixie
modules="veth sch_tbf sch_htb sch_netem sch_fq_codel tcp_bbr"
beside="tun" # not in the archive, for those that lie over it

# The same sources give the same system; the kernel in it stays until they change, or `make clean`.
key=$(cat "$sources"/* | sha256sum)
test "$(cat key 2>/dev/null)" = "$key" && exit
rm -rf ./*
mmdebstrap --quiet --mode=root --variant=extract --include=linux-image-amd64,busybox-static,iproute2 \
    --aptopt='APT::Install-Recommends "false"' "$suite" root "deb http://deb.debian.org/debian $suite main"
version=$(basename root/usr/lib/modules/*)
cp root/boot/vmlinuz-* vmlinuz
ln -sfn usr/lib root/lib
depmod -b root "$version"

mkdir -p initrd/bin initrd/dev initrd/modules.d initrd/proc initrd/run initrd/sys initrd/usr/bin initrd/usr/lib
cc -O2 -Wall -Wextra -Werror -static -o initrd/bin/flows "$sources/flows.c"
cp root/usr/bin/busybox initrd/bin/
cp "$sources/init" initrd/init
for module in $modules; do
    modprobe --dirname root --set-version "$version" --show-depends "$module"
done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' | while read -r file; do
    name=modules.d/$(basename "${file%.xz}")
    xz --decompress --stdout "$file" >"initrd/$name"
    echo "/$name"
done >initrd/modules
for module in $beside; do
    xz --decompress --stdout root/usr/lib/modules/"$version"/kernel/drivers/net/"$module".ko.xz >"$module.ko"
done
loader=usr/lib64/ld-linux-x86-64.so.2
ln -s usr/lib initrd/lib
ln -s usr/lib64 initrd/lib64
for tool in usr/bin/ip usr/sbin/tc; do
    cp root/$tool initrd/usr/bin/
    chroot root /$loader --list /$tool
done | sed -n "s|.*=> /\([^ ]*\).*|\1|p" | sort -u | while read -r library; do
    mkdir -p "initrd/$(dirname "$library")"
    cp -L "root/$library" "initrd/$library"
done
mkdir -p initrd/usr/lib64
cp -L root/$loader initrd/usr/lib64/
# The same files give the same archive.
find initrd -exec touch --no-dereference --date @0 {} +
(cd initrd && find . -print0 | LC_ALL=C sort -z | cpio --null --create --format=newc --reproducible --quiet --owner=0:0) >initrd.cpio
rm -rf root initrd
echo "$key" >key
