//! What is what in a cell: an index of its own type for each kind of part.

airloom_sim::index_type! {
    /// A radio.
    pub(crate) struct RadioId(u16);

    /// One direction between two radios.
    pub(crate) struct LinkId(u32);

    /// One of the rates that a link can choose from.
    pub struct RateId(pub u16);

    /// The channel between two radios, the same both ways.
    pub(crate) struct ChannelId(u16);

    /// What all radios sense that hear the same others.
    pub(crate) struct MediumId(u16);

    /// What one radio has on the air, until all on its medium is over.
    pub(crate) struct AttemptId(u16);

    /// One of a cell's timers, counted from zero.
    pub struct TimerId(pub u32);
}
