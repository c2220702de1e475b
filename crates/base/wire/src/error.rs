//! What can be wrong with octets.

use std::fmt;

/// Why octets could not be parsed, or a description could not be emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// The octets end before the structure does.
    Truncated,
    /// The octets contradict the format; the text names the field.
    Malformed(&'static str),
    /// The octets may well be right, but describe a variant this crate does not know; the text names it.
    Unsupported(&'static str),
    /// The frame check sequence does not match.
    Checksum,
    /// A value to be emitted exceeds what its field can hold; the text names the field.
    TooLong(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("truncated"),
            Self::Malformed(field) => write!(f, "malformed: {field}"),
            Self::Unsupported(variant) => write!(f, "unsupported: {variant}"),
            Self::Checksum => f.write_str("frame check sequence mismatch"),
            Self::TooLong(field) => write!(f, "too long: {field}"),
        }
    }
}

impl std::error::Error for Error {}
