//! What a desktop sees: `org.airloom.Guard1` on the system bus.

use crate::daemon::Event;
use airloom_sim::Duration;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use zbus::interface;
use zbus::object_server::SignalEmitter;

/// The well-known name, of which there is one owner.
pub(crate) const NAME: &str = "org.airloom.Guard1";
/// The object.
pub(crate) const PATH: &str = "/org/airloom/Guard1";

/// What the daemon shows of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Status {
    /// The interface guarded, or empty.
    pub(crate) interface: String,
    /// `free`, `holding` or `letting-through`.
    pub(crate) state: &'static str,
    /// Why it holds or not.
    pub(crate) cause: &'static str,
    /// What it could not do, or empty.
    pub(crate) trouble: String,
    pub(crate) scans_seen: u32,
    pub(crate) scans_aborted: u32,
    pub(crate) scans_let_through: u32,
}

/// The object on the bus.
pub(crate) struct Service {
    pub(crate) status: Arc<Mutex<Status>>,
    pub(crate) events: Mutex<Sender<Event>>,
}

impl Service {
    fn status(&self) -> Status {
        self.status.lock().expect("nobody panics while holding it").clone()
    }

    fn tell(&self, event: Event) -> zbus::fdo::Result<()> {
        let events = self.events.lock().expect("nobody panics while holding it");
        events.send(event).map_err(|_| zbus::fdo::Error::Failed("the guard is shutting down".into()))
    }
}

#[interface(name = "org.airloom.Guard1")]
impl Service {
    /// Holds scans off for so many seconds, transfer or not, within the cap.
    fn hold(&self, seconds: u32) -> zbus::fdo::Result<()> {
        self.tell(Event::HoldFor(Duration::from_secs(u64::from(seconds))))
    }

    /// Gives scans back until the present transfer is over.
    fn release(&self) -> zbus::fdo::Result<()> {
        self.tell(Event::Release)
    }

    /// A scan was aborted, for this cause: the answer to a user who asks why no networks appear.
    #[zbus(signal)]
    pub(crate) async fn scan_aborted(emitter: &SignalEmitter<'_>, cause: &str) -> zbus::Result<()>;

    #[zbus(property(emits_changed_signal = "false"))]
    fn interface(&self) -> String {
        self.status().interface
    }

    #[zbus(property)]
    fn state(&self) -> String {
        self.status().state.into()
    }

    #[zbus(property)]
    fn cause(&self) -> String {
        self.status().cause.into()
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn trouble(&self) -> String {
        self.status().trouble
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn scans_seen(&self) -> u32 {
        self.status().scans_seen
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn scans_aborted(&self) -> u32 {
        self.status().scans_aborted
    }

    #[zbus(property(emits_changed_signal = "false"))]
    fn scans_let_through(&self) -> u32 {
        self.status().scans_let_through
    }
}
