//! Properties of the code for any octets, any text and any peer of TCP: a function for each kind of input, which panics if one fails.
//!
//! libFuzzer looks for such inputs (`make fuzz`, `targets/`); the tests feed the inputs of `corpus/`, each of which once
//! reached something new, and what lies in the repository anyway.
//!
//! ```
//! // An Ethernet header, and no IPv4 packet behind it.
//! airloom_fuzz::frame(&[2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x08, 0x00, 0x45]);
//! airloom_fuzz::capture(b"neither pcap nor pcapng");
//! // A TCP endpoint with which nothing happens before its peer is honest.
//! airloom_fuzz::tcp(b"");
//! ```

mod capture;
mod frame;
mod scenario;
mod tcp;

pub use capture::capture;
pub use frame::frame;
pub use scenario::scenario;
pub use tcp::tcp;
