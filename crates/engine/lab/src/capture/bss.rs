//! A network as a monitor knows it: its channel, and what its beacons say.

use airloom_observe::{JoiningFrame, NodeId};
use airloom_rate::{Preamble, Rate, Width};
use airloom_scenario::{AccessPoint, Adapter, Air, Band, Format, Scenario, SlotTime};
use airloom_sim::BitRate;
use airloom_wifi::{Access, Category, Edca};
use airloom_wire::MacAddr;
use airloom_wire::ieee80211::{
    AcParameters, Authentication, BssDescription, Capabilities, EdcaParameters, EhtCapabilities,
    EhtOperation, HeCapabilities, HeOperation, HtCapabilities, HtOperation, ManagementBody, McsMap,
    Neighbour, Reassociation, SixGhzCapabilities, StreamsByMcs, SwitchAnnouncement, TrafficMap,
    TransitionRequest, VhtCapabilities, VhtOperation,
};
use airloom_wire::radiotap::{Channel, ChannelFlags};
use airloom_world::addresses::mac;

/// Rates in the first of the two elements for rates (802.11-2020 9.4.2.3).
const FIRST_RATES: usize = 8;
/// The longest name of a network, in octets (802.11-2020 9.4.2.2).
const LONGEST_SSID: usize = 32;
/// The algorithm of authentication by a fast transition (802.11-2020 9.4.1.1).
const FAST_TRANSITION: u16 = 2;
/// The mobility domain of all networks of a name; hostapd's example has this one.
const MOBILITY_DOMAIN: u16 = 0xa1b2;
/// The dialog token of requests to go to another access point, and for neighbor reports: usteer and iwd have one for all.
const DIALOG: u8 = 1;
/// Every how many beacons a station says that it listens: mac80211's default.
const LISTENS: u16 = 5;
/// The other half of 40 MHz lies above the primary channel, or below it; stations may use any width (802.11-2020 9.4.2.56).
const ABOVE: u8 = 1;
const BELOW: u8 = 3;
const ANY_WIDTH: u8 = 4;

/// The highest exponents of A-MPDU lengths that elements of 802.11n, 802.11ac and 802.11ax can say.
const HT_EXPONENT: u32 = 3;
const VHT_EXPONENT: u32 = 7;
const HE_EXPONENT: u32 = 10;

/// See the module.
pub(super) struct Bss {
    band: Band,
    width: Width,
    /// The number of its primary channel.
    primary: u8,
    /// What the next beacon announces, if it announces a switch to another channel.
    switch: Option<SwitchAnnouncement>,
    ssid: Vec<u8>,
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
    /// At 6 GHz, what elements of 802.11n and 802.11ac say elsewhere.
    six_ghz: Option<SixGhzCapabilities>,
    /// Its access point's capabilities of 802.11be.
    eht: Option<(EhtCapabilities, EhtOperation)>,
    /// Its access point answers requests for neighbor reports.
    neighbor_reports: bool,
    /// The time between beacons, in units of 1024 us.
    interval: u16,
    dtim_period: u8,
    /// Beacons sent.
    beacons: u64,
    /// Stations for which the next beacon indicates traffic.
    indicated: TrafficMap,
    /// It indicates frames for the group too.
    group_waits: bool,
}

impl Bss {
    /// The network of an access point in this air.
    pub(super) fn new(scenario: &Scenario, ap: &AccessPoint, air: &Air) -> Self {
        let adapter = &ap.adapter;
        let (band, primary) = (air.band, ap.primary(air.band));
        let called = if scenario.ap.len() > 1 { ap.name.as_str() } else { "airloom" };
        let ssid = ap.ssid.as_deref().unwrap_or(called);
        let format = air.standard.format();
        let basic = air.basic_rates.as_deref().unwrap_or_default();
        let octet = |rate: BitRate| (rate.as_bps() / 500_000) as u8 | u8::from(basic.contains(&rate)) << 7;
        let flag = |on, bits: Capabilities| if on { bits.0 } else { 0 };
        let short_preamble = flag(air.preamble == Preamble::Short, Capabilities::SHORT_PREAMBLE);
        let short_slot = flag(air.slot == Some(SlotTime::Short), Capabilities::SHORT_SLOT);
        let measures = flag(ap.rrm_neighbor_report, Capabilities::RADIO_MEASUREMENT);
        Self {
            band,
            width: air.width,
            primary,
            switch: None,
            ssid: ssid.bytes().take(LONGEST_SSID).collect(),
            capabilities: Capabilities(Capabilities::ESS.0 | short_preamble | short_slot | measures),
            rates: air.rates().into_iter().map(|rate| octet(rate.bit_rate())).collect(),
            edca: adapter.qos.then(|| edca(ap.told())),
            ht: (format.is_some() && air.band != Band::Ghz6).then(|| ht(air.width, adapter)),
            vht: (format >= Some(Format::Vht) && air.band == Band::Ghz5)
                .then(|| (vht_capabilities(air.width, adapter), vht_operation(air.width, primary))),
            he: (format >= Some(Format::He))
                .then(|| (he_capabilities(air, adapter), he_operation(band, air.width, primary))),
            six_ghz: (format >= Some(Format::He) && band == Band::Ghz6).then(|| six_ghz(adapter)),
            eht: (format >= Some(Format::Eht))
                .then(|| (eht_capabilities(air, adapter), eht_operation(air.width, primary))),
            neighbor_reports: ap.rrm_neighbor_report,
            // Scenarios may ask for a little more than the field can hold.
            interval: (ap.beacon_interval.as_micros() / 1024).clamp(1, 65_535) as u16,
            dtim_period: ap.dtim_period,
            beacons: 0,
            indicated: TrafficMap::default(),
            group_waits: false,
        }
    }

    /// Its primary channel, and how a frame at this rate is modulated on it.
    pub(super) fn channel(&self, rate: Rate) -> Channel {
        let flags = match (self.band, rate) {
            (Band::Ghz6, _) => ChannelFlags::OFDM,
            (Band::Ghz5, _) => ChannelFlags::OFDM | ChannelFlags::BAND_5GHZ,
            (Band::Ghz2, Rate::Dsss(_)) => ChannelFlags::CCK | ChannelFlags::BAND_2GHZ,
            (Band::Ghz2, _) => ChannelFlags::OFDM | ChannelFlags::BAND_2GHZ,
        };
        Channel { mhz: self.band.centre_mhz(self.primary) as u16, flags }
    }

    /// The next beacon announces a switch to this primary channel, in MHz: hostapd sends the extended element too, since it knows the class
    /// of every channel (`hostapd_eid_csa`, `hostapd_eid_ecsa`).
    pub(super) fn announce(&mut self, mhz: u32, count: u8) {
        let channel = self.band.number_of(mhz);
        let class = Some(class_of_width(self.band, channel, self.width));
        self.switch = Some(SwitchAnnouncement { quiet: false, class, channel, count });
    }

    /// It is on the channel of its width with this primary one, in MHz, from now on.
    pub(super) fn retuned(&mut self, mhz: u32) {
        self.primary = self.band.number_of(mhz);
        if let Some((_, operation)) = &mut self.vht {
            *operation = vht_operation(self.width, self.primary);
        }
        if let Some((_, operation)) = &mut self.he {
            *operation = he_operation(self.band, self.width, self.primary);
        }
        if let Some((_, operation)) = &mut self.eht {
            *operation = eht_operation(self.width, self.primary);
        }
    }

    /// The next beacon indicates to `station` that frames wait for it.
    pub(super) fn indicate(&mut self, station: NodeId) {
        // A station's association identifier is its node's number. Up to 2007 fit; later ones are not indicated.
        let _ = self.indicated.set(station.0, true);
    }

    /// The next beacon indicates that frames wait for the group of its stations.
    pub(super) fn indicate_group(&mut self) {
        self.group_waits = true;
    }

    /// A beacon that the monitor does not hear takes its indications, and its place in the count of beacons, with it.
    pub(super) fn pass_beacon(&mut self) {
        self.indicated = TrafficMap::default();
        self.group_waits = false;
        self.switch = None;
        self.beacons += 1;
    }

    /// What the next beacon says, which is sent at this time in us, to be written by `write`.
    pub(super) fn beacon<T>(&mut self, timestamp: u64, write: impl FnOnce(ManagementBody<'_>) -> T) -> T {
        let indicated = std::mem::take(&mut self.indicated);
        let count = (self.beacons % u64::from(self.dtim_period)) as u8;
        let dtim_count = if count == 0 { 0 } else { self.dtim_period - count };
        self.beacons += 1;
        // In DTIM beacons alone (802.11-2020 9.4.2.5.1).
        let group = std::mem::take(&mut self.group_waits) && dtim_count == 0;
        let tim = Some(indicated.tim(dtim_count, self.dtim_period, group));
        let switch = self.switch.take();
        write(ManagementBody::Beacon { bss: BssDescription { switch, ..self.description(timestamp) }, tim })
    }

    /// What its access point says that asks a station to go to another one, whose network this is: that the association ends in 10 s, as
    /// usteer says it (`roam_kick_delay`).
    pub(super) fn asks_to_go(&self, to: NodeId, network: &Self) -> ManagementBody<'static> {
        let within = 10_000 / u32::from(self.interval);
        ManagementBody::TransitionRequest(TransitionRequest {
            dialog_token: DIALOG,
            mode: TransitionRequest::CANDIDATES | TransitionRequest::ABRIDGED | TransitionRequest::IMMINENT,
            timer: within as u16,
            validity: within.clamp(1, 255) as u8,
            candidate: Some(network.neighbour(mac(to))),
        })
    }

    /// What its access point's neighbor report says, whose elements are these.
    pub(super) const fn reports(elements: &[u8]) -> ManagementBody<'_> {
        ManagementBody::NeighborReport { dialog_token: DIALOG, elements }
    }

    /// The network as a neighbour's access points name it (hostapd `hostapd_neighbor_set_own_report`).
    pub(super) fn neighbour(&self, bssid: MacAddr) -> Neighbour {
        // Reachable, with the security and the keys of the one that names it; and what it supports (802.11-2020 9.4.2.36).
        let flag = |on: bool, bit: u32| u32::from(on) << bit;
        let info = 0xf | flag(self.edca.is_some(), 5) | flag(self.ht.is_some(), 11);
        let info = info | flag(self.vht.is_some(), 12) | flag(self.he.is_some(), 14);
        let phy = match (self.eht, self.he, self.vht, self.ht, self.band) {
            (Some(_), ..) => 16,
            (_, Some(_), ..) => 14,
            (_, _, Some(_), ..) => 9,
            (_, _, _, Some(_), _) => 7,
            (.., Band::Ghz2) => 6,
            _ => 4,
        };
        Neighbour { bssid, info, class: operating_class(self.band, self.primary), channel: self.primary, phy }
    }

    /// What a management frame of a station's way to its access point says, if the station comes from that one and has this number, sent at
    /// this time in us; none of a message of keys, which is data.
    pub(super) fn joining(
        &self,
        frame: JoiningFrame,
        current: MacAddr,
        aid: u16,
        timestamp: u64,
    ) -> Option<ManagementBody<'_>> {
        let (rates, extended_rates) = self.rates.split_at(self.rates.len().min(FIRST_RATES));
        let domain = |fast: bool| fast.then_some(MOBILITY_DOMAIN);
        let told = |ssid, fast| Reassociation {
            capabilities: self.capabilities,
            ssid,
            rates,
            extended_rates,
            domain: domain(fast),
        };
        Some(match frame {
            JoiningFrame::Probe { answer: true } => {
                ManagementBody::ProbeResponse(self.description(timestamp))
            }
            JoiningFrame::Probe { answer: false } => {
                let channel = (self.band == Band::Ghz2).then_some(self.primary);
                ManagementBody::ProbeRequest { ssid: &self.ssid, rates, extended_rates, channel }
            }
            JoiningFrame::Authentication { answer, fast } => ManagementBody::Authentication(Authentication {
                algorithm: if fast { FAST_TRANSITION } else { 0 },
                number: 1 + u16::from(answer),
                status: 0,
                domain: domain(fast),
            }),
            JoiningFrame::Reassociation { answer: true, fast } => {
                ManagementBody::ReassociationResponse { ap: told(&[], fast), status: 0, aid }
            }
            JoiningFrame::Reassociation { answer: false, fast } => {
                let station = told(&self.ssid, fast);
                ManagementBody::ReassociationRequest { station, listen_interval: LISTENS, current }
            }
            JoiningFrame::Disassociation { reason } => ManagementBody::Disassociation { reason },
            JoiningFrame::Deauthentication { reason } => ManagementBody::Deauthentication { reason },
            JoiningFrame::TransitionResponse { to, status } => {
                ManagementBody::TransitionResponse { dialog_token: DIALOG, status, target: to.map(mac) }
            }
            JoiningFrame::NeighborRequest => ManagementBody::NeighborRequest { dialog_token: DIALOG },
            JoiningFrame::Key(_)
            | JoiningFrame::TransitionRequest { .. }
            | JoiningFrame::NeighborReport { .. } => return None,
        })
    }

    /// Where the other half of 40 MHz around its primary channel is (802.11-2020 9.4.2.56).
    fn secondary(&self) -> u8 {
        if centre(self.band, self.primary, Width::Mhz40) > self.primary { ABOVE } else { BELOW }
    }

    /// A beacon's description of the network, sent at this time in us.
    fn description(&self, timestamp: u64) -> BssDescription<'_> {
        let (rates, extended_rates) = self.rates.split_at(self.rates.len().min(FIRST_RATES));
        BssDescription {
            timestamp,
            interval: self.interval,
            capabilities: self.capabilities,
            ssid: &self.ssid,
            rates,
            extended_rates,
            channel: (self.band == Band::Ghz2).then_some(self.primary),
            switch: None,
            edca: self.edca,
            neighbor_reports: self.neighbor_reports,
            ht_capabilities: self.ht,
            ht_operation: self.ht.map(|ht| HtOperation {
                primary_channel: self.primary,
                info: [
                    if ht.info & HtCapabilities::WIDE != 0 { ANY_WIDTH | self.secondary() } else { 0 },
                    0,
                    0,
                    0,
                    0,
                ],
                ..HtOperation::default()
            }),
            vht_capabilities: self.vht.map(|(capabilities, _)| capabilities),
            vht_operation: self.vht.map(|(_, operation)| operation),
            he_capabilities: self.he.map(|(capabilities, _)| capabilities),
            he_operation: self.he.map(|(_, operation)| operation),
            six_ghz: self.six_ghz,
            eht_capabilities: self.eht.map(|(capabilities, _)| capabilities),
            eht_operation: self.eht.map(|(_, operation)| operation),
        }
    }
}

/// The operating class of a primary channel of 20 MHz (802.11-2020 table E-4).
const fn operating_class(band: Band, primary: u8) -> u8 {
    match (band, primary) {
        (Band::Ghz2, _) => 81,
        (Band::Ghz5, ..=48) => 115,
        (Band::Ghz5, 49..=64) => 118,
        (Band::Ghz5, 65..=144) => 121,
        (Band::Ghz5, _) => 125,
        (Band::Ghz6, _) => 131,
    }
}

/// The operating class of a channel of this width with this primary one (802.11-2020 table E-4; hostapd `ieee80211_freq_to_channel_ext`).
fn class_of_width(band: Band, primary: u8, width: Width) -> u8 {
    let above = centre(band, primary, Width::Mhz40) > primary;
    match (band, width) {
        (_, Width::Mhz20) => operating_class(band, primary),
        (Band::Ghz2, _) => 84 - u8::from(above),
        (Band::Ghz5, Width::Mhz40) => match primary {
            ..=48 => 117 - u8::from(above),
            49..=64 => 120 - u8::from(above),
            65..=144 => 123 - u8::from(above),
            _ => 127 - u8::from(above),
        },
        (Band::Ghz5, Width::Mhz80) => 128,
        (Band::Ghz5, Width::Mhz160 | Width::Mhz320) => 129,
        (Band::Ghz6, Width::Mhz40) => 132,
        (Band::Ghz6, Width::Mhz80) => 133,
        (Band::Ghz6, Width::Mhz160) => 134,
        (Band::Ghz6, Width::Mhz320) => 137,
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

/// The longest A-MPDU that an adapter says it receives: the n of 2^(13 + n) - 1 octets (802.11-2020 9.4.2.55.3).
fn ampdu_exponent(adapter: &Adapter) -> u32 {
    let of_format = adapter.standard.format().map_or(0, |format| format.largest_aggregate().1);
    let octets = adapter.aggregation.ampdu_receive_bytes.unwrap_or(of_format);
    (octets + 1).next_power_of_two().ilog2().saturating_sub(13)
}

/// What an access point advertises: the channel's width, its adapter's streams and short guard interval.
fn ht(width: Width, adapter: &Adapter) -> HtCapabilities {
    let (wide, short_gi) = match width {
        Width::Mhz20 => (0, HtCapabilities::SHORT_GI_20),
        Width::Mhz40 | Width::Mhz80 | Width::Mhz160 | Width::Mhz320 => {
            (HtCapabilities::WIDE, HtCapabilities::SHORT_GI_20 | HtCapabilities::SHORT_GI_40)
        }
    };
    let mut mcs_set = [0; 16];
    mcs_set[..usize::from(adapter.capabilities.streams)].fill(0xff);
    let info = wide | if adapter.capabilities.short_gi { short_gi } else { 0 };
    let ampdu = ampdu_exponent(adapter).min(HT_EXPONENT) as u8;
    HtCapabilities { info, ampdu, mcs_set, ..HtCapabilities::default() }
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
        | ampdu_exponent(adapter).min(VHT_EXPONENT) << VhtCapabilities::AMPDU
        | flag(wide, VhtCapabilities::WIDE)
        | flag(adapter.capabilities.ldpc, VhtCapabilities::LDPC)
        | flag(adapter.capabilities.short_gi, VhtCapabilities::SHORT_GI_80)
        | flag(adapter.capabilities.short_gi && wide, VhtCapabilities::SHORT_GI_160);
    let map = McsMap::of(adapter.capabilities.streams, 2);
    VhtCapabilities { info, receives: map, sends: map }
}

/// The number in the middle of the channel of this width around a primary one; the primary's where there is none.
fn centre(band: Band, primary: u8, width: Width) -> u8 {
    band.channel(primary, width).map_or(primary, |channel| band.number_of(channel.centre_mhz))
}

/// At 5 GHz around this channel (802.11-2020 9.4.2.158).
fn vht_operation(width: Width, primary: u8) -> VhtOperation {
    let at = |width| centre(Band::Ghz5, primary, width);
    let (code, centres) = match width {
        Width::Mhz20 | Width::Mhz40 => (0, [0, 0]),
        Width::Mhz80 => (1, [at(Width::Mhz80), 0]),
        Width::Mhz160 | Width::Mhz320 => (1, [at(Width::Mhz80), at(Width::Mhz160)]),
    };
    VhtOperation { width: code, centres, basic: McsMap::of(1, 0) }
}

/// The same of 802.11ax: MCS 0 to 11 on each stream.
fn he_capabilities(air: &Air, adapter: &Adapter) -> HeCapabilities {
    let widths = match (air.band, air.width) {
        (Band::Ghz2, Width::Mhz20) => 0,
        (Band::Ghz2, _) => HeCapabilities::WIDTH_40,
        (_, Width::Mhz160 | Width::Mhz320) => HeCapabilities::WIDTH_80 | HeCapabilities::WIDTH_160,
        _ => HeCapabilities::WIDTH_80,
    };
    let (mut phy, map) = ([0; 11], McsMap::of(adapter.capabilities.streams, 2));
    (phy[0], phy[1]) = (widths, HeCapabilities::LDPC);
    let at_160 = (widths & HeCapabilities::WIDTH_160 != 0).then_some([map; 2]);
    // What goes beyond the element of 802.11ac, or at 2.4 GHz that of 802.11n.
    let below = if air.band == Band::Ghz2 { HT_EXPONENT } else { VHT_EXPONENT };
    let beyond = ampdu_exponent(adapter).saturating_sub(below).min(3) as u8;
    let mac = [0, 0, 0, beyond << HeCapabilities::AMPDU, 0, 0];
    HeCapabilities { mac, phy, up_to_80: [map; 2], at_160 }
}

/// What it receives at 6 GHz.
fn six_ghz(adapter: &Adapter) -> SixGhzCapabilities {
    let mpdu = match adapter.aggregation.mpdu_bytes {
        0..=3895 => 0,
        3896..=7991 => SixGhzCapabilities::MIDDLE_MPDU,
        _ => SixGhzCapabilities::LONG_MPDU,
    };
    SixGhzCapabilities(mpdu | (ampdu_exponent(adapter).min(VHT_EXPONENT) << SixGhzCapabilities::AMPDU) as u16)
}

/// At 6 GHz around this channel (802.11ax-2021 9.4.2.249).
fn he_operation(band: Band, width: Width, primary: u8) -> HeOperation {
    let at = |width| centre(Band::Ghz6, primary, width);
    let six_ghz = match width {
        Width::Mhz20 => [primary, 0, primary, 0],
        Width::Mhz40 => [primary, 1, at(Width::Mhz40), 0],
        Width::Mhz80 => [primary, 2, at(Width::Mhz80), 0],
        // Of 320 MHz members of 802.11ax have the half with the primary channel.
        Width::Mhz160 | Width::Mhz320 => [primary, 3, at(Width::Mhz80), at(Width::Mhz160)],
    };
    HeOperation { colour: 1, basic: McsMap::of(1, 0), six_ghz: (band == Band::Ghz6).then_some(six_ghz) }
}

/// The same of 802.11be: MCS 0 to 13 on each stream.
fn eht_capabilities(air: &Air, adapter: &Adapter) -> EhtCapabilities {
    let map = StreamsByMcs::all(adapter.capabilities.streams);
    let at = |width: Width| (air.width >= width).then_some(map);
    let (mut phy, long) = ([0; 9], ampdu_exponent(adapter) > HE_EXPONENT);
    phy[0] = if air.width == Width::Mhz320 { EhtCapabilities::WIDTH_320 } else { 0 };
    let mpdu = if adapter.aggregation.mpdu_bytes == 11_454 { EhtCapabilities::LONG_MPDU } else { 0 };
    EhtCapabilities {
        mac: mpdu | if long { EhtCapabilities::LONG_AMPDU } else { 0 },
        phy,
        up_to_80: map,
        at_160: at(Width::Mhz160),
        at_320: at(Width::Mhz320),
    }
}

/// At 6 GHz around this channel, where it is wider than 802.11ax can say (802.11be-2024 35.15.1).
fn eht_operation(width: Width, primary: u8) -> EhtOperation {
    let at = |width| centre(Band::Ghz6, primary, width);
    let wide = width == Width::Mhz320;
    // Every member receives and sends one stream with MCS 0 to 7.
    EhtOperation { basic: [0x11, 0, 0, 0], channel: wide.then(|| [4, at(Width::Mhz160), at(Width::Mhz320)]) }
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
        let bss = Bss::new(&scenario, &scenario.ap[0], &scenario.air_of(&scenario.ap[0]));
        let ht = bss.description(0).ht_capabilities.expect("one of 802.11n");
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

    /// 2^(13 + n) - 1 octets, n of HT up to 3, of VHT up to 7, with what HE adds to that up to 10, and with EHT's bit 11.
    #[test]
    fn a_beacon_says_how_long_an_a_mpdu_may_be() {
        let told = |wanted: u32, receives: &str| {
            let text = format!(
                "title = \"A test\"\nair = {{ standard = \"802.11be\", band = \"5 GHz\", width = \"80 MHz\" }}\n\
                 [[ap]]\nname = \"ap\"\nadapter = {{ profile = \"edca-be\"{receives} }}\n"
            );
            let scenario = load(&text, "bss.toml", &[], None).unwrap_or_else(|e| panic!("{e}"));
            let told = Bss::new(&scenario, &scenario.ap[0], &scenario.air_of(&scenario.ap[0]));
            let (ht, vht) = (told.ht.expect("HT"), told.vht.expect("VHT").0);
            let (he, eht) = (told.he.expect("HE").0, told.eht.expect("EHT").0);
            let vht = vht.info >> VhtCapabilities::AMPDU & 7;
            assert_eq!(told.description(0).ampdu_octets(), Some(wanted));
            (
                ht.ampdu & 3,
                vht,
                he.mac[3] >> HeCapabilities::AMPDU & 3,
                eht.mac & EhtCapabilities::LONG_AMPDU != 0,
            )
        };
        let with = |octets: u32| told(octets, &format!(", ampdu_receive_bytes = \"{octets} B\""));
        assert_eq!(told(15_523_200, ""), (3, 7, 3, true));
        assert_eq!(with(8_388_607), (3, 7, 3, false));
        assert_eq!(with(1_048_575), (3, 7, 0, false));
        assert_eq!(with(65_535), (3, 3, 0, false));
        assert_eq!(with(8191), (0, 0, 0, false));
    }

    /// Numbers as 802.11-2020 table E-4 and, at 6 GHz, 802.11ax-2021 27.3.23.2 have them: 58 is the middle of 52 to 64, 50 of 36 to
    /// 64, 39 of 33 to 45, 47 of 33 to 61.
    #[test]
    fn a_beacon_says_where_in_the_band_its_channel_is() {
        for (width, primary, centres) in [
            (Width::Mhz40, 48, [0, 0]),
            (Width::Mhz80, 48, [42, 0]),
            (Width::Mhz80, 149, [155, 0]),
            (Width::Mhz160, 64, [58, 50]),
        ] {
            assert_eq!(vht_operation(width, primary).centres, centres, "{primary} {width:?}");
        }
        for (width, expected) in [
            ("20 MHz", [37, 0, 37, 0]),
            ("40 MHz", [37, 1, 35, 0]),
            ("80 MHz", [37, 2, 39, 0]),
            ("160 MHz", [37, 3, 39, 47]),
        ] {
            let text = format!(
                "title = \"A test\"\nair = {{ standard = \"802.11ax\", band = \"6 GHz\", width = \"{width}\" }}\n\
                 [[ap]]\nname = \"ap\"\nadapter = \"edca-ax\"\nchannel = 37\n"
            );
            let scenario = load(&text, "bss.toml", &[], None).unwrap_or_else(|e| panic!("{e}"));
            let bss = Bss::new(&scenario, &scenario.ap[0], &scenario.air_of(&scenario.ap[0]));
            let he = bss.description(0).he_operation.and_then(|operation| operation.six_ghz);
            assert_eq!((he, bss.channel(Rate::ofdm(6).expect("a rate")).mhz), (Some(expected), 6135));
        }
        // 320 MHz: 31 is the middle of 1 to 61, and 47 of the half with 37 (802.11be-2024 36.3.23.2). HE says that half.
        let text = "title = \"A test\"\nair = { standard = \"802.11be\", band = \"6 GHz\", width = \"320 MHz\" }\n\
                    [[ap]]\nname = \"ap\"\nadapter = \"edca-be\"\nchannel = 37\n";
        let scenario = load(text, "bss.toml", &[], None).unwrap_or_else(|e| panic!("{e}"));
        let bss = Bss::new(&scenario, &scenario.ap[0], &scenario.air_of(&scenario.ap[0]));
        let told = bss.description(0);
        assert_eq!(told.he_operation.and_then(|operation| operation.six_ghz), Some([37, 3, 39, 47]));
        assert_eq!(told.eht_operation.and_then(|operation| operation.channel), Some([4, 47, 31]));
        assert_eq!(told.width_mhz(), 320);
        // 802.11ax-2021 9.4.2.263: n of 7 at bit 3, MPDUs of 11,454 octets at bit 6.
        assert_eq!(told.six_ghz, Some(SixGhzCapabilities(7 << 3 | 2 << 6)));
        let secondary = |channel: u8| {
            let text = format!(
                "title = \"A test\"\nair = {{ standard = \"802.11n\", band = \"5 GHz\", width = \"40 MHz\" }}\n\
                 [[ap]]\nname = \"ap\"\nadapter = \"ath9k\"\nchannel = {channel}\n"
            );
            let scenario = load(&text, "bss.toml", &[], None).unwrap_or_else(|e| panic!("{e}"));
            let ht = Bss::new(&scenario, &scenario.ap[0], &scenario.air_of(&scenario.ap[0]))
                .description(0)
                .ht_operation
                .expect("one of 802.11n");
            (ht.primary_channel, ht.info[0] & 3)
        };
        assert_eq!([44, 48].map(secondary), [(44, ABOVE), (48, BELOW)]);
    }
}
