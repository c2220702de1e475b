//! Typed indices of a world's parts.

airloom_sim::index_type! {
    /// One end of a flow.
    pub(super) struct SocketId(pub(super) u16);

    /// Datagrams to a group of stations.
    pub(super) struct PublicationId(u16);

    /// One direction of a wired link.
    pub(super) struct WiredLinkId(u16);
}
