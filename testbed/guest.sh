#!/bin/sh
# Builds the emulated machine's system from the packages of this machine's own distribution: a kernel and an archive of
# files that it unpacks into memory. Nothing is read from a disk while a test runs, so a test knows no time but its own.
set -eu
out=$1
mkdir -p "$out"
self=$(realpath "$0")
cd "$out"
packages=systemd-sysv,udev,dbus,polkitd,network-manager,wpasupplicant,hostapd,iw,iproute2,kmod,procps,tcpdump,wireless-regdb
modules="mac80211_hwsim bridge ccm ctr cmac gcm aesni_intel tcp_diag sch_fq_codel"

# shellcheck source=/dev/null
. /etc/os-release
sources=/etc/apt/sources.list.d/$ID.sources
test -f "$sources" || sources=/etc/apt/sources.list
newest_kernel() {
    apt-cache depends --important linux-image-amd64 2>/dev/null | sed -n 's/ *Depends: \(linux-image-[0-9][^ ]*\).*/\1/p'
}
kernel=$(newest_kernel)
test -n "$kernel" || { apt-get -qq update && kernel=$(newest_kernel); }

# The same packages give the same system: it is built anew only when something about it has changed.
key=$({ cat "$self"; echo "$VERSION_CODENAME $kernel"; } | sha256sum)
test "$(cat key 2>/dev/null)" = "$key" && exit
rm -rf ./*
mmdebstrap --quiet --mode=root --variant=essential --include="$packages" --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/i18n/*' \
    "$VERSION_CODENAME" root "$sources"
apt-get -qq download "$kernel" 2>/dev/null
dpkg -x "$kernel"_*.deb unpacked
cp unpacked/boot/vmlinuz-* vmlinuz
version=$(basename unpacked/lib/modules/*)
depmod -b unpacked "$version"
for module in $modules; do
    modprobe --dirname unpacked --set-version "$version" --show-depends "$module"
done | sed -n "s|^insmod .*unpacked/*\(lib/[^ ]*\).*|\1|p" | sort -u >modules
mkdir -p "root/lib/modules/$version"
cp unpacked/lib/modules/"$version"/modules.builtin* unpacked/lib/modules/"$version"/modules.order "root/lib/modules/$version"
tar -C unpacked -c -T modules | tar -C root -x
depmod -b root "$version"
rm -rf root/var/cache/apt root/var/lib/apt/lists root/usr/lib/udev/hwdb.*
ln -s sbin/init root/init
(cd root && find . -print0 | cpio --null --create --format=newc --quiet) >system.cpio
rm -rf root unpacked ./*.deb
echo "$key" >key
