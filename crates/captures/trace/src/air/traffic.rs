//! Data from one radio to another.

use super::beat::Beat;
use super::futile::Futile;
use super::let_go::{Clocks, LetGo};
use super::ppdu::Ppdu;
use super::repeats::Lost;
use super::sealed::Sealed;
use super::storm::{Storm, Storms};
use super::window::Window;
use crate::numbers::Lately;
use crate::speed::Speed;
use crate::{Bins, BlockAck, Capped, Frame, Hole, Spread};

/// The most rates that are told apart in one direction between two radios.
const MOST_SPEEDS: usize = 128;
/// Traffic identifiers with an agreement about BlockAcks (802.11-2020 clause 9.2.4.5.2).
const TIDS: usize = 16;

/// What was sent at one rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedUse {
    /// The rate.
    pub speed: Speed,
    /// MPDUs.
    pub mpdus: u64,
    /// Those of them that were retries.
    pub retried: u64,
    /// Air time in nanoseconds.
    pub airtime_ns: u64,
}

/// PPDUs of at least four MPDUs: what disturbs a part of one leaves some of them, what disturbs all of it leaves none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LargePpdus {
    /// All.
    pub ppdus: u64,
    /// Those of retries alone that repeat one of which nothing was acknowledged, as far as was heard.
    pub lost_whole: u64,
    /// Those with retries, of which others had arrived or were new.
    pub lost_in_part: u64,
    /// Those of retries alone, and those of which some were.
    pub all_again: u64,
    /// See `all_again`.
    pub some_again: u64,
}

impl LargePpdus {
    /// MPDUs from which on a PPDU is large.
    const LEAST: u32 = 4;
    /// Fewer say nothing of what makes retries.
    const TELLING: u64 = 30;
    /// So many times as many PPDUs are lost as a whole as in part, where hardly anything but collisions loses them.
    const WHOLES: u64 = 3;

    /// Counts a PPDU; if it consists of retries alone, `lost` says what became of the PPDU before it.
    fn sent(&mut self, ppdu: &Ppdu, lost: impl FnOnce() -> Option<Lost>) {
        if ppdu.mpdus < Self::LEAST {
            return;
        }
        self.ppdus += 1;
        match ppdu.retried {
            0 => {}
            all if all == ppdu.mpdus => {
                self.all_again += 1;
                let lost = lost();
                self.lost_whole += u64::from(lost == Some(Lost::Whole));
                self.lost_in_part += u64::from(lost == Some(Lost::Part));
            }
            _ => {
                self.some_again += 1;
                self.lost_in_part += 1;
            }
        }
    }

    /// Whether what is sent again goes alone, so that collisions may have taken what it was part of, or noise a part: that does not show.
    pub const fn go_again_alone(&self) -> bool {
        self.ppdus >= Self::TELLING && self.all_again >= Self::WHOLES * self.some_again
    }

    /// Whether what made retries took PPDUs as a whole, as collisions do: noise takes single MPDUs of most, and what it leaves may go alone.
    pub const fn lost_as_wholes(&self) -> bool {
        self.ppdus >= Self::TELLING && self.lost_whole >= Self::WHOLES * self.lost_in_part
    }

    /// Those that repeat one of which nothing was acknowledged, in percent.
    pub fn lost_whole_percent(&self) -> f64 {
        100.0 * self.lost_whole as f64 / self.ppdus.max(1) as f64
    }

    /// Those with retries, of which others had arrived or were new, in percent.
    pub fn lost_in_part_percent(&self) -> f64 {
        100.0 * self.lost_in_part as f64 / self.ppdus.max(1) as f64
    }
}

/// What went from one radio to another when; each PPDU counts where it ends.
#[derive(Clone, Debug, Default)]
pub struct OverTime {
    /// Air time in nanoseconds.
    pub airtime: Bins,
    /// Octets of bodies.
    pub octets: Bins,
    /// Mbit/s of the PHY, by PPDU.
    pub phy: Bins,
    /// MPDUs, by PPDU.
    pub sizes: Bins,
    /// Those of them with the retry bit, likewise.
    pub retries: Bins,
}

impl OverTime {
    /// Nothing yet, in a capture that begins at a time.
    fn from(begin_ns: u64) -> Self {
        let bins = Bins::from(begin_ns);
        Self {
            airtime: bins.clone(),
            octets: bins.clone(),
            phy: bins.clone(),
            sizes: bins.clone(),
            retries: bins,
        }
    }

    fn sent(&mut self, ppdu: &Ppdu) {
        self.airtime.note(ppdu.end_ns, ppdu.airtime_ns() as f64);
        self.octets.note(ppdu.end_ns, ppdu.bodies as f64);
        self.sizes.note(ppdu.end_ns, ppdu.mpdus.into());
        self.retries.note(ppdu.end_ns, ppdu.retried.into());
        if let Some(speed) = ppdu.speed() {
            self.phy.note(ppdu.end_ns, speed.mbps);
        }
    }

    /// How many bins it has room for.
    pub(super) fn room(&self) -> usize {
        let Self { airtime, octets, phy, sizes, retries } = self;
        [airtime, octets, phy, sizes, retries].map(Bins::room).iter().sum()
    }

    /// Makes do with half of the bins.
    pub(super) fn coarsen(&mut self) {
        let Self { airtime, octets, phy, sizes, retries } = self;
        [airtime, octets, phy, sizes, retries].into_iter().for_each(Bins::coarsen);
    }
}

/// Data from one radio to another, as far as it was heard.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    /// MPDUs with data.
    pub mpdus: u64,
    /// Those of them with the retry bit.
    pub retried: u64,
    /// Those of them that hold an A-MSDU, so several packets.
    pub amsdus: u64,
    /// How long its PPDUs are.
    pub lengths: Lengths,
    /// Those of them without QoS, which have no count of their own: all but QoS data shares one of its sender.
    pub unnumbered: u64,
    /// QoS MPDUs of which the first try that was heard was a retry: the monitor heard nothing of those before it.
    pub first_as_retries: u64,
    /// PPDUs.
    pub ppdus: u64,
    /// The sum over all MPDUs of how many went in their PPDU.
    pub together: u64,
    /// Those of them after which the receiver's answer was heard.
    pub answered: u64,
    /// Those of these that an ACK answered, which is for a single MPDU.
    pub acked: u64,
    /// Those of these that repeated what an ACK had answered just before: that one was lost on its way back.
    pub acked_again: u64,
    /// PPDUs with at least one retry.
    pub again: u64,
    /// PPDUs that began as soon as the air was idle, after a backoff at most: then more was waiting.
    pub pressed: u64,
    /// PPDUs of one MPDU that goes for the first time, at another rate than the last PPDU of several that did: as a packet does with which a rate control tries a rate.
    pub tries: u64,
    /// The same at the rate of that PPDU, as a packet goes behind which none waits.
    pub alone: u64,
    /// PPDUs of several MPDUs that went for the first time.
    pub several: u64,
    /// PPDUs of at least four MPDUs.
    pub large: LargePpdus,
    /// PPDUs that had a request to send before them.
    pub requested: u64,
    /// Octets of bodies.
    pub octets: u64,
    /// Air time in nanoseconds.
    pub airtime_ns: u64,
    /// What went when.
    pub over_time: OverTime,
    /// Records with which some of its PPDUs begin, and some of those with retries.
    pub shown: Spread<u32>,
    /// See `shown`.
    pub shown_again: Spread<u32>,
    /// Bursts in which nothing but retries went.
    pub storms: Capped<Storm>,
    /// Whether its PPDUs keep to the beat of a bus.
    pub beat: Beat,
    /// What it has sent since anything of it last arrived.
    pub futile: Futile,
    /// What was sent at which rate.
    pub speeds: Vec<SpeedUse>,
    /// When its last PPDU ended, in nanoseconds since 1970.
    pub(super) last_ns: u64,
    /// Clock values that passed, and how long after those of the other direction its PPDUs came.
    pub(super) clocks: Clocks,
    pub(super) let_go: LetGo,
    /// The rate of the last PPDU of several MPDUs without retries.
    together_at: Option<Speed>,
    windows: Vec<Option<Box<Window>>>,
    sealed: Sealed,
    retrying: Storms,
    /// The traffic identifier and number of the last MPDU, and of the last that an ACK answered.
    last: Option<(Option<u8>, u16)>,
    last_acked: Option<(Option<u8>, u16)>,
    /// Whether the answer to its last PPDU was heard; and of the PPDUs before one without retries, those whose answers were heard, and the others.
    was_answered: bool,
    heard_answers: u64,
    unheard_answers: u64,
}

impl Traffic {
    /// Nothing yet, in a capture that begins at a time.
    pub(super) fn from(begin_ns: u64) -> Self {
        Self { over_time: OverTime::from(begin_ns), ..Self::default() }
    }

    /// Takes a PPDU; whether a request to send went before it, whether it began as soon as it could, and when the last data for its sender ended.
    pub(super) fn sent(&mut self, ppdu: &Ppdu, requested: bool, pressed: bool, heard_ns: u64) {
        let airtime_ns = ppdu.airtime_ns();
        self.retrying.sent(ppdu);
        self.futile.sent(ppdu);
        self.beat.sent(ppdu, pressed, heard_ns);
        if ppdu.retried == 0 && self.ppdus > 0 {
            self.heard_answers += u64::from(self.was_answered);
            self.unheard_answers += u64::from(!self.was_answered);
        }
        self.was_answered = false;
        self.last_ns = ppdu.end_ns;
        self.mpdus += u64::from(ppdu.mpdus);
        self.retried += u64::from(ppdu.retried);
        self.amsdus += u64::from(ppdu.amsdus);
        self.lengths.add(ppdu.octets);
        self.ppdus += 1;
        self.together += u64::from(ppdu.mpdus) * u64::from(ppdu.mpdus);
        self.requested += u64::from(requested);
        self.shown.push(ppdu.number);
        if ppdu.retried > 0 {
            self.again += 1;
            self.shown_again.push(ppdu.number);
        }
        self.pressed += u64::from(pressed);
        self.repeats(ppdu);
        self.over_time.sent(ppdu);
        self.octets += ppdu.bodies;
        self.airtime_ns += airtime_ns;
        let Some(speed) = ppdu.speed() else { return };
        if ppdu.retried == 0 && ppdu.mpdus == 1 {
            self.tries += u64::from(self.together_at.is_some_and(|usual| usual != speed));
            self.alone += u64::from(self.together_at.is_none_or(|usual| usual == speed));
        } else if ppdu.retried == 0 {
            self.several += 1;
            self.together_at = Some(speed);
        }
        let place = self.speeds.iter().position(|used| used.speed == speed).unwrap_or_else(|| {
            if self.speeds.len() < MOST_SPEEDS {
                self.speeds.push(SpeedUse { speed, mpdus: 0, retried: 0, airtime_ns: 0 });
            }
            self.speeds.len() - 1
        });
        let used = &mut self.speeds[place];
        used.mpdus += u64::from(ppdu.mpdus);
        used.retried += u64::from(ppdu.retried);
        used.airtime_ns += airtime_ns;
    }

    /// Counts a PPDU, and what it shows of the PPDU before it in its stream.
    fn repeats(&mut self, ppdu: &Ppdu) {
        let stream = &mut Self::stream(&mut self.windows, ppdu.first.tid.unwrap_or_default()).repeats;
        self.large.sent(ppdu, || stream.lost());
        stream.next();
    }

    /// The receiver answered a PPDU: with an ACK, or with a BlockAck.
    pub(super) fn answered(&mut self, by_ack: bool) {
        self.answered += 1;
        self.was_answered = true;
        if by_ack {
            self.futile.arrived();
            let last = self.last.take();
            self.acked += 1;
            self.acked_again += u64::from(last.is_some() && last == self.last_acked);
            self.last_acked = last;
        }
        self.retrying.answered(&mut self.storms);
    }

    /// The monitor heard an MPDU with this number.
    pub(super) fn heard(&mut self, at_ns: u64, record: u32, frame: &Frame, sequence: u16, lately: &Lately) {
        self.clocks.passed(at_ns, frame);
        self.last = Some((frame.tid, sequence));
        let window = self.window(frame.tid.unwrap_or_default());
        window.heard(sequence);
        if frame.tid.is_none() {
            self.unnumbered += 1;
            return;
        }
        let (ahead, heard) = window.numbered(at_ns, sequence, frame.retry, lately);
        self.first_as_retries += u64::from(frame.retry && heard.is_some());
        if let Some(number) = frame.packet_number {
            self.sealed.take(record, number, ahead, heard.is_some());
        }
    }

    /// PPDUs that did not begin as soon as they could and yet had not waited for the air: their data had just come, the shortest round trip behind the acknowledgment that let it go, by TCP's
    /// clock values (RFC 7323); and for how long nothing was heard before them, in nanoseconds.
    pub fn let_go(&self) -> (u64, u64) {
        self.let_go.ppdus()
    }

    /// MPDUs that were sent, as packet numbers show, and those of them that were never heard: more in a row than a sender gives up, so that the monitor missed them, or a
    /// filter took them out. None where packet numbers cannot be read.
    pub const fn sent_and_skipped(&self) -> (u64, u64) {
        (self.sealed.heard + self.sealed.skipped, self.sealed.skipped)
    }

    /// Records behind those.
    pub fn behind_gaps(&self) -> &[u32] {
        self.sealed.gaps.kept()
    }

    /// Numbers of QoS data of which no frame was heard, though frames with lower and with higher ones were.
    pub fn left_out(&self) -> u64 {
        self.windows.iter().flatten().map(|window| window.left_out()).sum()
    }

    /// The same of rows that are longer than a few and passed in the time of an A-MPDU or two: all of its MPDUs were given up, or the capture lost records.
    pub fn left_out_in_rows(&self) -> u64 {
        self.windows.iter().flatten().map(|window| window.left_out_in_rows()).sum()
    }

    /// The same of rows that are longer than an A-MPDU or took longer: all was given up for a while and nothing heard of it, or the monitor was away.
    pub fn left_out_for_long(&self) -> u64 {
        self.windows.iter().flatten().map(|window| window.skipped()).sum()
    }

    /// MPDUs that were heard, and had not arrived when their receiver's window moved on, as BlockAcks show: their sender gave them up.
    pub fn passed_over(&self) -> u64 {
        self.windows.iter().flatten().map(|window| window.passed).sum()
    }

    /// The share of the answers to its PPDUs that the monitor has not heard: that there was one shows where the next PPDU repeats nothing.
    pub fn unheard_answers(&self) -> f64 {
        self.unheard_answers as f64 / (self.heard_answers + self.unheard_answers).max(1) as f64
    }

    /// The receiver sent a BlockAck; how many of the MPDUs that it shows for the first time the monitor had not heard.
    pub(super) fn block_ack(&mut self, at_ns: u64, number: u32, told: BlockAck) -> u64 {
        let window = self.window(told.tid);
        let (arrived, before) = (window.arrived, window.unheard);
        window.acknowledged(at_ns, number, told);
        let (new, unheard) = (window.arrived - arrived, window.unheard - before);
        if new > 0 {
            self.futile.arrived();
        }
        unheard
    }

    fn window(&mut self, tid: u8) -> &mut Window {
        Self::stream(&mut self.windows, tid)
    }

    /// The same, beside other parts.
    fn stream(windows: &mut Vec<Option<Box<Window>>>, tid: u8) -> &mut Window {
        windows.resize_with(TIDS, || None);
        windows[usize::from(tid) % TIDS].get_or_insert_default()
    }

    /// MPDUs whose arrival a BlockAck showed, and those of them that the monitor had not heard.
    pub fn arrived_and_unheard(&self) -> (u64, u64) {
        let windows = self.windows.iter().flatten();
        windows
            .fold((0, 0), |(arrived, unheard), window| (arrived + window.arrived, unheard + window.unheard))
    }

    /// MPDUs that were heard as they went for the first time.
    pub const fn first_tries(&self) -> u64 {
        self.mpdus.saturating_sub(self.retried)
    }

    /// MPDUs that arrived by the answers that were heard, ACKs and BlockAcks.
    pub fn arrived(&self) -> u64 {
        self.acked.saturating_sub(self.acked_again) + self.arrived_and_unheard().0
    }

    /// Numbers that were missing for a while although later ones had arrived, by traffic identifier.
    pub fn holes(&self) -> impl Iterator<Item = &Capped<Hole>> {
        self.windows.iter().flatten().map(|window| &window.holes)
    }

    /// MPDUs in a PPDU, on average.
    pub fn mpdus_per_ppdu(&self) -> f64 {
        self.mpdus as f64 / self.ppdus.max(1) as f64
    }

    /// How long the PPDU of an octet is on average, as a part of the longest one: single MPDUs among long PPDUs hardly count.
    pub fn filled_by_octets(&self) -> f64 {
        let Lengths { octets, squares, most } = self.lengths;
        squares / (octets * f64::from(most)).max(1.0)
    }

    /// MPDUs in the PPDU of an MPDU, on average: single ones among long PPDUs hardly count.
    pub fn mpdus_beside_each(&self) -> f64 {
        self.together as f64 / self.mpdus.max(1) as f64
    }

    /// The mean rate, weighted by MPDUs, in Mbit/s; none if no rate is known.
    pub fn mean_mbps(&self) -> Option<f64> {
        let mpdus: u64 = self.speeds.iter().map(|used| used.mpdus).sum();
        let sum: f64 = self.speeds.iter().map(|used| used.speed.mbps * used.mpdus as f64).sum();
        (mpdus > 0).then(|| sum / mpdus as f64)
    }
}

/// The lengths of PPDUs, in octets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lengths {
    octets: f64,
    squares: f64,
    most: u32,
}

impl Lengths {
    fn add(&mut self, octets: u32) {
        self.octets += f64::from(octets);
        self.squares += f64::from(octets) * f64::from(octets);
        self.most = self.most.max(octets);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_again_since_its_ack_was_lost_arrived_once() {
        let mut traffic = Traffic::default();
        for (sequence, answered) in [(7, true), (7, true), (8, false), (8, true), (9, true)] {
            traffic.last = Some((Some(0), sequence));
            if answered {
                traffic.answered(true);
            }
        }
        assert_eq!((traffic.acked, traffic.acked_again), (4, 1));
    }

    #[test]
    fn a_retry_of_which_no_try_was_heard_before_shows_that_there_was_one() {
        let mut traffic = Traffic::default();
        for (sequence, retry) in [(7, false), (8, true), (8, true), (9, false), (9, true), (10, true)] {
            let head = [0x88, 1 | u8::from(retry) << 3, 0, 0];
            let frame = crate::link::frame_of(&[&head[..], &[2; 18], &[0; 2], &[6, 0]].concat());
            traffic.heard(0, 0, &frame, sequence, &Lately::default());
        }
        assert_eq!(traffic.first_as_retries, 2);
    }

    #[test]
    fn what_takes_ppdus_as_wholes_leaves_few_in_part() {
        let lost_as_wholes = |ppdus, lost_whole, lost_in_part| {
            LargePpdus { ppdus, lost_whole, lost_in_part, ..LargePpdus::default() }.lost_as_wholes()
        };
        assert!(lost_as_wholes(100, 40, 2) && lost_as_wholes(100, 30, 10));
        assert!(!lost_as_wholes(100, 20, 10), "noise takes parts");
        assert!(!lost_as_wholes(20, 10, 0), "too few tell nothing");
    }
}
