//! What a monitor knows of the network that it listens to: its channel, what its beacons tell, how long its exchanges
//! last, who sends QoS data.

use airloom_observe::{FrameKind, NodeId, Ppdu, RateInfo};
use airloom_scenario::{Adapter, Air, Band, Preamble, Scenario, SlotTime, Standard, Width};
use airloom_sim::{Duration, IndexVec};
use airloom_wifi::rate::Rate;
use airloom_wifi::{Phy, airtime};
use airloom_wire::ieee80211::{BssDescription, Capabilities, HtCapabilities, HtOperation};
use airloom_wire::radiotap::{Channel, ChannelFlags};
use airloom_world::air;

/// Rates in the first of the two elements that tell them (802.11-2020 9.4.2.3).
const FIRST_RATES: usize = 8;

/// How a node sends what is not data.
struct Habits {
    /// The rate of its control frames, if it pins it.
    control: Option<Rate>,
    /// The rate of its null frames.
    null: Rate,
    qos: bool,
}

/// See the module.
pub(super) struct Bss {
    phy: Phy,
    band: Band,
    capabilities: Capabilities,
    /// All rates below HT in units of 500 kbit/s, the high bit set in basic ones.
    rates: Vec<u8>,
    /// Whether its channel of 802.11n is a wide one.
    wide: Option<bool>,
    /// By node, for those with radios.
    habits: IndexVec<NodeId, Option<Habits>>,
}

impl Bss {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let air = &scenario.air;
        let basic = air.basic_rates.as_deref().unwrap_or_default();
        let octet = |rate| (rate / 500_000) as u8;
        let rates =
            air.rates().into_iter().map(|rate| octet(rate.as_bps()) | u8::from(basic.contains(&rate)) << 7);
        let flag = |on, bits: Capabilities| if on { bits.0 } else { 0 };
        let short_preamble = flag(air.preamble == Preamble::Short, Capabilities::SHORT_PREAMBLE);
        let short_slot = flag(air.slot == Some(SlotTime::Short), Capabilities::SHORT_SLOT);
        Self {
            phy: air::phy(air),
            band: air.band,
            capabilities: Capabilities(Capabilities::ESS.0 | short_preamble | short_slot),
            rates: rates.collect(),
            wide: (air.standard == Standard::N80211).then_some(air.width == Width::Mhz40),
            habits: scenario.nodes().map(|(_, role)| Some(habits(role.adapter()?, air))).collect(),
        }
    }

    /// Channel 6 or 36, and how a frame at this rate is modulated on it.
    pub(super) fn channel(&self, rate: RateInfo) -> Channel {
        match (self.band, rate) {
            (Band::Ghz5, _) => Channel { mhz: 5180, flags: ChannelFlags::OFDM | ChannelFlags::BAND_5GHZ },
            (Band::Ghz2, RateInfo::Dsss { .. }) => {
                Channel { mhz: 2437, flags: ChannelFlags::CCK | ChannelFlags::BAND_2GHZ }
            }
            (Band::Ghz2, _) => Channel { mhz: 2437, flags: ChannelFlags::OFDM | ChannelFlags::BAND_2GHZ },
        }
    }

    fn channel_number(&self) -> u8 {
        match self.band {
            Band::Ghz2 => 6,
            Band::Ghz5 => 36,
        }
    }

    /// All rates below HT as a beacon tells them.
    pub(super) fn rates(&self) -> Vec<u8> {
        self.rates.clone()
    }

    /// What a beacon sent at this time, in us, tells of the network that has these rates; `interval` in units of 1024 us.
    pub(super) fn description<'a>(
        &self,
        rates: &'a [u8],
        timestamp: u64,
        interval: u16,
    ) -> BssDescription<'a> {
        let mut mcs_set = [0; 16];
        mcs_set[..2].fill(0xff);
        let short_gi = HtCapabilities::SHORT_GI_20 | HtCapabilities::SHORT_GI_40;
        let (rates, extended_rates) = rates.split_at(rates.len().min(FIRST_RATES));
        BssDescription {
            timestamp,
            interval,
            capabilities: self.capabilities,
            ssid: b"airloom",
            rates,
            extended_rates,
            channel: (self.band == Band::Ghz2).then(|| self.channel_number()),
            ht_capabilities: self.wide.map(|wide| HtCapabilities {
                info: if wide { HtCapabilities::WIDE | short_gi } else { HtCapabilities::SHORT_GI_20 },
                mcs_set,
                ..HtCapabilities::default()
            }),
            // Secondary channel above, any width (802.11-2020 9.4.2.56).
            ht_operation: self.wide.map(|wide| HtOperation {
                primary_channel: self.channel_number(),
                info: [if wide { 0x05 } else { 0 }, 0, 0, 0, 0],
                ..HtOperation::default()
            }),
        }
    }

    /// Whether data between these two has a QoS control field.
    pub(super) fn is_qos(&self, ppdu: &Ppdu) -> bool {
        let qos = |node: NodeId| self.habits(node).is_some_and(|habits| habits.qos);
        qos(ppdu.from) && ppdu.to.is_some_and(qos)
    }

    /// The Duration/ID field in us: what follows in the exchange (802.11-2020 9.2.5). RTS and CTS are taken to announce a
    /// null frame, since nothing tells yet what they do announce.
    pub(super) fn duration(&self, ppdu: &Ppdu) -> u16 {
        let Some(to) = ppdu.to else { return 0 };
        let Some(rate) = Rate::of(ppdu.rate) else { return 0 };
        let response = |by, rate, bytes| self.phy.sifs + self.phy.ppdu(self.response_rate(by, rate), bytes);
        let null = |by: NodeId, to| {
            let rate = self.habits(by).map_or(rate, |habits| habits.null);
            let frame = self.phy.sifs + self.phy.ppdu(rate, airtime::NULL_BYTES);
            frame + response(to, rate, airtime::ACK_BYTES)
        };
        let follows = match ppdu.kind {
            FrameKind::Data | FrameKind::Null { .. } => response(to, rate, airtime::ACK_BYTES),
            FrameKind::Ampdu | FrameKind::BlockAckReq => response(to, rate, airtime::BLOCK_ACK_BYTES),
            FrameKind::Rts => response(to, rate, airtime::ACK_BYTES) + null(ppdu.from, to),
            FrameKind::Cts => null(to, ppdu.from),
            FrameKind::Ack | FrameKind::BlockAck | FrameKind::Beacon => Duration::ZERO,
        };
        follows.as_nanos().div_ceil(1000) as u16
    }

    fn response_rate(&self, by: NodeId, rate: Rate) -> Rate {
        let pinned = self.habits(by).and_then(|habits| habits.control);
        pinned.unwrap_or_else(|| self.phy.basic.response(rate))
    }

    fn habits(&self, node: NodeId) -> Option<&Habits> {
        self.habits[node].as_ref()
    }
}

fn habits(adapter: &Adapter, air: &Air) -> Habits {
    let control = adapter.control_rate.map(|rate| air::legacy(air, rate));
    Habits { control, null: control.unwrap_or(air::beacon(air, adapter)), qos: adapter.qos }
}
