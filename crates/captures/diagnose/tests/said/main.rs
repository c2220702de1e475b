//! What is said of captures, from their octets on.

mod below_tcp;
mod dead;
mod gaps;
mod host;
mod too_little;
