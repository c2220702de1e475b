//! The radios, by nl80211's `GET_WIPHY`.

use super::capabilities::{he_width, ht_streams, map_streams};
use crate::snapshot::{Band, Generation, Radio};
use airloom_netlink::{Attributes, Extent, Nl80211, put};

const GET_WIPHY: u8 = 1;
const WIPHY: u16 = 1;
const WIPHY_NAME: u16 = 2;
const BANDS: u16 = 22;
const SPLIT_DUMP: u16 = 174;
const EXT_FEATURES: u16 = 217;
/// Numbers of `enum nl80211_ext_feature_index`.
const FEATURE_TXQS: usize = 28;
const FEATURE_AIRTIME_FAIRNESS: usize = 33;
const FEATURE_AQL: usize = 40;

/// All radios of this network namespace.
pub(super) fn radios(kernel: &mut Nl80211) -> Result<Vec<Radio>, String> {
    let mut ask = Vec::new();
    // Without it the answer is cut to what an old program could take.
    put(&mut ask, SPLIT_DUMP, &[]);
    let mut radios: Vec<Radio> = Vec::new();
    for message in kernel.ask(GET_WIPHY, Extent::All, &ask)? {
        let message = Attributes(&message);
        let Some(index) = message.number(WIPHY) else { continue };
        let index = index as u32;
        let at = radios.iter().position(|radio| radio.index == index).unwrap_or_else(|| {
            radios.push(Radio { index, ..Radio::default() });
            radios.len() - 1
        });
        take(&mut radios[at], message);
    }
    Ok(radios)
}

fn take(radio: &mut Radio, message: Attributes<'_>) {
    if let Some(name) = message.get(WIPHY_NAME) {
        radio.name = name.text();
    }
    if let Some(features) = message.get(EXT_FEATURES) {
        let has = |bit: usize| features.payload.get(bit / 8).is_some_and(|octet| octet >> (bit % 8) & 1 == 1);
        radio.queues = has(FEATURE_TXQS);
        radio.airtime_limits = has(FEATURE_AQL);
        radio.airtime_fairness = has(FEATURE_AIRTIME_FAIRNESS);
    }
    for band in message.within(BANDS) {
        let ghz = match band.kind {
            0 => "2.4",
            1 => "5",
            3 => "6",
            _ => continue,
        };
        let at = radio.bands.iter().position(|known| known.ghz == ghz).unwrap_or_else(|| {
            radio.bands.push(Band { ghz: ghz.to_owned(), width_mhz: 20, streams: 1, ..Band::default() });
            radio.bands.len() - 1
        });
        take_band(&mut radio.bands[at], band.nested());
    }
}

const HT_MCS_SET: u16 = 3;
const HT_CAPABILITIES: u16 = 4;
const VHT_MCS_SET: u16 = 7;
const VHT_CAPABILITIES: u16 = 8;
const BY_ROLE: u16 = 9;
const HE_PHY: u16 = 3;
const HE_MCS_SET: u16 = 4;
const EHT_PHY: u16 = 9;

fn take_band(band: &mut Band, told: Attributes<'_>) {
    let octets = |kind| told.get(kind).map_or(&[][..], |attribute| attribute.payload);
    if let Some(capabilities) = told.number(HT_CAPABILITIES) {
        // Supported Channel Width Set (9.4.2.55.2).
        let width = if capabilities & 0x02 != 0 { 40 } else { 20 };
        band.can(Generation::Ht, width, ht_streams(octets(HT_MCS_SET)));
    }
    if let Some(capabilities) = told.number(VHT_CAPABILITIES) {
        // Supported Channel Width Set (9.4.2.157.2).
        let width = if capabilities >> 2 & 3 != 0 { 160 } else { 80 };
        band.can(Generation::Vht, width, map_streams(octets(VHT_MCS_SET)));
    }
    for role in told.within(BY_ROLE) {
        if let Some(phy) = role.nested().get(HE_PHY) {
            let streams = role.nested().get(HE_MCS_SET).map_or(1, |set| map_streams(set.payload));
            band.can(Generation::He, he_width(phy.payload.first().copied().unwrap_or(0), &band.ghz), streams);
        }
        if let Some(phy) = role.nested().get(EHT_PHY) {
            // Support For 320 MHz In 6 GHz (802.11be, 9.4.2.323.3).
            let wide = band.ghz == "6" && phy.payload.first().is_some_and(|octet| octet & 0x02 != 0);
            band.can(Generation::Eht, if wide { 320 } else { 20 }, 1);
        }
    }
}
