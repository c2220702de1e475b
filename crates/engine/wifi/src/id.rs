//! Typed indices of the ether's parts.

airloom_sim::index_type! {
    /// A device: the MAC entity of a node.
    pub struct DeviceId(u16);

    /// One direction between two devices.
    pub(crate) struct PeerId(u32);

    /// A radio of a device.
    pub(crate) struct RadioId(u16);

    /// A network.
    pub struct BssId(u16);

    /// A channel.
    pub(crate) struct ChannelId(u16);

    /// One direction between two radios.
    pub(crate) struct LinkId(u32);

    /// One TID of a peer.
    pub(crate) struct TidId(u32);

    /// One of the rates that a link can choose from.
    pub struct RateId(pub u16);

    /// The path between two radios, the same both ways.
    pub(crate) struct PathId(u16);

    /// The medium sensed by radios that are on one channel and hear the same other radios.
    pub(crate) struct MediumId(u16);

    /// Something else that sends.
    pub(crate) struct InterfererId(u16);

    /// An attempt of one radio, until all attempts on its medium are over.
    pub(crate) struct AttemptId(u16);

    /// One of the ether's timers, counted from zero.
    pub struct TimerId(pub u32);
}
