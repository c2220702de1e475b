//! Scanning and power save.

/// An event of a station's scanning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScanEvent {
    /// The connection manager asked for a scan.
    Requested,
    /// The remedy skipped the request, since data had moved.
    Skipped,
    /// The remedy allowed the request although data moved, since scans had been postponed for long enough.
    LetThrough,
    /// The scan began.
    Started,
    /// The radio tuned to the channel with this index in the scan's list.
    Channel(u16),
    /// The scan ended.
    Finished,
}

/// Whether a station's radio is on its home channel, as seen by its own driver.
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
