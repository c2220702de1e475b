//! What is what in a world: an index of its own type for each kind of part.

airloom_sim::index_type! {
    /// One end of a flow.
    pub(super) struct SocketId(pub(super) u16);

    /// One direction of a wire.
    pub(super) struct PipeId(u16);
}
