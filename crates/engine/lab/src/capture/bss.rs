//! The network as a monitor knows it: its channel, the content of its beacons, and which nodes send QoS data.

use airloom_observe::NodeId;
use airloom_rate::{Preamble, Rate, Width};
use airloom_scenario::{Adapter, Air, Band, Format, Scenario, SlotTime};
use airloom_sim::{BitRate, IndexVec};
use airloom_wifi::{Access, Category, Edca};
use airloom_wire::ieee80211::{
    AcParameters, BssDescription, Capabilities, EdcaParameters, HeCapabilities, HeOperation, HtCapabilities,
    HtOperation, McsMap, VhtCapabilities, VhtOperation,
};
use airloom_wire::radiotap::{Channel, ChannelFlags};

/// Rates in the first of the two elements for rates (802.11-2020 9.4.2.3).
const FIRST_RATES: usize = 8;

/// See the module.
pub(super) struct Bss {
    band: Band,
    capabilities: Capabilities,
    /// All rates below HT in units of 500 kbit/s, the high bit set in basic ones.
    rates: Vec<u8>,
    /// How its stations contend, if its access point has QoS.
    edca: Option<EdcaParameters>,
    /// Its access point's capabilities of 802.11n.
    ht: Option<HtCapabilities>,
    /// The same of 802.11ac, and where in the band the channel is.
    vht: Option<(VhtCapabilities, VhtOperation)>,
    /// The same of 802.11ax.
    he: Option<(HeCapabilities, HeOperation)>,
    /// Whether a node sends QoS data.
    qos: IndexVec<NodeId, bool>,
}

impl Bss {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let ap = scenario.access_point().1;
        let (air, adapter) = (&scenario.air, &ap.adapter);
        let format = air.standard.format();
        let basic = air.basic_rates.as_deref().unwrap_or_default();
        let octet = |rate: BitRate| (rate.as_bps() / 500_000) as u8 | u8::from(basic.contains(&rate)) << 7;
        let flag = |on, bits: Capabilities| if on { bits.0 } else { 0 };
        let short_preamble = flag(air.preamble == Preamble::Short, Capabilities::SHORT_PREAMBLE);
        let short_slot = flag(air.slot == Some(SlotTime::Short), Capabilities::SHORT_SLOT);
        Self {
            band: air.band,
            capabilities: Capabilities(Capabilities::ESS.0 | short_preamble | short_slot),
            rates: air.rates().into_iter().map(|rate| octet(rate.bit_rate())).collect(),
            edca: adapter.qos.then(|| edca(ap.told())),
            ht: (format.is_some() && air.band != Band::Ghz6).then(|| ht(air.width, adapter)),
            vht: (format >= Some(Format::Vht) && air.band == Band::Ghz5)
                .then(|| (vht_capabilities(air.width, adapter), vht_operation(air.width))),
            he: (format >= Some(Format::He)).then(|| (he_capabilities(air, adapter), he_operation(air))),
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
            edca: self.edca,
            ht_capabilities: self.ht,
            // Secondary channel above, any width (802.11-2020 9.4.2.56).
            ht_operation: self.ht.map(|ht| HtOperation {
                primary_channel: self.channel_number(),
                info: [if ht.info & HtCapabilities::WIDE != 0 { 0x05 } else { 0 }, 0, 0, 0, 0],
                ..HtOperation::default()
            }),
            vht_capabilities: self.vht.map(|(capabilities, _)| capabilities),
            vht_operation: self.vht.map(|(_, operation)| operation),
            he_capabilities: self.he.map(|(capabilities, _)| capabilities),
            he_operation: self.he.map(|(_, operation)| operation),
        }
    }

    /// Whether data between these two has a QoS control field.
    pub(super) fn is_qos(&self, from: NodeId, to: Option<NodeId>) -> bool {
        self.qos[from] && to.is_some_and(|to| self.qos[to])
    }
}

/// What an access point tells its stations of contention.
fn edca(told: Edca) -> EdcaParameters {
    let exponent = |window: u32| (window + 1).ilog2() as u8;
    let categories = [Category::BestEffort, Category::Background, Category::Video, Category::Voice];
    let categories = categories.map(|category| {
        let Access { aifsn, cw_min, cw_max, txop } = told[category];
        AcParameters {
            aifsn: aifsn as u8,
            ecw_min: exponent(cw_min),
            ecw_max: exponent(cw_max),
            txop_limit: (txop.as_micros() / 32) as u16,
        }
    });
    EdcaParameters { qos_info: 0, categories }
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
    mcs_set[..usize::from(adapter.capabilities.streams)].fill(0xff);
    let info = wide | if adapter.capabilities.short_gi { short_gi } else { 0 };
    HtCapabilities { info, mcs_set, ..HtCapabilities::default() }
}

/// The same of 802.11ac: MCS 0 to 9 on each stream.
fn vht_capabilities(width: Width, adapter: &Adapter) -> VhtCapabilities {
    let flag = |on: bool, bits: u32| if on { bits } else { 0 };
    let wide = width == Width::Mhz160;
    let mpdu = match adapter.aggregation.mpdu_bytes {
        0..=3895 => 0,
        3896..=7991 => VhtCapabilities::MIDDLE_MPDU,
        _ => VhtCapabilities::LONG_MPDU,
    };
    let info = mpdu
        | VhtCapabilities::LONG_AMPDU
        | flag(wide, VhtCapabilities::WIDE)
        | flag(adapter.capabilities.ldpc, VhtCapabilities::LDPC)
        | flag(adapter.capabilities.short_gi, VhtCapabilities::SHORT_GI_80)
        | flag(adapter.capabilities.short_gi && wide, VhtCapabilities::SHORT_GI_160);
    let map = McsMap::of(adapter.capabilities.streams, 2);
    VhtCapabilities { info, receives: map, sends: map }
}

/// Around channel 36 (802.11-2020 table E-4).
fn vht_operation(width: Width) -> VhtOperation {
    let (code, centres) = match width {
        Width::Mhz20 | Width::Mhz40 => (0, [0, 0]),
        Width::Mhz80 => (1, [42, 0]),
        Width::Mhz160 => (1, [42, 50]),
    };
    VhtOperation { width: code, centres, basic: McsMap::of(1, 0) }
}

/// The same of 802.11ax: MCS 0 to 11 on each stream.
fn he_capabilities(air: &Air, adapter: &Adapter) -> HeCapabilities {
    let widths = match (air.band, air.width) {
        (Band::Ghz2, Width::Mhz20) => 0,
        (Band::Ghz2, _) => HeCapabilities::WIDTH_40,
        (_, Width::Mhz160) => HeCapabilities::WIDTH_80 | HeCapabilities::WIDTH_160,
        _ => HeCapabilities::WIDTH_80,
    };
    let (mut phy, map) = ([0; 11], McsMap::of(adapter.capabilities.streams, 2));
    (phy[0], phy[1]) = (widths, HeCapabilities::LDPC);
    let at_160 = (widths & HeCapabilities::WIDTH_160 != 0).then_some([map; 2]);
    HeCapabilities { mac: [0; 6], phy, up_to_80: [map; 2], at_160 }
}

/// At 6 GHz around channel 5 (802.11ax-2021 table E-4).
fn he_operation(air: &Air) -> HeOperation {
    let six_ghz = match air.width {
        Width::Mhz20 => [5, 0, 5, 0],
        Width::Mhz40 => [5, 1, 3, 0],
        Width::Mhz80 => [5, 2, 7, 0],
        Width::Mhz160 => [5, 3, 7, 15],
    };
    HeOperation { colour: 1, basic: McsMap::of(1, 0), six_ghz: (air.band == Band::Ghz6).then_some(six_ghz) }
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
