//! What the captures show over time, layer by layer, for a page to draw: as many numbers for an hour as for a minute.

use crate::datagrams::{self, StreamLayers};
use crate::evidence::Evidence;
use crate::flow::{Flow, flows_everywhere};
use crate::grid::Grid;
use crate::line::Line;
use crate::link::links;
use crate::pings::{self, PingLayers};
use crate::ppdus::tells_together;
use airloom_trace::tcp::{Trigger, Vantage};
use airloom_trace::{Air, Bin, Bins, MacAddr, Traffic};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The most flows, and the most stations, that have a line of their own: those that move most.
const MOST: usize = 64;
/// A flow with less than this share of all octets is not told by itself.
const MIN_SHARE: f64 = 0.002;

/// All layers over one axis of time.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Layers {
    /// From the first record of all captures to the last, in seconds.
    pub length_s: f64,
    /// The width of a bin in seconds; the first begins at zero.
    pub width_s: f64,
    /// The flows that carry most, the largest first.
    pub flows: Vec<FlowLayers>,
    /// How many flows carry the rest, and what they deliver together in Mbit/s.
    pub small_flows: usize,
    /// See `small_flows`.
    pub small_goodput: Line,
    /// The streams of UDP that carry most, the largest first, and the others together behind them.
    pub streams: Vec<StreamLayers>,
    /// ICMP echo between hosts, the pairs with most requests first.
    pub pings: Vec<PingLayers>,
    /// The air; none without a capture of it.
    pub air: Option<AirLayers>,
}

/// A flow over time.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct FlowLayers {
    /// Address and port of the end that sends.
    pub from: String,
    /// Address and port of the other.
    pub to: String,
    /// Octets of payload.
    pub octets: u64,
    /// Octets of payload in a full segment.
    pub segment: u32,
    /// Mbit/s that the receiver acknowledged.
    pub goodput: Line,
    /// Whether the capture was made at the receiver, so that no round trip of the way shows.
    pub at_receiver: bool,
    /// Round trips in ms from the place of the capture: their mean, and the longest.
    pub rtt: Line,
    /// See `rtt`.
    pub rtt_most: Line,
    /// The mean of those to the sender and back, where the capture was made elsewhere.
    pub rtt_sender: Line,
    /// What is outstanding at the sender in kB, the mean.
    pub flight: Line,
    /// Segments that were sent again, by what made the sender send them: bins with their number.
    pub again: BTreeMap<&'static str, Vec<(usize, f64)>>,
}

/// The air over time. Shares are of the time, in percent.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct AirLayers {
    /// Stations that hold the air longest, the longest first.
    pub stations: Vec<StationLayers>,
    /// How many other stations there are, and the share of their data.
    pub small_stations: usize,
    /// See `small_stations`.
    pub small_share: Line,
    /// The share of data in other networks than that of the busiest access point.
    pub foreign_share: Line,
    /// The share of control frames.
    pub control_share: Line,
    /// The share of beacons and other management frames.
    pub management_share: Line,
    /// The share of everything that was heard.
    pub busy_share: Line,
    /// The busiest access point.
    pub network: Option<String>,
}

/// A station over time.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct StationLayers {
    /// Its address.
    pub mac: String,
    /// Whether it belongs to another network.
    pub foreign: bool,
    /// Its share of the time, with data to it and from it.
    pub share: Line,
    /// Its signal at the monitor in dBm.
    pub signal: Line,
    /// Data from it and to it.
    pub up: Option<LinkLayers>,
    /// See `up`.
    pub down: Option<LinkLayers>,
}

/// Data from a radio to another over time.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct LinkLayers {
    /// The mean rate of its PPDUs in Mbit/s.
    pub rate: Line,
    /// The share of MPDUs with the retry bit, in percent.
    pub retries: Line,
    /// MPDUs in a PPDU, on average.
    pub size: Line,
    /// MPDUs: a mean over some time is of these, each as often as it was sent.
    pub mpdus: Line,
}

impl Layers {
    /// The layers of all captures.
    pub fn of(evidence: &Evidence) -> Self {
        let ends = evidence.captures.iter().enumerate().filter_map(|(at, one)| Some((at, one.span_ns?.1)));
        let length_s = ends.map(|(at, last)| evidence.seconds_in(at, last)).fold(0.0, f64::max);
        let grid = Grid::of(length_s);
        let mut all = flows_everywhere(evidence);
        all.sort_by_key(|flow| std::cmp::Reverse(flow.data().octets));
        let whole: u64 = all.iter().map(|flow| flow.data().octets).sum();
        let large = all
            .iter()
            .take(MOST)
            .filter(|flow| flow.data().octets as f64 >= MIN_SHARE * whole as f64)
            .count();
        let small = all.split_off(large);
        let mut sum = vec![Bin::default(); grid.count];
        for flow in &small {
            sum.iter_mut()
                .zip(&grid.take(evidence, flow.capture, &flow.data().delivered))
                .for_each(|(sum, bin)| sum.merge(bin));
        }
        Self {
            length_s,
            width_s: grid.width_s,
            flows: all.iter().map(|flow| flow_layers(evidence, &grid, flow)).collect(),
            small_flows: small.len(),
            small_goodput: Line::sums(&sum, 8e-6 / grid.width_s),
            streams: datagrams::layers(evidence, &grid),
            pings: pings::layers(evidence, &grid),
            air: evidence.air.as_ref().map(|(_, air)| air_layers(evidence, &grid, air)),
        }
    }
}

fn flow_layers(evidence: &Evidence, grid: &Grid, flow: &Flow<'_>) -> FlowLayers {
    let data = flow.data();
    let take = |bins: &Bins| grid.take(evidence, flow.capture, bins);
    let trips = take(&flow.data().trips.to_receiver().over_time);
    let again = |trigger: Trigger| {
        let bins = data.retransmissions.over_time(trigger).map(take).unwrap_or_default();
        let some = bins.iter().enumerate().filter(|(_, bin)| bin.count > 0);
        some.map(|(place, bin)| (place, bin.sum)).collect::<Vec<_>>()
    };
    FlowLayers {
        from: flow.connection.ends[flow.from].to_string(),
        to: flow.connection.ends[1 - flow.from].to_string(),
        octets: data.octets,
        segment: data.segment(),
        goodput: Line::sums(&take(&data.delivered), 8e-6 / grid.width_s),
        at_receiver: flow.connection.vantage(flow.from) == Vantage::Receiver,
        rtt: Line::means(&trips),
        rtt_most: Line::of(&trips, |bin| (bin.count > 0).then_some(bin.most)),
        rtt_sender: if flow.connection.vantage(flow.from) == Vantage::Sender {
            Line(vec![None; trips.len()])
        } else {
            Line::means(&take(&data.trips.to_sender.over_time))
        },
        flight: Line(
            Line::means(&take(&data.limits.flight))
                .0
                .into_iter()
                .map(|octets| octets.map(|o| o / 1e3))
                .collect(),
        ),
        again: Trigger::ALL
            .map(|trigger| (trigger.name(), again(trigger)))
            .into_iter()
            .filter(|(_, bins)| !bins.is_empty())
            .collect(),
    }
}

/// The data of a station, to it and from it.
#[derive(Default)]
struct Both<'a> {
    up: Option<&'a Traffic>,
    down: Option<&'a Traffic>,
    ap: Option<MacAddr>,
}

impl<'a> Both<'a> {
    fn each(&self) -> impl Iterator<Item = &'a Traffic> {
        self.up.into_iter().chain(self.down)
    }

    fn airtime_ns(&self) -> u64 {
        self.each().map(|traffic| traffic.airtime_ns).sum()
    }
}

fn air_layers(evidence: &Evidence, grid: &Grid, air: &Air) -> AirLayers {
    let take = |bins: &Bins| grid.take(evidence, evidence.reference(), bins);
    let percent = 1e-7 / grid.width_s;
    let share = |bins: &[Bin]| Line::of(bins, |bin| Some(percent * bin.sum));
    let mut stations: BTreeMap<MacAddr, Both<'_>> = BTreeMap::new();
    let mut networks: BTreeMap<MacAddr, u64> = BTreeMap::new();
    for link in links(air, 1) {
        let ap = if link.is_up() { link.to } else { link.from };
        *networks.entry(ap.mac).or_default() += link.traffic.airtime_ns.max(1);
        let both = stations.entry(link.station().mac).or_default();
        *(if link.is_up() { &mut both.up } else { &mut both.down }) = Some(link.traffic);
        both.ap = Some(ap.mac);
    }
    let network = networks.iter().max_by_key(|one| one.1).map(|one| *one.0);
    let mut order: Vec<_> = stations.into_iter().collect();
    order.sort_by_key(|(_, both)| std::cmp::Reverse(both.airtime_ns()));
    let held = |of: &[&Both<'_>]| {
        let mut sum = vec![Bin::default(); grid.count];
        for traffic in of.iter().flat_map(|both| both.each()) {
            sum.iter_mut().zip(&take(&traffic.over_time.airtime)).for_each(|(sum, bin)| sum.merge(bin));
        }
        share(&sum)
    };
    let foreign = |both: &Both<'_>| both.ap != network;
    let small: Vec<_> = order.iter().skip(MOST).map(|one| &one.1).filter(|both| !foreign(both)).collect();
    let others: Vec<_> = order.iter().map(|one| &one.1).filter(|both| foreign(both)).collect();
    let link = |traffic: &Traffic| {
        let (sizes, retries) = (take(&traffic.over_time.sizes), take(&traffic.over_time.retries));
        let shares = sizes.iter().zip(&retries);
        LinkLayers {
            rate: Line::means(&take(&traffic.over_time.phy)),
            retries: Line(
                shares.map(|(all, again)| (all.sum > 0.0).then(|| 100.0 * again.sum / all.sum)).collect(),
            ),
            size: if tells_together(air, traffic) {
                Line::means(&sizes)
            } else {
                Line(vec![None; sizes.len()])
            },
            mpdus: Line::of(&sizes, |bin| (bin.count > 0).then_some(bin.sum)),
        }
    };
    let station = |(mac, both): &(MacAddr, Both<'_>)| StationLayers {
        mac: mac.to_string(),
        foreign: foreign(both),
        share: held(&[both]),
        signal: Line::means(&air.radio(*mac).map(|radio| take(&radio.signal)).unwrap_or_default()),
        up: both.up.map(link),
        down: both.down.map(link),
    };
    AirLayers {
        stations: order.iter().take(MOST).map(station).collect(),
        small_stations: order.len().saturating_sub(MOST),
        small_share: held(&small),
        foreign_share: held(&others),
        control_share: share(&take(&air.control)),
        management_share: share(&take(&air.management)),
        busy_share: share(&take(&air.busy)),
        network: network.map(|mac| mac.to_string()),
    }
}
