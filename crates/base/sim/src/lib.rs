//! The basis of every simulated layer: time, the event calendar, random streams, a slab, typed indices, kinds with
//! their words, parameters with their bounds.
//!
//! Nothing here is about networks.
//!
//! ```
//! use airloom_sim::{Calendar, Duration, Stream, Time};
//!
//! let mut calendar = Calendar::default();
//! let (timeout, beacon) = (calendar.reserve("timeout"), calendar.reserve("beacon"));
//! calendar.set(timeout, Time::ZERO + Duration::from_millis(200));
//! calendar.set(beacon, Time::ZERO + Duration::from_micros(102_400));
//! calendar.cancel(timeout);
//!
//! let end = Time::ZERO + Duration::from_secs(1);
//! assert_eq!(calendar.pop(end), Some((Time::ZERO + Duration::from_micros(102_400), "beacon")));
//! assert_eq!(calendar.pop(end), None, "what was cancelled is never delivered");
//!
//! // The same name draws the same numbers in every run with this seed.
//! let [mut first, mut again] = [(); 2].map(|()| Stream::new(1, "sta1", "backoff"));
//! assert_eq!(first.up_to(15), again.up_to(15));
//! ```

mod brought;
mod calendar;
mod index;
mod kinds;
mod making;
mod parameters;
mod random;
mod slab;
mod units;

pub use brought::{Brought, BroughtName, NameError};
pub use calendar::{Calendar, Slot};
pub use index::{Index, IndexVec};
pub use making::{Making, ParameterValue, seed_of};
pub use parameters::{Defaults, Key, Walk};
pub use random::Stream;
pub use slab::{Handle, Slab};
pub use units::{BitRate, Bytes, Duration, Time};
