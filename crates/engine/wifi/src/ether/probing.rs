//! The channels of a station's scan for another access point: where it asks who is there, and who answers.

use super::Ether;
use crate::id::{ChannelId, DeviceId, LinkId, RadioId};
use crate::radio::PowerFrame;
use crate::roaming::{Berth, Channels};
use crate::scan::Visit;
use airloom_observe::JoiningFrame;
use airloom_sim::Time;

/// The channels that an adapter supports at 2.4 and 5 GHz, in MHz, in the order in which Linux names them: 1 to 13, 36 to 64, 100 to 144, and 149 to 165.
const SUPPORTED: [u32; 38] = [
    2412, 2417, 2422, 2427, 2432, 2437, 2442, 2447, 2452, 2457, 2462, 2467, 2472, 5180, 5200, 5220, 5240,
    5260, 5280, 5300, 5320, 5500, 5520, 5540, 5560, 5580, 5600, 5620, 5640, 5660, 5680, 5700, 5720, 5745,
    5765, 5785, 5805, 5825,
];

impl Ether {
    /// The channels that a scan of a station's connection manager visits: those of its access points by their frequency, and further ones
    /// that nobody is on, unless a neighbor report names the others, or a program has learnt which there are.
    pub(super) fn channels_to_scan(&mut self, id: DeviceId, of: Channels) -> Vec<Option<ChannelId>> {
        let further = if of == Channels::Learnt { self.looks_at(id) } else { None };
        let Some(roamer) = &mut self.devices[id].roamer else { return Vec::new() };
        roamer.further = further;
        let named = of != Channels::Usual;
        let own = self.radios[roamer.berth().radio].channel;
        let mhz = |channel: &ChannelId| self.channels[*channel].primary_mhz;
        let mut known: Vec<ChannelId> =
            roamer.berths.iter().map(|berth| self.radios[berth.radio].channel).collect();
        known.sort_by_key(mhz);
        known.dedup_by_key(|channel| mhz(channel));
        known.retain(|channel| mhz(channel) != mhz(&own));
        let most = if named { known.len() } else { usize::from(roamer.how.channels) };
        known.truncate(most);
        let unknown = most - known.len() + usize::from(further.is_some());
        // A scan of no other channel is one of the own.
        if most == 0 || named || roamer.manager.scans_own_channel() {
            known.push(own);
            known.sort_by_key(mhz);
        }
        known.into_iter().map(Some).chain(std::iter::repeat_n(None, unknown)).collect()
    }

    /// The next channel in turn that nobody is on to which a station may go, in MHz (wpa_supplicant 2.11 `bgscan_learn_get_probe_freq`).
    fn looks_at(&mut self, id: DeviceId) -> Option<u32> {
        let roamer = self.devices[id].roamer.as_mut()?;
        let taken = |mhz: u32| {
            let mut channels = roamer.berths.iter().map(|berth| self.radios[berth.radio].channel);
            channels.any(|channel| self.channels[channel].primary_mhz == mhz)
        };
        let mut turns = (0..SUPPORTED.len()).map(|n| (roamer.looked + n) % SUPPORTED.len());
        let place = turns.find(|&place| !taken(SUPPORTED[place]))?;
        roamer.looked = (place + 1) % SUPPORTED.len();
        Some(SUPPORTED[place])
    }

    /// How a channel of a station's scan is visited: it asks where it may send without having heard anybody, which are channels 1 to 11 and
    /// at 5 GHz those without radar (`IEEE80211_CHAN_NO_IR`, `IEEE80211_CHAN_RADAR` in most rules of wireless-regdb).
    pub(super) fn visit(&self, id: DeviceId, channel: Option<ChannelId>) -> Visit {
        let further = || self.devices[id].roamer.as_ref()?.further;
        match channel.map(|channel| self.channels[channel].primary_mhz).or_else(further) {
            Some(..=2462 | 5170..=5250 | 5735..=5835) => Visit::Probes,
            _ => Visit::Listens,
        }
    }

    /// A station's berths on the channel with this place in its scan.
    fn berths_at(&self, id: RadioId, place: u16) -> Vec<usize> {
        let Some(roamer) = &self.devices[self.radios[id].device].roamer else { return Vec::new() };
        let visited =
            roamer.visits.get(usize::from(place)).copied().flatten().filter(|_| roamer.visits_known());
        let Some(visited) = visited.map(|channel| self.channels[channel].primary_mhz) else {
            return Vec::new();
        };
        let mhz = |berth: &Berth| self.channels[self.radios[berth.radio].channel].primary_mhz;
        (0..roamer.berths.len()).filter(|&berth| mhz(&roamer.berths[berth]) == visited).collect()
    }

    /// A station's radio arrives on a channel of its scan, or is on none of them.
    pub(super) fn tune_to_scan(&mut self, id: RadioId, place: Option<u16>) {
        let there = place.map(|place| self.berths_at(id, place)).unwrap_or_default();
        let Some(roamer) = &self.devices[self.radios[id].device].roamer else { return };
        for (place, berth) in roamer.berths.iter().enumerate() {
            let radio = &mut self.radios[berth.radio];
            radio.tuned = there.contains(&place).then_some(radio.channel);
        }
    }

    /// A station asks who is on the channel with this place in its scan.
    pub(super) fn probe(&mut self, now: Time, id: RadioId, place: u16) {
        let berth = self.berths_at(id, place).first().copied();
        let (Some(roamer), Some(berth)) = (&self.devices[self.radios[id].device].roamer, berth) else {
            return;
        };
        let Berth { radio, association, .. } = roamer.berths[berth];
        let link = self.peer_link(association.up);
        self.queue_probe(now, radio, link, false);
    }

    /// A probe has been sent over a link: unless that is the `end` of it, all that hear it answer.
    #[cold]
    #[inline(never)]
    pub(super) fn probe_sent(&mut self, now: Time, link: LinkId, end: bool) {
        let asks = self.links[link].from;
        let Some(roamer) = self.devices[self.radios[asks].device].roamer.as_ref().filter(|_| !end) else {
            return;
        };
        let mhz = |radio: RadioId| self.channels[self.radios[radio].channel].primary_mhz;
        let links: Vec<[LinkId; 2]> = roamer
            .berths
            .iter()
            .filter(|berth| mhz(berth.radio) == mhz(asks))
            .map(|berth| [berth.association.up, berth.association.down].map(|peer| self.peer_link(peer)))
            .collect();
        let bytes = PowerFrame::Joining(JoiningFrame::Probe { answer: false }).bytes();
        for [up, down] in links {
            let (ap, station) = (self.links[down].from, self.links[down].to);
            if up == link || self.hears(ap, station) && self.survives_joining(now, up, bytes) {
                self.queue_probe(now, ap, down, true);
            }
        }
    }

    fn queue_probe(&mut self, now: Time, by: RadioId, link: LinkId, answer: bool) {
        let frame = PowerFrame::Joining(JoiningFrame::Probe { answer });
        self.radios[by].power_frames.waiting.push_back((link, frame));
        self.next_power_frame(now, by);
    }
}
