#!/bin/sh
# Builds the emulated machine's system from a distribution's packages: a kernel and an archive of files that it unpacks into
# memory. Nothing is read from a disk while a test runs, so a test knows no time but its own.
# Usage: guest.sh FOLDER [SUITE]: a Debian other than this machine's own, which has iwd too.
set -eu
out=$1
mkdir -p "$out"
self=$(realpath "$0")
cd "$out"
packages=systemd-sysv,udev,dbus,polkitd,network-manager,wpasupplicant,hostapd,iw,iproute2,kmod,procps,tcpdump,wireless-regdb
modules="mac80211_hwsim bridge ccm ctr cmac gcm aesni_intel tcp_diag udp_diag sch_fq_codel"

if test -n "${2:-}"; then
    suite=$2
    sources="deb http://deb.debian.org/debian $suite main"
    packages=$packages,iwd
    # What iwd asks of the kernel's cryptography.
    modules="$modules algif_hash algif_skcipher algif_aead md4 des_generic pkcs8_key_parser"
    # Its kernel stays until something else changes, or `make clean`.
    kernel=
else
    # shellcheck source=/dev/null
    . /etc/os-release
    suite=$VERSION_CODENAME
    sources=/etc/apt/sources.list.d/$ID.sources
    test -f "$sources" || sources=/etc/apt/sources.list
    newest_kernel() {
        apt-cache depends --important linux-image-amd64 2>/dev/null | sed -n 's/ *Depends: \(linux-image-[0-9][^ ]*\).*/\1/p'
    }
    kernel=$(newest_kernel)
    test -n "$kernel" || { apt-get -qq update && kernel=$(newest_kernel); }
fi

# The same packages give the same system: it is built anew only when something about it has changed.
key=$({ cat "$self"; echo "$suite $kernel"; } | sha256sum)
test "$(cat key 2>/dev/null)" = "$key" && exit
rm -rf ./*
# The kernel's own package, without what it depends on, from where the others come from.
cat >kernel.sh <<'END'
export APT_CONFIG="$MMDEBSTRAP_APT_CONFIG"
kernel=$(apt-cache depends --important linux-image-amd64 | sed -n 's/ *Depends: \(linux-image-[0-9][^ ]*\).*/\1/p')
apt-get -qq download "$kernel" 2>/dev/null
END
mmdebstrap --quiet --mode=root --variant=essential --include="$packages" --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/i18n/*' \
    --customize-hook="cd '$PWD' && sh kernel.sh" "$suite" root "$sources"
dpkg -x linux-image-*.deb unpacked
cp unpacked/boot/vmlinuz-* vmlinuz
# Newer packages have it in /usr.
test -d unpacked/lib || ln -s usr/lib unpacked/lib
version=$(basename unpacked/lib/modules/*)
depmod -b unpacked "$version"
for module in $modules; do
    modprobe --dirname unpacked --set-version "$version" --show-depends "$module"
done | sed -n "s|^insmod .*unpacked/*\(lib/[^ ]*\).*|\1|p" | sort -u >modules
mkdir -p "root/lib/modules/$version"
cp unpacked/lib/modules/"$version"/modules.builtin* unpacked/lib/modules/"$version"/modules.order "root/lib/modules/$version"
tar -C unpacked -c -T modules | tar -C root -x
depmod -b root "$version"
# What no program here needs, a third of it all, would have to be unpacked by each machine.
rm -rf root/var/cache/apt root/var/lib/apt/lists root/usr/lib/udev/hwdb.* \
    root/usr/share/perl root/usr/lib/x86_64-linux-gnu/perl root/usr/lib/x86_64-linux-gnu/gconv
ln -s sbin/init root/init
(cd root && find . -print0 | cpio --null --create --format=newc --quiet) >system.cpio
rm -rf root unpacked kernel.sh ./*.deb
echo "$key" >key
