//! Says what is silently wrong for TCP over this machine's Wi-Fi.
//!
//! [`read`] makes a [`Snapshot`] of a machine, [`examine`] judges one, which may be of another machine or another day, and
//! [`page()`] tells it to a person. Reading changes nothing. [`collect`] records for a while what a diagnosis needs.

mod checks;
mod collecting;
mod command;
mod debugfs;
mod document;
mod examination;
mod finding;
mod page;
mod reading;
mod snapshot;

pub use checks::{CHECKS, Check};
pub use collecting::{Collected, MOST_COLLECTED, Plan, Recorded, collect, told};
pub use document::{Document, snapshot_schema};
pub use examination::{Examination, Looked, examine};
pub use finding::{Abstention, Evidence, Finding};
pub use page::{Style, page};
pub use reading::read;
pub use snapshot::{
    Aggregation, Band, Discipline, FORMAT, Generation, Heard, Interface, Manager, Peer, Radio, Role,
    Snapshot, Speed, Supplicant, Unread,
};
