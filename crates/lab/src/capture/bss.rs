//! The network as a monitor knows it: its channel, the content of its beacons, and which nodes send QoS data.

use airloom_observe::{NodeId, Ppdu};
use airloom_rate::{Preamble, Rate, Width};
use airloom_scenario::{Adapter, Band, Scenario, SlotTime};
use airloom_sim::{BitRate, IndexVec};
use airloom_wire::ieee80211::{BssDescription, Capabilities, HtCapabilities, HtOperation};
use airloom_wire::radiotap::{Channel, ChannelFlags};

/// Rates in the first of the two elements for rates (802.11-2020 9.4.2.3).
const FIRST_RATES: usize = 8;

/// See the module.
pub(super) struct Bss {
    band: Band,
    capabilities: Capabilities,
    /// All rates below HT in units of 500 kbit/s, the high bit set in basic ones.
    rates: Vec<u8>,
    /// Its access point's capabilities of 802.11n.
    ht: Option<HtCapabilities>,
    /// Whether a node sends QoS data.
    qos: IndexVec<NodeId, bool>,
}

impl Bss {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let air = &scenario.air;
        let basic = air.basic_rates.as_deref().unwrap_or_default();
        let octet = |rate: BitRate| (rate.as_bps() / 500_000) as u8 | u8::from(basic.contains(&rate)) << 7;
        let flag = |on, bits: Capabilities| if on { bits.0 } else { 0 };
        let short_preamble = flag(air.preamble == Preamble::Short, Capabilities::SHORT_PREAMBLE);
        let short_slot = flag(air.slot == Some(SlotTime::Short), Capabilities::SHORT_SLOT);
        Self {
            band: air.band,
            capabilities: Capabilities(Capabilities::ESS.0 | short_preamble | short_slot),
            rates: air.rates().into_iter().map(|rate| octet(rate.bit_rate())).collect(),
            ht: (air.standard.format().is_some() && air.band != Band::Ghz6)
                .then(|| ht(air.width, &scenario.access_point().1.adapter)),
            qos: scenario
                .nodes()
                .map(|(_, role)| role.adapter().is_some_and(|adapter| adapter.qos))
                .collect(),
        }
    }

    /// Channel 6, 36 or, at 6 GHz, 5, and how a frame at this rate is modulated on it.
    pub(super) fn channel(&self, rate: Rate) -> Channel {
        match (self.band, rate) {
            (Band::Ghz6, _) => Channel { mhz: 5975, flags: ChannelFlags::OFDM },
            (Band::Ghz5, _) => Channel { mhz: 5180, flags: ChannelFlags::OFDM | ChannelFlags::BAND_5GHZ },
            (Band::Ghz2, Rate::Dsss(_)) => {
                Channel { mhz: 2437, flags: ChannelFlags::CCK | ChannelFlags::BAND_2GHZ }
            }
            (Band::Ghz2, _) => Channel { mhz: 2437, flags: ChannelFlags::OFDM | ChannelFlags::BAND_2GHZ },
        }
    }

    fn channel_number(&self) -> u8 {
        match self.band {
            Band::Ghz2 => 6,
            Band::Ghz5 => 36,
            Band::Ghz6 => 5,
        }
    }

    /// All rates below HT as a beacon lists them.
    pub(super) fn rates(&self) -> Vec<u8> {
        self.rates.clone()
    }

    /// A beacon's description of the network with these rates, sent at this time in us; `interval` in units of 1024 us.
    pub(super) fn description<'a>(
        &self,
        rates: &'a [u8],
        timestamp: u64,
        interval: u16,
    ) -> BssDescription<'a> {
        let (rates, extended_rates) = rates.split_at(rates.len().min(FIRST_RATES));
        BssDescription {
            timestamp,
            interval,
            capabilities: self.capabilities,
            ssid: b"airloom",
            rates,
            extended_rates,
            channel: (self.band == Band::Ghz2).then(|| self.channel_number()),
            ht_capabilities: self.ht,
            // Secondary channel above, any width (802.11-2020 9.4.2.56).
            ht_operation: self.ht.map(|ht| HtOperation {
                primary_channel: self.channel_number(),
                info: [if ht.info & HtCapabilities::WIDE != 0 { 0x05 } else { 0 }, 0, 0, 0, 0],
                ..HtOperation::default()
            }),
        }
    }

    /// Whether data between these two has a QoS control field.
    pub(super) fn is_qos(&self, ppdu: &Ppdu) -> bool {
        self.qos[ppdu.from] && ppdu.to.is_some_and(|to| self.qos[to])
    }
}

/// What an access point advertises: the channel's width, its adapter's streams and short guard interval.
fn ht(width: Width, adapter: &Adapter) -> HtCapabilities {
    let (wide, short_gi) = match width {
        Width::Mhz20 => (0, HtCapabilities::SHORT_GI_20),
        Width::Mhz40 | Width::Mhz80 | Width::Mhz160 => {
            (HtCapabilities::WIDE, HtCapabilities::SHORT_GI_20 | HtCapabilities::SHORT_GI_40)
        }
    };
    let mut mcs_set = [0; 16];
    mcs_set[..usize::from(adapter.streams)].fill(0xff);
    let info = wide | if adapter.short_gi { short_gi } else { 0 };
    HtCapabilities { info, mcs_set, ..HtCapabilities::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_scenario::load;

    /// What an access point with this adapter, among stations with two streams and the short guard interval, advertises at
    /// this width: the capabilities' information and the first two octets of its MCS set.
    fn advertised(adapter: &str, width: &str) -> (u16, [u8; 2]) {
        let text = format!(
            r#"
            title = "A test"
            duration = "1 s"
            air = {{ standard = "802.11n", band = "5 GHz", width = "{width}" }}
            [[ap]]
            name = "ap"
            adapter = {adapter}
            [[station]]
            name = "sta"
            host = "linux-6.18"
            adapter = {{ profile = "ath9k", streams = 2, short_gi = true }}
            snr = "40 dB"
            "#
        );
        let scenario = load(&text, "bss.toml", &[], None).unwrap_or_else(|e| panic!("{e}"));
        let bss = Bss::new(&scenario);
        let ht = bss.description(&bss.rates(), 0, 100).ht_capabilities.expect("one of 802.11n");
        (ht.info, [ht.mcs_set[0], ht.mcs_set[1]])
    }

    #[test]
    fn a_beacon_advertises_what_the_access_point_itself_can_do() {
        // 802.11-2020 9.4.2.55.2: 40 MHz is bit 1, the short guard interval bit 5 at 20 MHz and bit 6 at 40 MHz.
        for (streams, short, width, expected) in [
            (1, false, "20 MHz", (0x00, [0xff, 0])),
            (1, true, "20 MHz", (0x20, [0xff, 0])),
            (2, false, "40 MHz", (0x02, [0xff, 0xff])),
            (2, true, "40 MHz", (0x62, [0xff, 0xff])),
        ] {
            let adapter = format!(r#"{{ profile = "ath9k", streams = {streams}, short_gi = {short} }}"#);
            assert_eq!(advertised(&adapter, width), expected, "{adapter} at {width}");
        }
    }
}
