//! Capture files in the pcapng format (draft-ietf-opsawg-pcapng).

mod blocks;
mod reader;
mod writer;

pub use reader::InterfaceInfo;
pub(crate) use reader::Section;
pub use writer::{Interface, InterfaceId, Record, Writer};

/// The first octets of every pcapng file, in either byte order: the type of a section header block (section 4.1).
pub const MAGIC: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];
