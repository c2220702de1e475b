//! Access points that end the association of a station which has been silent for long (hostapd `ap_max_inactivity`).
//!
//! After that time without a frame of the station or an acknowledgment hostapd polls it with a null frame (2.10 src/ap/sta_info.c
//! `ap_handle_timer`). One that is still silent 3 s later is disassociated, most often into the void. Its deauthentication, a second later, is
//! left out: a station that hears it has heard the disassociation.

use super::{Effects, Ether};
use crate::id::LinkId;
use crate::link::Inactivity;
use crate::radio::PowerFrame;
use airloom_observe::Probe;
use airloom_sim::{Duration, Time};

/// From the poll until the association ends (`AP_DISASSOC_DELAY`).
const ANSWERS_WITHIN: Duration = Duration::from_secs(3);
/// "Disassociated due to inactivity" (802.11-2020 table 9-49).
const INACTIVE: u16 = 4;

impl Ether {
    /// The receiver of an access point's link is there: a look at it is due once it may have been silent for long.
    pub(super) fn watch_inactivity(&mut self, now: Time, down: LinkId, fx: &mut Effects) {
        self.links[down].heard = now;
        if let Some(Inactivity { most, timer, polled }) = &mut self.links[down].inactivity {
            *polled = None;
            fx.arm(*timer, now + *most);
        }
    }

    /// An access point looks whether the receiver of a link has been silent for too long.
    #[cold]
    #[inline(never)]
    pub(super) fn inactivity_due<P: Probe>(
        &mut self,
        now: Time,
        down: LinkId,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let ap = self.links[down].from;
        let heard = self.links[down].heard;
        if self.links[down].gone {
            return;
        }
        let on_air = self.exchanges_until(ap);
        let Some(Inactivity { most, timer, polled }) = &mut self.links[down].inactivity else { return };
        if let Some(end) = on_air {
            return fx.arm(*timer, end);
        }
        match *polled {
            _ if now < heard + *most => {
                *polled = None;
                fx.arm(*timer, heard + *most);
            }
            Some(at) if heard >= at => {
                *polled = None;
                fx.arm(*timer, now + *most);
            }
            Some(_) => self.give_up_on(now, down, INACTIVE, fx, probe),
            None => {
                *polled = Some(now);
                fx.arm(*timer, now + ANSWERS_WITHIN);
                self.poll_station(now, down);
            }
        }
    }

    /// An access point asks whether a station is still there.
    fn poll_station(&mut self, now: Time, down: LinkId) {
        let [ap, station] = [self.links[down].from, self.links[down].to];
        let qos = [ap, station].iter().all(|&radio| self.radios[radio].adapter.qos);
        self.radios[ap].power_frames.waiting.push_back((down, PowerFrame::AsksStation { qos }));
        self.next_power_frame(now, ap);
    }
}
