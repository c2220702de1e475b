//! Where on the way between two ends a capture was made.

/// An end answers sooner at its own network interface, in nanoseconds: nothing but its kernel is in between. Over a radio a frame
/// and its answer take longer than this, without any wait for the medium.
pub(crate) const AT_HOST: u64 = 100_000;
/// And the other end takes this many times longer.
const FARTHER: u64 = 4;

airloom_sim::kinds! {
    /// Where on the way of data a capture was made.
    pub enum Vantage {
        /// At the host that sends it.
        Sender = "sender",
        /// At the host that receives it.
        Receiver = "receiver",
        /// In between.
        Middle = "middle",
        /// The capture does not tell: it does not show how far away both ends are, or both are about as near as an end's own
        /// interface is.
        Unknown = "unknown",
    }
}

impl Vantage {
    /// By the shortest times to the sender and back, and to the receiver and back, in nanoseconds.
    pub(super) fn by(to_sender_ns: Option<u64>, to_receiver_ns: Option<u64>) -> Self {
        let near = |one: u64, other: u64| one < AT_HOST && other >= AT_HOST.max(one * FARTHER);
        match (to_sender_ns, to_receiver_ns) {
            (Some(sender), Some(receiver)) if near(sender, receiver) => Self::Sender,
            (Some(sender), Some(receiver)) if near(receiver, sender) => Self::Receiver,
            (Some(sender), Some(receiver)) if sender.min(receiver) >= AT_HOST => Self::Middle,
            _ => Self::Unknown,
        }
    }
}
