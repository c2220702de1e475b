//! Parameters of disciplines and their bounds.

use crate::Limit;
use airloom_sim::{Bytes, Duration};

/// The greatest limit in packets.
pub const MOST_PACKETS: u32 = 1_000_000;
/// The greatest limit in bytes.
pub const MOST_BYTES: Bytes = Bytes(1 << 30);
/// The most buckets for flows (Linux `FQ_CODEL`: 65536).
pub(crate) const MOST_FLOWS: u32 = 65_536;
/// The most bytes that a flow may send in its turn.
pub(crate) const MOST_QUANTUM: u32 = 1 << 20;
/// The shortest time of a control law.
pub(crate) const LEAST_TIME: Duration = Duration::from_micros(1);
/// The longest time of a control law.
pub(crate) const MOST_TIME: Duration = Duration::from_secs(60);

/// Visits the parameters of a discipline, which may have limits.
pub trait Walk: airloom_sim::Walk {
    /// Packets, bytes or both.
    fn limit() -> Self::Form<Limit>;
}

/// Defines the parameters of a discipline: see [`airloom_sim::parameters`].
macro_rules! parameters {
    ($($body:tt)*) => {
        airloom_sim::parameters! { $($body)* visited by $crate::Walk; }
    };
}
pub(crate) use parameters;
