//! Scanning and power save.

/// Something about a station's scanning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScanEvent {
    /// The connection manager asked for a scan.
    Requested,
    /// The remedy skipped the request, since data had moved.
    Skipped,
    /// The remedy let the request through although data moved: it had been postponed for long enough.
    LetThrough,
    /// The scan began.
    Started,
    /// The radio tuned to the channel with this index in the scan's list.
    Channel(u16),
    /// The scan ended.
    Finished,
}

/// Where a station's radio is, as seen from its own driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RadioPlace {
    /// It began to announce that it will sleep: its first null frame with PM=1 is due.
    Leaving,
    /// It listens to another channel.
    Away,
    /// It is back on the home channel and announces so with a null frame PM=0.
    Returning,
    /// It exchanges data as usual.
    Home,
}
