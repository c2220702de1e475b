//! Measurements of a node: its radio and its queues.

use super::bus::BusMeter;
use super::mean::{Count, SampleMean, TimeMean};
use super::queue::QueueMeter;
use super::series::{Bin, Metric};
use super::signal::SignalMeter;
use airloom_observe::{
    BusFrame, Fate, FrameClass, FrameKind, HoldSpell, LossCause, Ppdu, QueueEvent, QueueLayer, RadioPlace,
    User,
};
use airloom_scenario::Role;
use airloom_sim::{Duration, Time};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub(super) struct NodeMeter {
    /// Whether its exchanges are counted as those of a station.
    pub(super) is_station: bool,
    /// The place of its channel among all, if it has a radio.
    pub(super) channel: Option<usize>,
    /// Data PPDUs, A-MPDUs or not.
    pub(super) ppdus: Count,
    pub(super) mpdus: Count,
    pub(super) retries: Count,
    pub(super) rate: SampleMean,
    /// The rates of A-MPDUs only: single MPDUs with which a rate control probes do not count.
    pub(super) ampdu_rate: SampleMean,
    /// The rates of A-MPDUs that were sent to it.
    pub(super) received_rate: SampleMean,
    /// Air time of frames that did not collide: those that ended in the bin, and what did not fit into the bins before.
    airtime: Duration,
    airtime_total: Duration,
    /// Of the two what counts no more.
    airtime_forgotten: Duration,
    /// Of one that has roamed, the share of what counts on each channel that it was on before, by the place of the channel.
    before: BTreeMap<usize, Duration>,
    /// Air time of a station's exchanges: of its frames, and of those that the access point sends to it.
    pub(super) exchanged: Duration,
    /// PPDUs sent, by class, and how many of them count no more.
    frames: [u64; FrameClass::WORDS.len()],
    frames_forgotten: [u64; FrameClass::WORDS.len()],
    /// MPDUs lost, by cause.
    pub(super) lost: [Count; LossCause::WORDS.len()],
    pub(super) discipline: QueueMeter,
    pub(super) driver: QueueMeter,
    /// Before the wire of a server; of an access point, what is dropped before its wires.
    pub(super) link: QueueMeter,
    /// Before the other end of a server's wire.
    pub(super) link_to: QueueMeter,
    pub(super) processor: QueueMeter,
    away: TimeMean,
    /// The signal of a station that has a place.
    pub(super) signal: SignalMeter,
    /// Its USB bus, if it has one.
    pub(super) bus: Option<BusMeter>,
}

impl NodeMeter {
    /// A new meter for a node of this role, on the channel at this place if it has a radio.
    pub(super) fn new(role: Role<'_>, channel: Option<usize>) -> Self {
        let mut meter = Self { is_station: matches!(role, Role::Station(_)), channel, ..Self::default() };
        if let Role::Station(station) = role
            && (station.scan.is_some() || station.roam.is_some())
        {
            meter.away.begin(Time::ZERO);
        }
        meter
    }

    /// It is on another channel from now on.
    pub(super) fn tune(&mut self, channel: Option<usize>) {
        if let Some(old) = self.channel {
            let here = self.beyond_others(self.airtime_total + self.airtime, old);
            self.before.insert(old, here);
        }
        self.channel = channel;
    }

    /// Its air time on a channel, as far as it counts, at the end of a bin.
    pub(super) fn airtime_on(&self, channel: usize) -> Duration {
        if self.channel != Some(channel) {
            return self.before.get(&channel).copied().unwrap_or_default();
        }
        self.beyond_others(self.airtime_total, channel)
    }

    /// What counts of this air time beyond that on other channels.
    fn beyond_others(&self, airtime: Duration, channel: usize) -> Duration {
        let others = self.before.iter().filter(|(place, _)| **place != channel);
        let elsewhere: Duration = others.map(|(_, &airtime)| airtime).sum();
        airtime.saturating_sub(self.airtime_forgotten + elsewhere)
    }

    /// A PPDU that it has sent.
    #[inline]
    pub(super) fn ppdu(&mut self, ppdu: &Ppdu, on_air: Duration) {
        self.frames[ppdu.kind.class().index()] += 1;
        if ppdu.users.iter().any(|user| user.fate != Fate::Collided) {
            self.airtime += on_air;
        }
        self.ppdus.add(ppdu.kind.is_data().into());
    }

    /// Data in such a PPDU for one of its users, at its rate.
    #[inline]
    pub(super) fn data(&mut self, kind: FrameKind, user: &User, mbps: f64) {
        self.mpdus.add(u64::from(user.mpdus));
        self.retries.add(u64::from(user.retries));
        self.rate.add(mbps);
        if kind == FrameKind::Ampdu {
            self.ampdu_rate.add(mbps);
        }
    }

    pub(super) fn mpdu_lost(&mut self, cause: LossCause) {
        self.lost[cause.index()].add(1);
    }

    #[inline(always)]
    pub(super) fn queue(&mut self, now: Time, layer: QueueLayer, event: &QueueEvent) {
        let queue = match layer {
            QueueLayer::Discipline => &mut self.discipline,
            QueueLayer::Driver => &mut self.driver,
            QueueLayer::Link => &mut self.link,
            QueueLayer::LinkTo => &mut self.link_to,
            QueueLayer::Processor => &mut self.processor,
        };
        queue.event(now, event);
    }

    /// Where its radio is from now on. It was at home from the beginning.
    pub(super) fn radio(&mut self, now: Time, place: RadioPlace) {
        self.away.begin(Time::ZERO);
        self.away.set(now, f64::from(u8::from(place == RadioPlace::Away)));
    }

    pub(super) fn bus(&mut self, frame: &BusFrame) {
        self.bus.get_or_insert_default().frame(frame);
    }

    pub(super) fn hold(&mut self, spell: &HoldSpell) {
        self.bus.get_or_insert_default().holds.push(*spell);
    }

    /// The run is over: what fits into no bin, as the time of a frame that ends with the run, counts in the whole.
    pub(super) fn end(&mut self) {
        self.airtime_total += std::mem::take(&mut self.airtime);
    }

    /// Air time of frames that did not collide, as far as it counts.
    pub(super) fn airtime(&self) -> Duration {
        self.airtime_total.saturating_sub(self.airtime_forgotten)
    }

    /// PPDUs sent, by class, as far as they count.
    pub(super) fn frames(&self) -> [u64; FrameClass::WORDS.len()] {
        std::array::from_fn(|class| self.frames[class] - self.frames_forgotten[class])
    }

    /// What was before `now` counts in the series alone.
    pub(super) fn forget(&mut self, now: Time) {
        let counts = [&mut self.ppdus, &mut self.mpdus, &mut self.retries].into_iter();
        counts.chain(&mut self.lost).for_each(Count::forget);
        for rate in [&mut self.rate, &mut self.ampdu_rate, &mut self.received_rate] {
            rate.forget();
        }
        self.airtime_forgotten = self.airtime_total + self.airtime;
        self.before.clear();
        self.exchanged = Duration::ZERO;
        self.frames_forgotten = self.frames;
        let wire = [&mut self.link, &mut self.link_to];
        let queues = [&mut self.discipline, &mut self.driver, &mut self.processor].into_iter();
        queues.chain(wire).for_each(|queue| queue.forget(now));
        self.signal.forget(now);
        if let Some(bus) = &mut self.bus {
            bus.forget();
        }
    }

    pub(super) fn close_bin(&mut self, start: Time, end: Time, entity: u16, bin: &mut Bin) {
        let (time, length) = (start.as_secs_f64(), end.since(start).as_secs_f64());
        // A frame is seen as it ends, and may be longer than a bin.
        let airtime = self.airtime.min(end.since(start));
        self.airtime = self.airtime.saturating_sub(airtime);
        self.airtime_total += airtime;
        let (ppdus, mpdus) = (self.ppdus.take(), self.mpdus.take());
        let radio = self.frames.iter().any(|&n| n > 0);
        let mut push = |metric, value| bin.push(time, entity, metric, value);
        push(Metric::Ampdus, radio.then(|| ppdus / length));
        push(Metric::MpdusPerAmpdu, (ppdus > 0.0).then(|| mpdus / ppdus));
        push(Metric::MacRate, self.rate.take());
        push(Metric::ReceivedRate, self.received_rate.take());
        self.ampdu_rate.take();
        push(Metric::MpduRetries, radio.then_some(self.retries.take() / length));
        let lost: f64 = self.lost.iter_mut().map(Count::take).sum();
        push(Metric::MpduLosses, radio.then(|| lost / length));
        push(Metric::Airtime, radio.then(|| airtime.as_secs_f64() / length));
        let [depth, sojourn] = self.discipline.take(start, end);
        push(Metric::Queue, depth.or(radio.then_some(0.0)));
        let queues = [&mut self.discipline, &mut self.link, &mut self.processor].into_iter();
        let drops: f64 = queues.map(QueueMeter::take_drops).sum();
        push(Metric::QueueDrops, Some(drops / length));
        push(Metric::Sojourn, sojourn);
        let [depth, _] = self.driver.take(start, end);
        push(Metric::DriverQueue, depth);
        self.processor.take(start, end);
        let wire = [
            (&mut self.link, Metric::LinkQueue, Metric::LinkSojourn),
            (&mut self.link_to, Metric::LinkToQueue, Metric::LinkToSojourn),
        ];
        for (queue, of_depth, of_sojourn) in wire {
            let [depth, sojourn] = queue.take(start, end);
            push(of_depth, depth);
            push(of_sojourn, sojourn);
        }
        push(Metric::Away, self.away.take(start, end));
        push(Metric::Signal, self.signal.take(start, end));
        if let Some(bus) = &mut self.bus {
            bus.close_bin(length, push);
        }
    }
}
