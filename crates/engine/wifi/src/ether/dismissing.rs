//! Access points that do not know a station which takes itself for one of theirs, and how it learns of that.
//!
//! hostapd gives up on a station that acknowledges nothing (`disassoc_low_ack`, 2.10 `hostapd_event_sta_low_ack`), as mac80211 says so: with
//! 50 frames lost in a row, none of them acknowledged for a second (Linux 6.12 net/mac80211/status.c `ieee80211_lost_packet`). Of an A-MPDU
//! one frame carries the status, and counts. The station is disassociated, most often into the void.
//!
//! As it sends something, the hardware of the access point acknowledges that, and hostapd answers with a deauthentication, since it is a
//! frame of class 3 of a station without an association (`cfg80211_rx_spurious_frame`, hostapd `ieee802_11_rx_from_unknown`).

use super::effects::Move;
use super::{Effects, Ether};
use crate::id::{DeviceId, LinkId};
use crate::radio::PowerFrame;
use crate::roaming::Way;
use airloom_observe::{JoiningFrame, LossCause, Observation, Probe, RoamEvent};
use airloom_sim::{Duration, Time};

/// PPDUs that are lost in a row before an access point gives up (`STA_LOST_PKT_THRESHOLD`).
const LOST: u32 = 50;
/// For so long nothing was acknowledged then (`STA_LOST_PKT_TIME`).
const FOR: Duration = Duration::from_secs(1);
/// "Disassociated because excessive number of frames need to be acknowledged, but are not acknowledged" (802.11-2020 table 9-49).
const LOW_ACK: u16 = 34;
/// "Class 3 frame received from nonassociated STA".
const NOT_ASSOCIATED: u16 = 7;

impl Ether {
    /// The receiver of a link has acknowledged something, or an access point's driver has given up on a PPDU to it.
    #[cold]
    #[inline(never)]
    pub(super) fn count_unacknowledged<P: Probe>(
        &mut self,
        now: Time,
        link: LinkId,
        answered: bool,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let Some(count) = &mut self.links[link].unacknowledged else { return };
        if answered {
            (count.ppdus, count.since) = (0, now);
            return;
        }
        count.ppdus += 1;
        if count.ppdus >= LOST && now > count.since + FOR {
            count.ppdus = 0;
            self.give_up_on(now, link, LOW_ACK, fx, probe);
        }
    }

    /// An access point gives up on the receiver of a link, and tells it this reason.
    pub(super) fn give_up_on<P: Probe>(
        &mut self,
        now: Time,
        link: LinkId,
        reason: u16,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let (ap, station) = (self.links[link].from, self.links[link].to);
        let id = self.radios[station].device;
        let Some(roamer) = &self.devices[id].roamer else { return };
        let berth = roamer.berths.iter().find(|berth| berth.radio == station);
        let Some(association) = berth.map(|berth| berth.association) else { return };
        self.forget(now, association, fx, probe);
        let frame = PowerFrame::Joining(JoiningFrame::Disassociation { reason });
        self.radios[ap].power_frames.waiting.push_back((link, frame));
        self.next_power_frame(now, ap);
        let (station, access_point) = (self.devices[id].node, self.radios[ap].node);
        fx.moves.push(Move::Forgotten { station, access_point });
        self.observe_roam(now, id, RoamEvent::GivenUp { by: access_point }, probe);
    }

    /// An access point has something from a station that it does not know: so many MPDUs, or a frame without a packet.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse<P: Probe>(&mut self, now: Time, up: LinkId, mpdus: u32, probe: &mut P) {
        let (down, ap) = (self.links[up].reverse, self.links[up].to);
        let (node, peer, _) = self.ends(up);
        for _ in 0..mpdus {
            probe.see(now, Observation::MpduLost { node, peer, cause: LossCause::Unassociated });
        }
        let frame = PowerFrame::Joining(JoiningFrame::Deauthentication { reason: NOT_ASSOCIATED });
        let frames = &mut self.radios[ap].power_frames;
        let under_way = frames.outgoing.is_some_and(|one| (one.link, one.frame) == (down, frame));
        if !under_way && !frames.waiting.contains(&(down, frame)) {
            frames.waiting.push_back((down, frame));
            self.next_power_frame(now, ap);
        }
    }

    /// A frame by which an access point ends an association has been sent over a link: if it arrived, and the station takes itself for
    /// associated there, that parts.
    #[cold]
    #[inline(never)]
    pub(super) fn dismissed<P: Probe>(
        &mut self,
        now: Time,
        (link, arrived): (LinkId, bool),
        reason: u16,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let station = self.links[link].to;
        if !arrived || !self.links[link].gone || !self.is_in_use(station) {
            return;
        }
        let id: DeviceId = self.radios[station].device;
        let Some(roamer) = self.devices[id].roamer.as_mut().filter(|roamer| roamer.is_here()) else { return };
        roamer.way = Way::Parting { back: roamer.how.policy.comes_back_after(reason) };
        fx.arm(roamer.timer, now);
        self.observe_roam(now, id, RoamEvent::Dismissed { reason }, probe);
    }
}
