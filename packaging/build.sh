#!/bin/sh
# Builds a Debian package in target/package, with debhelper: of airloom-guard, or of another daemon, NAME. airloom-rate takes
# clang and libelf-dev.
# Usage: build.sh [NAME]
#
# A daemon's crate has a folder `package` with its paragraph of debian/control (`control`), its manual page (NAME.8) and its
# unit (`service`), which says what differs from confined.service. It may have other parts of a package (PARTS), and
# files that these name.
set -eu
cd "$(dirname "$0")/.."
PARTS="install docs default postinst"
name=${1:-airloom-guard}
control=$(grep -lx "Package: $name" crates/linux/*/package/control) || {
    echo "there is no package $name: $(sed -n 's/^Package: //p' crates/linux/*/package/control | paste -sd,)" >&2
    exit 2
}
package=$(dirname "$control")
manifest=$(dirname "$package")/Cargo.toml
target=${CARGO_TARGET_DIR:-target}
# A source distribution has a part of the workspace, for which cargo takes packages out of Cargo.lock.
locked=--locked
test -d testbed || locked=
# What its binary asks for.
features=$(sed -n 's/^required-features = \["\(.*\)"\]$/--features \1/p' "$manifest")
# shellcheck disable=SC2086
cargo build --profile guard --manifest-path "$manifest" --bin "$name" $features $locked --quiet
made=$target/package/$name
debian=$made/debian
rm -rf "$made"
mkdir -p "$made"
cp -r packaging/debian "$package"/. "$target/guard/$name" "$made/"
{ echo; cat "$control"; } >>"$debian/control"
cat packaging/confined.service "$package/service" >"$debian/$name.service"
for part in $PARTS; do
    test ! -e "$package/$part" || cp "$package/$part" "$debian/$name.$part"
done
echo "$name usr/bin" >>"$debian/$name.install"
echo "$name.8" >"$debian/$name.manpages"
sed -n "s/^Description: \(.*\)/u $name - \"\1\"/p" "$control" >"$debian/$name.sysusers"
cd "$made"
chmod +x debian/rules  # a source distribution keeps no modes
dh binary --with installsysusers --package "$name" >build.log 2>&1 || { cat build.log; exit 1; }
ls "$PWD"/*.deb
