#!/bin/sh
# Builds all that a release has from a commit and nothing else, in dist/VERSION: wheels, the source distribution, the crates, programs without
# libraries, Debian packages, the site, what it is made of as an SBOM, and SHA256SUMS. Takes rustup, clang and libelf-dev, and debhelper.
# Usage: release.sh COMMIT, such as the tag v0.2.0
set -eu
cd "$(dirname "$0")/.."
commit=${1:?"release.sh COMMIT, such as a tag"}
made=target/release-of
rm -rf "$made"
git clone --quiet --no-local . "$made"
git -C "$made" checkout --quiet --detach "$(git rev-parse --verify "$commit^{commit}")"
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$made/Cargo.toml")
case $commit in
v*) test "$commit" = "v$version" || { echo "$commit has version $version in Cargo.toml" >&2; exit 2; } ;;
esac
head -1 "$made/packaging/debian/changelog" | grep -qF "($version)" || {
    echo "packaging/debian/changelog does not begin with version $version" >&2
    exit 2
}
SOURCE_DATE_EPOCH=$(git -C "$made" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
unset CARGO_TARGET_DIR
export RUSTFLAGS="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
make -C "$made" wheels site .venv/supply/.dependencies
"$made/packaging/static.sh" "$made/dist"
"$made/packaging/crates.sh"
for control in "$made"/crates/linux/*/package/control; do
    "$made/packaging/build.sh" "$(sed -n 's/^Package: //p' "$control")"
done
for wheel in "$made"/dist/*manylinux*.whl; do
    "$made/packaging/tool.sh" "$wheel"
done
python3 "$made/packaging/sbom.py" >"$made/dist/airloom-$version.cdx.json"
dist=dist/$version
rm -rf "$dist"
mkdir -p "$dist"
cp "$made"/dist/airloom-* "$made"/target/package/*.crate "$made"/target/package/*/*.deb "$dist"
tar -C "$made/out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -czf "$dist/airloom-$version-site.tar.gz" site
(cd "$dist" && sha256sum -- * >SHA256SUMS)
ls "$dist"
