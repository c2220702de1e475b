//! Typed indices of the ether's parts.

airloom_sim::index_type! {
    /// A radio.
    pub struct RadioId(u16);

    /// A network.
    pub struct BssId(u16);

    /// A channel.
    pub(crate) struct ChannelId(u16);

    /// One direction between two radios.
    pub(crate) struct LinkId(u32);

    /// One TID of a link.
    pub(crate) struct TidId(u32);

    /// One of the rates that a link can choose from.
    pub struct RateId(pub u16);

    /// The path between two radios, the same both ways.
    pub(crate) struct PathId(u16);

    /// The medium sensed by radios that are on one channel and hear the same other radios.
    pub(crate) struct MediumId(u16);

    /// An attempt of one radio, until all attempts on its medium are over.
    pub(crate) struct AttemptId(u16);

    /// One of the ether's timers, counted from zero.
    pub struct TimerId(pub u32);
}
