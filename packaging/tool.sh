#!/bin/sh
# Builds the Debian package of the tool, airloom, from a wheel of Linux, in target/package: an environment of Python in /usr/lib/airloom that
# has the wheel and what python/requirements/package.txt pins, a command, manual pages and completions. Nothing is compiled, so that of
# 64-bit ARM is built on any machine. Takes debhelper, `make setup` and `make lock`'s uv.
# Usage: tool.sh WHEEL
set -eu
wheel=$(realpath "${1:?tool.sh WHEEL}")
cd "$(dirname "$0")/.."
# Of Debian 12 and 13 and of Ubuntu 24.04: packages that are compiled have a file for each, side by side.
PYTHONS="3.11 3.12 3.13"
case $wheel in
*manylinux*x86_64.whl) machine=x86_64 architecture=amd64 ;;
*manylinux*aarch64.whl) machine=aarch64 architecture=arm64 ;;
*) echo "$wheel is no wheel for Debian" >&2; exit 2 ;;
esac
airloom=.venv/bin/airloom
made=target/package/airloom-$architecture
environment=$made/airloom
packages=$environment/lib/python3/site-packages
rm -rf "$made"
mkdir -p "$packages" "$environment/bin" "$made/share"
for version in $PYTHONS; do
    .venv/supply/bin/uv pip install --quiet --target "$made/$version" --link-mode copy --no-deps --only-binary :all: --require-hashes \
        --python-version "$version" --python-platform "$machine-manylinux_2_28" --requirement python/requirements/package.txt
    rm -rf "$made/$version/bin" "$made/$version/.lock"
    cp -r "$made/$version/." "$packages"
    ln -s python3 "$environment/lib/python$version"
done
python3 -m zipfile -e "$wheel" "$packages"
printf 'home = /usr/bin\ninclude-system-site-packages = false\n' >"$environment/pyvenv.cfg"
ln -s /usr/bin/python3 "$environment/bin/python3"
cat >"$environment/bin/airloom" <<'END'
#!/usr/lib/airloom/bin/python3
import sys

from airloom.cli import main

sys.exit(main())
END
chmod +x "$environment/bin/airloom"
XDG_DATA_HOME=$made/share $airloom man --install >"$made/build.log"
for shell in bash zsh fish; do $airloom completion $shell >"$made/$shell"; done
mkdir -p "$made/bash-completion" "$made/zsh-completion" "$made/fish-completion"
mv "$made/bash" "$made/bash-completion/airloom"
mv "$made/zsh" "$made/zsh-completion/_airloom"
mv "$made/fish" "$made/fish-completion/airloom.fish"
debian=$made/debian
cp -r packaging/debian "$debian"
{ echo; cat packaging/tool/control; } >>"$debian/control"
cp packaging/tool/postinst "$debian/airloom.postinst"
cp packaging/tool/prerm "$debian/airloom.prerm"
cat >"$debian/airloom.install" <<'END'
airloom usr/lib
bash-completion/airloom usr/share/bash-completion/completions
zsh-completion/_airloom usr/share/zsh/vendor-completions
fish-completion/airloom.fish usr/share/fish/vendor_completions.d
END
echo "usr/lib/airloom/bin/airloom usr/bin/airloom" >"$debian/airloom.links"
(cd "$made" && ls share/man/man1/*.1) >"$debian/airloom.manpages"
cd "$made"
chmod +x debian/rules
# What compiled packages ask for is said in `control`: no linker of another machine is here to find out.
dpkg-architecture --host-arch "$architecture" --force --command dh binary --with installsysusers --package airloom >>build.log 2>&1 || { cat build.log; exit 1; }
ls "$PWD"/*.deb
