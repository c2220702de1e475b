//! Compiles the congestion controls for the kernel's BPF machine, with clang and libbpf's headers.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=bpf");
    if env::var_os("CARGO_FEATURE_KERNEL").is_none() {
        return;
    }
    let variable = |name| env::var(name).unwrap_or_else(|_| panic!("cargo does not set {name}"));
    let arch = variable("CARGO_CFG_TARGET_ARCH");
    let object = PathBuf::from(variable("OUT_DIR")).join("control.bpf.o");
    let compiled = Command::new("clang")
        .args(["-target", "bpf", "-g", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"])
        // Debug information becomes the types by which the kernel finds its fields; it is to name no folder of this machine.
        .args(["-fdebug-compilation-dir", "."])
        .arg(format!("-D__TARGET_ARCH_{}", if arch == "x86_64" { "x86" } else { "arm64" }))
        .args(["-isystem", &variable("DEP_BPF_INCLUDE")])
        // Debian has asm/types.h there, which clang does not look for with another target.
        .arg(format!("-I/usr/include/{arch}-linux-gnu"))
        .args(["-c", "bpf/control.bpf.c", "-o"])
        .arg(&object)
        .status();
    match compiled {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("clang could not compile bpf/control.bpf.c: {status}"),
        Err(e) => panic!("clang, which compiles the congestion controls: {e}; `make tools` installs it"),
    }
}
