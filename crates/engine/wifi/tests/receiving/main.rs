//! The receiving side of a BlockAck agreement, with and without pseudo retry-out, against a real sending side.

mod bench;
mod kernel;
mod properties;
mod worked_example;
