//! Measurements of each link of a node that has several at once.

use super::mean::{Count, SampleMean};
use super::series::{Bin, Metric};
use crate::summary;
use airloom_observe::{Fate, NodeId, Ppdu};
use airloom_scenario::{NodeLink, Scenario};
use airloom_sim::{Duration, IndexVec, Time};

/// The links of all nodes; none where nobody has several.
pub(super) struct Links {
    /// In the order of their rows.
    all: Vec<LinkMeter>,
    /// For each node by the number of the link at its access point: the place of its channel, and that of its meter if it has several.
    of: IndexVec<NodeId, Vec<(usize, Option<usize>)>>,
}

/// What a link carries of what its node sends.
struct LinkMeter {
    link: NodeLink,
    ppdus: Count,
    mpdus: Count,
    retries: Count,
    rate: SampleMean,
    /// Air time of frames that did not collide: those that ended in the bin, and what did not fit into the bins before.
    airtime: Duration,
    airtime_total: Duration,
    /// Of the two what counts no more.
    airtime_forgotten: Duration,
}

impl Links {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let all: Vec<LinkMeter> = scenario.node_links().into_iter().map(LinkMeter::new).collect();
        let place = |node: NodeId, number: usize| {
            all.iter().position(|meter| meter.link.node == node && usize::from(meter.link.number) == number)
        };
        let channels = |(node, role)| {
            let channels = scenario.channels_of_links(role);
            channels.into_iter().enumerate().map(|(number, channel)| (channel, place(node, number))).collect()
        };
        let of = if all.is_empty() { IndexVec::default() } else { scenario.nodes().map(channels).collect() };
        Self { all, of }
    }

    /// How many rows they have.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The place of the channel of a frame, where its sender or that one's access point has several.
    #[cold]
    #[inline(never)]
    pub(super) fn channel(&self, ppdu: &Ppdu) -> Option<usize> {
        Some(self.of.get(ppdu.from)?.get(usize::from(ppdu.link))?.0)
    }

    /// A PPDU that was on the air for so long.
    #[cold]
    #[inline(never)]
    pub(super) fn ppdu(&mut self, ppdu: &Ppdu, on_air: Duration) {
        let of = self.of.get(ppdu.from).and_then(|links| links.get(usize::from(ppdu.link)));
        let Some(&(_, Some(place))) = of else { return };
        let meter = &mut self.all[place];
        if ppdu.users.iter().any(|user| user.fate != Fate::Collided) {
            meter.airtime += on_air;
        }
        if !ppdu.kind.is_data() {
            return;
        }
        meter.ppdus.add(1);
        for user in &ppdu.users {
            meter.mpdus.add(u64::from(user.mpdus));
            meter.retries.add(u64::from(user.retries));
            meter.rate.add(user.rate.bit_rate().as_mbps_f64());
        }
    }

    /// Whether a node has several, so that its air time is that of these.
    pub(super) fn has_several(&self, node: NodeId) -> bool {
        self.all.iter().any(|meter| meter.link.node == node)
    }

    /// The air time on a channel of nodes that have several, as far as it counts.
    pub(super) fn airtimes_on(&self, channel: usize) -> impl Iterator<Item = Duration> {
        self.all.iter().filter(move |meter| meter.link.channel == channel).map(LinkMeter::airtime)
    }

    /// What was before now counts in the series alone.
    pub(super) fn forget(&mut self) {
        for meter in &mut self.all {
            [&mut meter.ppdus, &mut meter.mpdus, &mut meter.retries].into_iter().for_each(Count::forget);
            meter.rate.forget();
            meter.airtime_forgotten = meter.airtime_total + meter.airtime;
        }
    }

    /// The rows of a bin, the first of this entity.
    pub(super) fn close_bin(&mut self, start: Time, end: Time, entity: usize, bin: &mut Bin) {
        for (n, meter) in self.all.iter_mut().enumerate() {
            meter.close_bin(start, end, (entity + n) as u16, bin);
        }
    }

    /// The run is over.
    pub(super) fn end(&mut self) {
        for meter in &mut self.all {
            meter.airtime_total += std::mem::take(&mut meter.airtime);
        }
    }

    /// Those of a node over the whole run, of which so many seconds were measured.
    pub(super) fn summary(&self, node: NodeId, measured: f64) -> Option<Vec<summary::Link>> {
        let own = self.all.iter().filter(|meter| meter.link.node == node);
        let links: Vec<_> = own.map(|meter| meter.summary(measured)).collect();
        (!links.is_empty()).then_some(links)
    }
}

impl LinkMeter {
    fn new(link: NodeLink) -> Self {
        let (ppdus, mpdus, retries, rate) = Default::default();
        let (airtime, airtime_total, airtime_forgotten) = Default::default();
        Self { link, ppdus, mpdus, retries, rate, airtime, airtime_total, airtime_forgotten }
    }

    /// Air time of frames that did not collide, as far as it counts.
    fn airtime(&self) -> Duration {
        self.airtime_total.saturating_sub(self.airtime_forgotten)
    }

    fn close_bin(&mut self, start: Time, end: Time, entity: u16, bin: &mut Bin) {
        let (time, length) = (start.as_secs_f64(), end.since(start).as_secs_f64());
        // A frame is seen as it ends, and may be longer than a bin.
        let airtime = self.airtime.min(end.since(start));
        self.airtime = self.airtime.saturating_sub(airtime);
        self.airtime_total += airtime;
        let (ppdus, mpdus) = (self.ppdus.take(), self.mpdus.take());
        let mut push = |metric, value| bin.push(time, entity, metric, value);
        push(Metric::Ampdus, Some(ppdus / length));
        push(Metric::MpdusPerAmpdu, (ppdus > 0.0).then(|| mpdus / ppdus));
        push(Metric::MacRate, self.rate.take());
        push(Metric::MpduRetries, Some(self.retries.take() / length));
        push(Metric::Airtime, Some(airtime.as_secs_f64() / length));
    }

    fn summary(&self, measured: f64) -> summary::Link {
        let (ppdus, mpdus) = (self.ppdus.total(), self.mpdus.total());
        summary::Link {
            name: self.link.name.clone(),
            band: self.link.band.name().to_owned(),
            channel: self.link.primary,
            width: self.link.width.name().to_owned(),
            ampdus: ppdus,
            mpdus,
            mpdus_per_ampdu: (ppdus > 0).then(|| mpdus as f64 / ppdus as f64),
            mac_rate_mbps: self.rate.overall(),
            mpdu_retries: self.retries.total(),
            airtime_share: self.airtime().as_secs_f64() / measured,
        }
    }
}
