#!/bin/sh
# Builds the programs that ask for nothing but a Linux kernel, x86-64 and 64-bit ARM, into FOLDER: airloom-doctor, also for access points, and
# airloom-guard. airloom-rate is none of them: libbpf's C wants libelf and zlib, which no crate has for musl.
# Usage: static.sh FOLDER
set -eu
folder=$(realpath -m "${1:?static.sh FOLDER}")
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml)
# Rust's own linker, and its own musl: no C compiler, of which there are as many as there are machines.
export CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld
mkdir -p "$folder"
for machine in x86_64 aarch64; do
    cargo build --profile guard --locked --quiet --target $machine-unknown-linux-musl \
        --package airloom-doctor --package airloom-guard --bin airloom-doctor --bin airloom-guard
    for name in airloom-doctor airloom-guard; do
        cp "${CARGO_TARGET_DIR:-target}/$machine-unknown-linux-musl/guard/$name" "$folder/$name-$version-linux-$machine"
    done
done
