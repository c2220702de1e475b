//! A supplicant: what authenticates the station, and scans for it. Of its link and its background scanning, what a guard has to know.
//!
//! It is always addressed by its unique name. Its well-known name may pass to another process between two calls, and a call to
//! a name without owner would have the bus start it, which is not this program's to decide.

/// A network's background scanning, as far as the lever needs it. An error means that nothing is known: not even whether the
/// call was heard.
pub(crate) trait Supplicant {
    /// The unique name of the process that has such networks now; `None` if it is known that there is none.
    fn owner(&self, network: &str) -> Result<Option<String>, String>;
    /// A network's background scanning: empty if it is switched off, `None` if it has none or is gone.
    fn bgscan(&self, owner: &str, network: &str) -> Result<Option<String>, String>;
    /// Sets a network's background scanning, at once and without reassociation.
    fn set_bgscan(&self, owner: &str, network: &str, value: &str) -> Result<(), String>;
}

/// Where an interface stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) interface: String,
    pub(crate) completed: bool,
    /// The network in use.
    pub(crate) network: Network,
}

/// A network of one supplicant. Another process may have another network at the same path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Network {
    /// The process, by its unique name on the bus.
    pub(crate) owner: String,
    /// The object's path.
    pub(crate) path: String,
}
