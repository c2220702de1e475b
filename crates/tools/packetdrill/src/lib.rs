//! airloom's TCP as packetdrill sees it: a shared library with sockets, a packet device and virtual time.
//!
//! packetdrill (<https://github.com/google/packetdrill>) runs scripts of system calls, packets and checks that were written for
//! Linux. With `--so_filename` it makes its calls on a library, which holds [`airloom_tcp::Endpoint`]s here. `docs/tcp.md` says
//! how scripts are run.
//!
//! What arrives is read as late as a script reads it, but the window offered is that of an application that reads at once.

pub mod abi;
mod callbacks;
mod clock;
mod connection;
mod device;
mod figures;
mod interpose;
mod limits;
mod offload;
mod options;
mod send_queue;
mod settings;
mod sockets;
mod stack;
mod waiting;
mod watch;

pub use callbacks::packetdrill_interface_init;
