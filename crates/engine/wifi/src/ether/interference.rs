//! What overlaps a frame where places are known: it counts by the power at which the receiver gets it, for as long as it lasts.

use super::Ether;
use super::attempt::{Attempt, OnAir, Reception};
use crate::control_frames::Sent;
use crate::frame_size::PHY_HEADER_BYTES;
use crate::id::{AttemptId, ChannelId, LinkId, RadioId};
use crate::spectrum::Channel;
use airloom_propagation::{Hardiness, Interference, Signal};
use airloom_rate::{Rate, Width};
use airloom_sim::{Duration, Index, IndexVec, Stream, Time};

/// A PPDU that was sent recently.
#[derive(Clone, Copy, Debug)]
pub(super) struct Emission {
    from: RadioId,
    /// The spectrum that it fills.
    channel: Channel,
    start: Time,
    end: Time,
}

/// Forgets PPDUs that ended before any frame that is on the air began, and before now: what follows a CTS is there before it begins, and
/// others may begin until then.
fn forget(sent: &mut Vec<Emission>, now: Time, starts: impl Iterator<Item = Time>) {
    let began = starts.fold(now, Time::min);
    sent.retain(|one| one.end > began);
}

/// PPDUs that were sent recently, in the order in which they were.
///
/// Channels that have spectrum in common, be it through others between them, are of one band: what is sent in another band overlaps nothing
/// here, and is not looked at.
#[derive(Default)]
pub(super) struct Emissions {
    /// The band of each channel, named by the first of its channels.
    bands: IndexVec<ChannelId, ChannelId>,
    /// By band.
    sent: IndexVec<ChannelId, Vec<Emission>>,
}

impl Emissions {
    /// There is one more channel beside these. Nothing was sent so far.
    pub(super) fn add_channel(&mut self, channel: &Channel, others: &IndexVec<ChannelId, Channel>) {
        let [new] = others.next_ids();
        let joined = others.ids().filter(|&id| others[id].overlaps(channel)).map(|id| self.bands[id]);
        let joined: Vec<ChannelId> = joined.collect();
        let band = joined.iter().copied().min().unwrap_or(new);
        self.bands.push(band);
        for id in others.ids() {
            if joined.contains(&self.bands[id]) {
                self.bands[id] = band;
            }
        }
        self.sent.push(Vec::new());
    }

    /// Those in the band of a channel.
    fn beside(&self, channel: ChannelId) -> &[Emission] {
        &self.sent[self.bands[channel]]
    }
}

/// How hardy the signals of frames without data, and of headers, were when they were last looked at.
#[derive(Default)]
pub(super) struct KnownHardiness(Vec<Option<Hardiness>>);

impl KnownHardiness {
    /// How many are kept, each in a place that follows from its two radios and its rate.
    const MOST: usize = 4096;

    /// That of a signal between two radios.
    pub(super) fn of(&mut self, (from, by): (RadioId, RadioId), signal: Signal) -> &mut Hardiness {
        if self.0.is_empty() {
            self.0.resize_with(Self::MOST, || None);
        }
        let rate = (signal.rate.bit_rate().as_bps() / 6_000_000) as usize;
        let known = &mut self.0[(61 * from.place() + 4 * by.place() + rate % 4) % Self::MOST];
        match known {
            Some(hardiness) if hardiness.is_of(&signal) => {}
            _ => *known = Some(Hardiness::new(signal)),
        }
        known.as_mut().expect("it was put there")
    }
}

/// A frame's data amid what overlaps them at their receiver.
pub(super) struct Amid<'a> {
    others: &'a mut Interference,
    /// When the data begin and end.
    span: (Time, Time),
    /// Bytes in between.
    bytes: u32,
    hardiness: &'a mut Hardiness,
    /// Whether others have spared its header.
    found: bool,
    /// Bytes of the MPDUs looked at so far.
    behind: u32,
    /// Others have spoiled one that noise had spared.
    pub(super) spoiled: bool,
}

impl<'a> Amid<'a> {
    /// Data of `bytes` in a PPDU that others overlap, from `start` to `end`: whether its header, at the lowest rate, is spared is drawn.
    pub(super) fn new(
        others: &'a mut Interference,
        (start, end): (Time, Time),
        bytes: u32,
        (header, hardiness): (&mut Hardiness, &'a mut Hardiness),
        losses: &mut Stream,
    ) -> Self {
        let begun = (start + hardiness.signal().rate.airtime(0)).min(end);
        let spares = others.spares((start, begun), PHY_HEADER_BYTES, header);
        let found = spares >= 1.0 || losses.uniform() < spares;
        Self { others, span: (begun, end), bytes, hardiness, found, behind: 0, spoiled: false }
    }

    /// Whether others spare the next MPDU, of so many bytes, if noise has: drawn in that case.
    pub(super) fn spares(&mut self, mpdu: u32, good: bool, losses: &mut Stream) -> bool {
        let before = self.behind;
        self.behind += mpdu;
        if !good {
            return false;
        }
        let (start, end) = self.span;
        let at = |bytes: u32| {
            let nanos =
                (end - start).as_nanos() * u64::from(bytes.min(self.bytes)) / u64::from(self.bytes.max(1));
            start + Duration::from_nanos(nanos)
        };
        let spares = self.others.spares((at(before), at(before + mpdu)), mpdu, self.hardiness);
        let spared = self.found && (spares >= 1.0 || losses.uniform() < spares);
        self.spoiled |= !spared;
        spared
    }
}

impl Ether {
    /// The PPDUs of attempt `id` go on the air where places are known.
    #[cold]
    #[inline(never)]
    pub(super) fn note_emission(&mut self, now: Time, id: AttemptId) {
        let bands = &self.emissions.bands;
        let band_of = |attempt: &Attempt| bands[self.radios[attempt.radio].channel];
        let (attempt, band) = (&self.attempts[id], band_of(&self.attempts[id]));
        let there = self.attempts.iter().filter(|attempt| band_of(attempt) == band);
        let starts = there.flat_map(|attempt| attempt.on_air).map(|on_air| on_air.start);
        let (own, channel) = (attempt.on_air, self.filled(attempt));
        let sent = &mut self.emissions.sent[band];
        forget(sent, now, starts);
        sent.extend(own.map(|OnAir { from, start, end, .. }| Emission { from, channel, start, end }));
    }

    /// What overlaps a frame at this receiver, in a buffer to be given back, and the frame's width; none if nothing does. Of another that is
    /// wider a part of its power counts, as a part of the noise does; one that is narrower counts with all of it over the frame's noise.
    fn overlapping(&mut self, frame: &OnAir, by: RadioId) -> Option<(Interference, Width)> {
        let receiver = &self.radios[by];
        let channel = self.channels[receiver.channel];
        let sent = self.emissions.beside(receiver.channel);
        let own = sent.iter().rfind(|one| one.from == frame.from && one.start == frame.start);
        let own = own.map_or(channel, |own| own.channel);
        let mut others = std::mem::take(&mut self.others);
        others.clear();
        for one in sent {
            let overlaps = one.start < frame.end && frame.start < one.end && one.channel.overlaps(&own);
            if overlaps && one.from != frame.from && one.from != by {
                let width = own.width.max(one.channel.width);
                let ratio = self.power.ratio([self.radios[one.from].node, receiver.node], width);
                others.add((one.start, one.end), ratio);
            }
        }
        self.add_bursts(&mut others, (frame.start, frame.end), own.spectrum(), (by, own.width));
        if others.is_empty() {
            self.others = others;
            return None;
        }
        Some((others, own.width))
    }

    /// A frame of one rate and width as this receiver gets it, if there is a path between the two.
    fn signal(
        &mut self,
        now: Time,
        frame: &OnAir,
        by: RadioId,
        (rate, width): (Rate, Width),
    ) -> Option<Signal> {
        let (channel, upward) = (self.width_at(by), self.radios[frame.from].uplink.is_some());
        let path = self.power.between(frame.from, by)?;
        let (snr_db, slow_db) = (path.mean_db(upward), path.slow(now).slow_db());
        let evm_db = self.radios[frame.from].adapter.evm_db;
        let snr_db = Sent { snr_db, channel, evm_db }.snr_in(width) + slow_db;
        Some(Signal { rate, snr_db, evm_db, streams: 1, quick_db: 0.0 })
    }

    /// Whether what overlaps a frame of one MPDU spares it at this receiver. Draws if something does.
    pub(super) fn is_spared(
        &mut self,
        now: Time,
        frame: &OnAir,
        by: RadioId,
        (rate, bytes): (Rate, u32),
    ) -> bool {
        let Some((mut others, width)) = self.overlapping(frame, by) else { return true };
        let Some(signal) = self.signal(now, frame, by, (rate, width)) else { return true };
        let hardiness = self.hardiness.of((frame.from, by), signal);
        let spares = others.spares((frame.start, frame.end), bytes, hardiness);
        self.others = others;
        self.radios[frame.from].losses.uniform() < spares
    }

    /// The frame of one MPDU that attempt `id` has on the air ends, or what is known of it is all that will be: where places are known, a
    /// user that others do not spare it is disturbed.
    #[inline(always)]
    pub(super) fn weigh(&mut self, now: Time, id: AttemptId, sent: (Rate, u32)) {
        if self.power.weighs() {
            self.weigh_by_power(now, id, sent);
        }
    }

    #[cold]
    #[inline(never)]
    fn weigh_by_power(&mut self, now: Time, id: AttemptId, sent: (Rate, u32)) {
        for n in 0..self.attempts[id].on_air.len() {
            let on_air = self.attempts[id].on_air[n];
            for (place, user) in on_air.users.into_iter().enumerate() {
                let Some(by) = user.by.filter(|_| user.heard && !user.disturbed) else { continue };
                if !self.is_spared(now, &on_air, by, sent) {
                    self.attempts[id].on_air[n].users[place].disturbed = true;
                }
            }
        }
    }

    /// What overlaps data at a user that might receive them, in a buffer to be given back, and how that gets the header of their PPDU.
    pub(super) fn data_overlapping(
        &mut self,
        now: Time,
        frame: &OnAir,
        user: &Reception,
    ) -> Option<(Interference, Signal)> {
        let by = user.by.filter(|_| user.heard && !user.disturbed)?;
        let (others, width) = self.overlapping(frame, by)?;
        let lowest = self.bss[self.radios[by].bss].phy.lowest;
        Some((others, self.signal(now, frame, by, (lowest, width))?))
    }

    /// The links of an access point over which its beacon does not get through: to stations that do not hear it, and to those that
    /// others do not spare it, of which there are so many.
    pub(super) fn missed_beacon(
        &mut self,
        now: Time,
        beacon: &OnAir,
        sent: (Rate, u32),
    ) -> (Vec<LinkId>, usize) {
        let (mut missed, mut disturbed) = (Vec::new(), 0);
        if !self.power.weighs() && !self.any_switches {
            return (missed, disturbed);
        }
        for place in 0..self.radios[beacon.from].links.len() {
            let link = self.radios[beacon.from].links[place];
            let by = self.links[link].to;
            if !self.is_in_use(by) {
                missed.push(link);
                continue;
            }
            let heard = self.hears(by, beacon.from);
            if heard && self.is_spared(now, beacon, by, sent) {
                continue;
            }
            disturbed += usize::from(heard);
            missed.push(link);
        }
        (missed, disturbed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hidden radio may begin during a CTS of 28 us, behind which the data are noted in the same instant.
    #[test]
    fn a_cts_is_there_for_those_that_begin_before_its_data_do() {
        let at = |us: u64| Time::ZERO + Duration::from_micros(us);
        let cts = Emission {
            from: RadioId::new(0),
            channel: Channel::from_primary(5180, Width::Mhz20),
            start: at(100),
            end: at(128),
        };
        let mut sent = vec![cts];
        let mut left = |now: u64, starts: &[u64]| {
            forget(&mut sent, at(now), starts.iter().map(|&start| at(start)));
            sent.len()
        };
        assert_eq!(left(100, &[144]), 1, "the data are all that is on the air");
        assert_eq!(left(140, &[144, 120]), 1, "one that began during the CTS is on the air");
        assert_eq!(left(140, &[144]), 0);
    }

    /// 36 and 40 have nothing in common until there are 80 MHz over both; 52 stays apart.
    #[test]
    fn a_wide_channel_joins_the_bands_below_it() {
        let (mut emissions, mut channels) = (Emissions::default(), IndexVec::default());
        let mut bands = |number: u32, width| {
            let channel = Channel::from_primary(5000 + 5 * number, width);
            emissions.add_channel(&channel, &channels);
            channels.push(channel);
            channels.ids().map(|id: ChannelId| emissions.bands[id].place()).collect::<Vec<_>>()
        };
        assert_eq!(bands(52, Width::Mhz20), [0]);
        assert_eq!(bands(40, Width::Mhz20), [0, 1]);
        assert_eq!(bands(36, Width::Mhz20), [0, 1, 2]);
        assert_eq!(bands(36, Width::Mhz80), [0, 1, 1, 1]);
    }
}
