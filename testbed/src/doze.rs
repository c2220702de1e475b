//! A station that dozes. The simulated radio tells the access point of a doze when it is asked to, and has no power save of its
//! own: when to doze is decided here, as a station with power save does.

use crate::capture::Heard;
use crate::check::write;
use airloom_wire::ieee80211::{Frame, ManagementBody};
use airloom_wire::radiotap::RadiotapRepr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle, sleep};
use std::time::Duration;

/// The driver's switch: awake, or announced to doze while it goes on to receive (`mac80211_hwsim`, Linux 6.1).
const SWITCH: &str = "/sys/kernel/debug/ieee80211/phy0/hwsim/ps";
const AWAKE: &str = "0";
const DOZES: &str = "2";
/// The only station's association identifier.
const AID: u16 = 1;

/// A station that dozes, until [`Dozing::end`].
pub(crate) struct Dozing {
    ends: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Dozing {
    /// Has the station doze, wake as a beacon says that frames wait, and doze again after some time.
    pub(crate) fn begin(awake: Duration) -> Self {
        let mut beacons = Heard::begin("type mgt subtype beacon").expect("tcpdump is installed");
        let ends = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&ends);
        let thread = thread::spawn(move || {
            write(SWITCH, DOZES);
            while let Ok((_, octets)) = beacons.next() {
                if ended.load(Ordering::Relaxed) {
                    break;
                }
                if frames_wait(&octets) {
                    write(SWITCH, AWAKE);
                    sleep(awake);
                    write(SWITCH, DOZES);
                }
            }
            write(SWITCH, AWAKE);
        });
        Self { ends, thread }
    }

    /// The station stays awake.
    pub(crate) fn end(self) {
        self.ends.store(true, Ordering::Relaxed);
        let _ = self.thread.join();
    }
}

/// Whether a beacon says that frames wait for the station.
fn frames_wait(octets: &[u8]) -> bool {
    let frame = RadiotapRepr::parse(octets).and_then(|(_, frame)| Frame::parse(frame));
    let Ok(Frame::Management(management)) = frame else { return false };
    matches!(management.body, ManagementBody::Beacon { tim: Some(tim), .. } if tim.holds_for(AID))
}
