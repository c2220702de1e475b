#!/bin/bash
# Builds the system of the emulated machine in which an access point has the patches: the distribution's kernel, and an
# archive of files that it unpacks into memory. Usage: system.sh FOLDER KERNEL MODULES, with the folder to build in, the
# package of the kernel and the folder with the modules that take the place of the kernel's own.
set -euo pipefail
sources=$(dirname "$(realpath "$0")")
flows=$sources/../../testbed/kernel/flows.c
out=$1 kernel=$2 modules=$3
mkdir -p "$out"
cd "$out"
# shellcheck source=/dev/null
. /etc/os-release
list=/etc/apt/sources.list.d/$ID.sources
test -f "$list" || list=/etc/apt/sources.list

key=$({ cat "$sources"/* "$flows" "$modules"/*.ko; echo "$kernel"; } | sha256sum)
test "$(cat key 2>/dev/null)" = "$key" && exit
rm -rf ./*
mmdebstrap --quiet --mode=root --variant=extract --include="$kernel",busybox-static,iproute2,iw,hostapd,wpasupplicant \
    --aptopt='APT::Install-Recommends "false"' "$VERSION_CODENAME" root "$list"
version=$(basename root/lib/modules/*)
cp root/boot/vmlinuz-* vmlinuz
mkdir "root/lib/modules/$version/updates"
cp "$modules"/*.ko "root/lib/modules/$version/updates/"
depmod -b root "$version"

mkdir -p initrd/bin initrd/dev initrd/modules.d initrd/proc initrd/run initrd/sys initrd/usr/bin initrd/usr/lib initrd/usr/lib64
cc -O2 -Wall -Wextra -Werror -static -o initrd/bin/flows "$flows"
cp root/bin/busybox initrd/bin/
cp "$sources/init" initrd/init
cp "$sources"/*.conf initrd/
for module in ccm ctr cmac sch_fq_codel sch_netem mac80211_hwsim; do
    modprobe --dirname root --set-version "$version" --show-depends "$module"
done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' | while read -r file; do
    cp "$file" initrd/modules.d/
    echo "/modules.d/$(basename "$file")"
done >initrd/modules
loader=lib/x86_64-linux-gnu/ld-linux-x86-64.so.2
ln -s usr/lib initrd/lib
ln -s usr/lib64 initrd/lib64
for tool in bin/ip sbin/tc sbin/iw sbin/wpa_supplicant usr/sbin/hostapd; do
    cp root/$tool initrd/usr/bin/
    chroot root "/$loader" --list /$tool
done | sed -n "s|.*=> /\([^ ]*\).*|\1|p" | sort -u | while read -r library; do
    # Where its folder is a link in the system of today.
    place=initrd/usr/${library#usr/}
    mkdir -p "$(dirname "$place")"
    cp -L "root/$library" "$place"
done
cp -L "root/$loader" initrd/usr/lib64/ld-linux-x86-64.so.2
# The same files give the same archive.
find initrd -exec touch --no-dereference --date @0 {} +
(cd initrd && find . -print0 | LC_ALL=C sort -z | cpio --null --create --format=newc --reproducible --quiet --owner=0:0) >initrd.cpio
rm -rf root initrd
echo "$key" >key
