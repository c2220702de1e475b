//! Rates as nl80211 tells them: the nested attributes `NL80211_RATE_INFO`.

use crate::snapshot::{Generation, Speed};
use airloom_netlink::Attributes;

const BITRATE: u16 = 1;
const HT_MCS: u16 = 2;
const MHZ_40: u16 = 3;
const BITRATE32: u16 = 5;
const VHT_MCS: u16 = 6;
const VHT_NSS: u16 = 7;
const MHZ_80: u16 = 8;
const MHZ_80_80: u16 = 9;
const MHZ_160: u16 = 10;
const HE_MCS: u16 = 13;
const HE_NSS: u16 = 14;
const MHZ_320: u16 = 18;
const EHT_MCS: u16 = 19;
const EHT_NSS: u16 = 20;

/// A rate; none if there was none yet.
pub(super) fn speed(rate: Attributes<'_>) -> Option<Speed> {
    // In units of 100 kbit/s.
    let mbps = rate.number(BITRATE32).or_else(|| rate.number(BITRATE))? as f64 / 10.0;
    let number = |kind| Some(rate.number(kind)? as u32);
    let newest = [
        (Generation::Eht, EHT_MCS, Some(EHT_NSS)),
        (Generation::He, HE_MCS, Some(HE_NSS)),
        (Generation::Vht, VHT_MCS, Some(VHT_NSS)),
        (Generation::Ht, HT_MCS, None),
    ];
    let (generation, mcs, streams) = newest
        .into_iter()
        .find_map(|(generation, mcs, streams)| {
            let mcs = number(mcs)?;
            let streams = streams.map_or(Some(mcs / 8 + 1), number);
            Some((generation, Some(mcs), streams))
        })
        .unwrap_or_default();
    let widths = [(MHZ_320, 320), (MHZ_160, 160), (MHZ_80_80, 160), (MHZ_80, 80), (MHZ_40, 40)];
    let wider = widths.into_iter().find(|(kind, _)| rate.get(*kind).is_some());
    Some(Speed { mbps, generation, mcs, streams, width_mhz: wider.map_or(20, |(_, mhz)| mhz) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_netlink::put;

    #[test]
    fn rates_are_read_by_their_newest_name() {
        let mut rate = Vec::new();
        put(&mut rate, BITRATE, &8667_u16.to_ne_bytes());
        put(&mut rate, BITRATE32, &8667_u32.to_ne_bytes());
        put(&mut rate, VHT_MCS, &[9]);
        put(&mut rate, VHT_NSS, &[2]);
        put(&mut rate, MHZ_80, &[]);
        let expected =
            Speed { mbps: 866.7, generation: Generation::Vht, mcs: Some(9), streams: Some(2), width_mhz: 80 };
        assert_eq!(speed(Attributes(&rate)), Some(expected));
        assert_eq!(speed(Attributes(&[])), None);
    }
}
