//! The air: its standard, band and channel width, and what follows from these for all radios.

use airloom_propagation::{Outages, PathLoss, SlowFading};
use airloom_rate::{Dsss, Legacy, Ofdm, Preamble, Rate, Speed, Width};
use airloom_sim::{BitRate, Duration};
use airloom_wifi::{BasicRates, Protection};

use crate::band::Band;
use crate::format::Format;
use crate::not_yet;
use airloom_config::error::Faults;
use airloom_config::form::{List, Optional, level, rate, real, time, words};
use airloom_config::record;
use airloom_config::record::{Layers, nested};

airloom_sim::kinds! {
    /// The standard that stations and access point use.
    pub enum Standard {
        /// 802.11a: OFDM (IEEE 802.11-2020 clause 17).
        A80211 = "802.11a",
        /// 802.11b: DSSS and CCK (clauses 15 and 16).
        B80211 = "802.11b",
        /// 802.11g: 802.11b and OFDM in its band (clause 18).
        G80211 = "802.11g",
        /// 802.11n, high throughput (clause 19).
        N80211 = "802.11n",
        /// 802.11ac, very high throughput (clause 21).
        Ac80211 = "802.11ac",
        /// 802.11ax, high efficiency (IEEE 802.11ax-2021 clause 27).
        Ax80211 = "802.11ax",
        /// 802.11be, extremely high throughput (IEEE 802.11be-2024 clause 36).
        Be80211 = "802.11be",
    }
}

impl Standard {
    /// Whether this standard exists in a band.
    pub const fn is_in(self, band: Band) -> bool {
        self.works_in(band) && !matches!((self, band), (Self::Ac80211, Band::Ghz2))
    }

    /// Whether radios of this standard work in a band, be it as radios of an older one.
    pub const fn works_in(self, band: Band) -> bool {
        match self {
            Self::A80211 => matches!(band, Band::Ghz5),
            Self::B80211 | Self::G80211 => matches!(band, Band::Ghz2),
            Self::N80211 | Self::Ac80211 => matches!(band, Band::Ghz2 | Band::Ghz5),
            Self::Ax80211 | Self::Be80211 => true,
        }
    }

    /// Whether its radios have OFDM.
    pub const fn has_ofdm(self) -> bool {
        !matches!(self, Self::B80211)
    }

    /// The newest format of its radios that aggregates, if there is one.
    pub const fn format(self) -> Option<Format> {
        match self {
            Self::A80211 | Self::B80211 | Self::G80211 => None,
            Self::N80211 => Some(Format::Ht),
            Self::Ac80211 => Some(Format::Vht),
            Self::Ax80211 => Some(Format::He),
            Self::Be80211 => Some(Format::Eht),
        }
    }

    /// The amendment that has a format.
    pub const fn with(format: Format) -> Self {
        match format {
            Format::Ht => Self::N80211,
            Format::Vht => Self::Ac80211,
            Format::He => Self::Ax80211,
            Format::Eht => Self::Be80211,
        }
    }

    /// Its widest channel.
    pub const fn widest(self) -> Width {
        match self.format() {
            None => Width::Mhz20,
            Some(format) => format.widest(),
        }
    }

    /// Whether a radio whose newest amendment is this one supports everything in `wanted`.
    pub const fn covers(self, wanted: Self) -> bool {
        match self {
            Self::A80211 => matches!(wanted, Self::A80211),
            Self::B80211 => matches!(wanted, Self::B80211),
            Self::G80211 => matches!(wanted, Self::B80211 | Self::G80211),
            Self::N80211 => !matches!(wanted, Self::Ac80211 | Self::Ax80211 | Self::Be80211),
            Self::Ac80211 => !matches!(wanted, Self::Ax80211 | Self::Be80211),
            Self::Ax80211 => !matches!(wanted, Self::Be80211),
            Self::Be80211 => true,
        }
    }
}

airloom_sim::kinds! {
    /// The slot time where both are possible: 802.11g, and 802.11n, 802.11ax and 802.11be at 2.4 GHz.
    pub enum SlotTime {
        /// 9 us.
        Short = "short",
        /// 20 us, as stations of 802.11b need it.
        Long = "long",
    }
}

/// What the Wi-Fi Alliance and others call the standards.
pub(crate) const OTHER_NAMES: &[(&str, &str)] = &[
    ("a", A),
    ("b", B),
    ("g", G),
    ("n", N),
    ("11n", N),
    ("HT", N),
    ("Wi-Fi 4", N),
    ("WiFi 4", N),
    ("wifi4", N),
    ("ac", AC),
    ("11ac", AC),
    ("VHT", AC),
    ("Wi-Fi 5", AC),
    ("WiFi 5", AC),
    ("wifi5", AC),
    ("ax", AX),
    ("11ax", AX),
    ("HE", AX),
    ("Wi-Fi 6", AX),
    ("WiFi 6", AX),
    ("wifi6", AX),
    ("Wi-Fi 6E", AX_AT_6_GHZ),
    ("WiFi 6E", AX_AT_6_GHZ),
    ("wifi6e", AX_AT_6_GHZ),
    ("be", BE),
    ("11be", BE),
    ("EHT", BE),
    ("Wi-Fi 7", BE),
    ("WiFi 7", BE),
    ("wifi7", BE),
    ("MLO", MULTI_LINK),
    ("multi-link", MULTI_LINK),
    ("802.11bn", NEWEST),
    ("11bn", NEWEST),
    ("UHR", NEWEST),
    ("Wi-Fi 8", NEWEST),
    ("WiFi 8", NEWEST),
    ("wifi8", NEWEST),
];
const A: &str = "did you mean `802.11a`?";
const B: &str = "did you mean `802.11b`?";
const G: &str = "did you mean `802.11g`?";
const N: &str = "did you mean `802.11n`?";
const AC: &str = "did you mean `802.11ac`?";
const AX: &str = "did you mean `802.11ax`?";
const BE: &str = "did you mean `802.11be`?";
const MULTI_LINK: &str = "write `802.11be`, and give access point and stations `links` (docs/multi-link.md)";
const NEWEST: &str = "the newest here is `802.11be`";
const AX_AT_6_GHZ: &str = "did you mean `802.11ax`, with band = \"6 GHz\"?";

/// What widths are called where channels of 320 MHz have two rows, which overlap (802.11be-2024 36.3.23.2), and where two pieces make 160 MHz.
pub(crate) const OTHER_WIDTHS: &[(&str, &str)] = &[
    ("320 MHz-1", ROWS),
    ("320 MHz-2", ROWS),
    ("320MHz-1", ROWS),
    ("320MHz-2", ROWS),
    ("320-1", ROWS),
    ("320-2", ROWS),
    ("80+80", IN_ONE_PIECE),
    ("80+80 MHz", IN_ONE_PIECE),
];
const ROWS: &str = "write \"320 MHz\": the `channel` of the access point says which, with 320 MHz-2 from 193 on and 320 MHz-1 below";
const IN_ONE_PIECE: &str = "write \"160 MHz\": it is in one piece here";

/// The slowest rate that can be a basic one, and the fastest.
pub(crate) const LEAST_BASIC: BitRate = BitRate::from_mbps(1);
pub(crate) const MOST_BASIC: BitRate = BitRate::from_mbps(54);

/// Whether there are stations of 802.11b alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Only80211b {
    /// In the network: it has the long slot (`num_sta_no_short_slot_time` in hostapd's src/ap/ieee802_11.c).
    pub(crate) own: bool,
    /// On its channel, in any network, or an access point of 802.11b: its OFDM frames are protected (`num_sta_non_erp` in the same
    /// file, and `ap_list_beacon_olbc()` in src/ap/ap_list.c, which looks at the networks of the same channel number).
    pub(crate) near: bool,
}

record! {
    /// The air that all radios share, but for what an access point has of its own.
    pub struct Air {
        /// The 802.11 amendment, such as "802.11n".
        standard: Standard = words(Standard::WORDS, &[]).hinted(OTHER_NAMES);
        /// The band, "2.4 GHz", "5 GHz" or "6 GHz".
        band: Band = words(Band::WORDS, &[]).hinted(Band::OTHER_NAMES);
        /// The channel's width, "20 MHz" to "320 MHz", which is of 802.11be at 6 GHz.
        width: Width = words(Width::WORDS, &[]).hinted(OTHER_WIDTHS);
        /// The preamble of DSSS frames, "long" or "short".
        preamble: Preamble = words(Preamble::WORDS, &[]), default Preamble::Long;
        /// The slot time of 802.11g, and of 802.11n, 802.11ax and 802.11be at 2.4 GHz, "short" or "long"; long if left out and a station speaks
        /// 802.11b alone (IEEE 802.11-2020 9.4.1.4).
        slot: Option<SlotTime> = Optional(words(SlotTime::WORDS, &[])), default None;
        /// How OFDM frames at 2.4 GHz are protected from stations of 802.11b: "none", "rts-cts" or "cts-to-self"; the
        /// last if left out and there are such stations (mac80211's `use_cts_prot`).
        protection: Option<Protection> = Optional(words(Protection::WORDS, &[])), default None;
        /// The rates that every station supports, from which those of control frames are chosen; hostapd's if left out.
        basic_rates: Option<Vec<BitRate>> = Optional(List(rate(LEAST_BASIC, MOST_BASIC))), default None;
        /// By how many dB a frame must be stronger than each overlapping frame for the access point to receive it; of
        /// two equal ones it receives none. If left out, overlapping frames are lost. Where radios have a `position`, signal over
        /// noise and the sum of what overlaps decides instead.
        capture: Option<f64> = Optional(level(0.0, 60.0)), default None;
        /// Standard deviation of the signal-to-noise ratio from PPDU to PPDU, in dB.
        fading: f64 = level(0.0, 20.0), default 0.0;
        /// Standard deviation of log-normal shadowing, in dB: how much better or worse a station's ratio is than its
        /// place would give, drawn once for each. Where radios have a `position` it is a field over the plan, of which values 6 m apart
        /// have a correlation of 1/e (3GPP TR 38.901, table 7.5-6).
        shadowing: f64 = level(0.0, 30.0), default 0.0;
        /// Path loss between the access point and stations that have a `distance`.
        path_loss: PathLoss = nested::<PathLossTable>(), default PathLoss::INDOORS;
        /// How the ratio drifts with time; left out if it does not.
        slow_fading: Option<SlowFading> = Optional(nested::<SlowFadingTable>()), default None;
        /// Times at which something stands in the way of a station, each station's own; left out if there are none.
        outages: Option<Outages> = Optional(nested::<OutagesTable>()), default None;
    }
    elsewhere not_yet::of_air;
    check consistent;
}

record! {
    /// How a signal weakens with distance.
    pub(crate) struct PathLossTable for PathLoss {
        /// The exponent beyond the first metre: 2 in free space, 3 indoors through light walls.
        exponent: f64 = real(1.0, 10.0), default PathLoss::INDOORS.exponent;
        /// Attenuation of each wall that a station names: 3.4 dB for a light one, 6.9 dB for a heavy one (COST 231,
        /// section 4.7.2); in between if left out.
        wall_db as "wall": f64 = level(0.0, 100.0), default PathLoss::INDOORS.wall_db;
    }
}

record! {
    /// Slow fading, as people and doors move: a Gaussian process in dB whose correlation decays exponentially.
    pub(crate) struct SlowFadingTable for SlowFading {
        /// Its standard deviation, in dB.
        deviation_db as "deviation": f64 = level(0.0, 20.0);
        /// The time after which its correlation has decayed to 1/e.
        coherence: Duration = time(Duration::from_millis(1), Duration::from_secs(86_400));
    }
}

record! {
    /// Outages, as somebody stands in the way for a while: two states, each of which lasts for an exponential time.
    pub(crate) struct OutagesTable for Outages {
        /// The mean time from the end of one to the beginning of the next.
        between: Duration = time(Duration::from_millis(1), Duration::from_secs(86_400));
        /// How long one lasts on average.
        lasting: Duration = time(Duration::from_millis(1), Duration::from_secs(86_400));
        /// By how much the ratio is lower meanwhile, in dB.
        depth_db as "depth": f64 = level(0.0, 100.0);
    }
}

impl Air {
    /// Whether OFDM and DSSS share the channel.
    pub fn is_erp(&self) -> bool {
        self.band == Band::Ghz2 && self.standard.has_ofdm()
    }

    /// The rates below HT, slowest first.
    pub fn rates(&self) -> Vec<Rate> {
        self.rates_of(self.standard)
    }

    /// The rates below HT that a standard has in this band, slowest first.
    pub fn rates_of(&self, standard: Standard) -> Vec<Rate> {
        let dsss = Speed::ALL.map(|speed| Rate::Dsss(Dsss::new(speed, self.preamble)));
        let ofdm = Ofdm::ALL.map(Rate::Ofdm);
        let dsss = if self.band == Band::Ghz2 { &dsss[..] } else { &[] };
        let ofdm = if standard.has_ofdm() { &ofdm[..] } else { &[] };
        let mut rates = [dsss, ofdm].concat();
        rates.sort_by_key(|rate| rate.bit_rate());
        rates
    }

    /// The rate below HT with this bit rate, if the air has one.
    pub fn rate(&self, wanted: BitRate) -> Option<Rate> {
        self.rates().into_iter().find(|rate| rate.bit_rate() == wanted)
    }

    /// The basic rates, from which those of responses follow.
    pub fn basic(&self) -> BasicRates {
        let (mut dsss, mut ofdm) = (Vec::new(), Vec::new());
        for rate in self.basic_rates.iter().flatten().filter_map(|&rate| self.rate(rate)) {
            match rate.reference() {
                Legacy::Dsss(rate) => dsss.push(rate.speed),
                Legacy::Ofdm(rate) => ofdm.push(rate),
            }
        }
        BasicRates::new(&dsss, &ofdm, self.preamble)
    }

    /// Fills in values left out. They depend on whether a station of the network supports 802.11b alone, and on whether there is
    /// one on its channel.
    pub(crate) fn fill(&mut self, Only80211b { own, near }: Only80211b) {
        if self.is_erp() {
            let slot = if own { SlotTime::Long } else { SlotTime::Short };
            self.slot.get_or_insert(slot);
            let protection = if near { Protection::CtsToSelf } else { Protection::None };
            self.protection.get_or_insert(protection);
        }
        // hostapd's src/ap/hw_features.c, hostapd_prepare_rates().
        self.basic_rates.get_or_insert_with(|| match (self.standard.has_ofdm(), self.band) {
            (false, _) => [Speed::M1, Speed::M2].map(Speed::bit_rate).to_vec(),
            (true, Band::Ghz2) => Speed::ALL.map(Speed::bit_rate).to_vec(),
            (true, Band::Ghz5 | Band::Ghz6) => {
                [Ofdm::M6, Ofdm::M12, Ofdm::M24].map(|rate| Rate::Ofdm(rate).bit_rate()).to_vec()
            }
        });
    }
}

/// Rates as a sentence: `802.11b has 1, 2, 5.5 and 11 Mbit/s`.
pub(super) fn rates_said(who: &str, rates: &[Rate]) -> String {
    let said: Vec<String> = rates.iter().map(|rate| rate.bit_rate().as_mbps_f64().to_string()).collect();
    match said.split_last() {
        Some((last, [])) => format!("{who} has {last} Mbit/s"),
        Some((last, first)) => format!("{who} has {} and {last} Mbit/s", first.join(", ")),
        None => format!("{who} has none"),
    }
}

fn consistent(air: &Air, faults: &Faults, layers: &Layers<'_>) {
    for (key, message, hint) in air.contradictions() {
        faults.fail(layers.place(key), message, Some(hint));
    }
}

impl Air {
    /// What of it does not go together: the key, what is wrong, and what to write.
    pub(crate) fn contradictions(&self) -> Vec<(&'static str, String, String)> {
        let standard = self.standard.name();
        if !self.standard.is_in(self.band) {
            let place = Band::ALL.into_iter().find(|band| self.standard.is_in(*band)).map_or("", Band::name);
            let message = format!("there is no {standard} at {}", self.band.name());
            return vec![("band", message, format!("write band = \"{place}\""))];
        }
        let mut found = Vec::new();
        let (most, at) = match self.band {
            Band::Ghz2 => (Width::Mhz40, " at 2.4 GHz"),
            Band::Ghz5 => (Width::Mhz160, " at 5 GHz"),
            Band::Ghz6 => (Width::Mhz320, ""),
        };
        let widest = self.standard.widest().min(most);
        if self.width > widest {
            let at = if self.standard.widest() > widest { at } else { "" };
            let message = format!("{standard} has no channels of {}{at}", self.width.name());
            found.push(("width", message, format!("write width = \"{}\"", widest.name())));
        }
        if self.preamble == Preamble::Short && self.band != Band::Ghz2 {
            let message = format!("there are no DSSS frames at {}", self.band.name());
            found.push(("preamble", message, "leave it out".to_owned()));
        }
        for (key, given) in [("slot", self.slot.is_some()), ("protection", self.protection.is_some())] {
            if given && !self.is_erp() {
                let message = format!(
                    "`{key}` is a matter of 802.11g, and of 802.11n, 802.11ax and 802.11be at 2.4 GHz"
                );
                found.push((key, message, "leave it out".to_owned()));
            }
        }
        if let Some(unknown) = self.basic_rates.iter().flatten().find(|&&rate| self.rate(rate).is_none()) {
            let unknown = unknown.as_mbps_f64();
            let message = format!("{unknown} Mbit/s cannot be a basic rate: it is none of {standard}");
            found.push(("basic_rates", message, rates_said(standard, &self.rates())));
        }
        found
    }
}
