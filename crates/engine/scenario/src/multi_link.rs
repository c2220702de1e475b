//! Multi-link operation: an access point and stations with several links at once (IEEE 802.11be-2024 35.3).

use airloom_rate::Width;
use airloom_wifi::RateChoice;

use crate::air::{Air, OTHER_WIDTHS};
use crate::band::Band;
use crate::rate_form::RateForm;
use crate::rate_text::RateText;
use crate::signal::{LEAST_SNR, MOST_SNR};
use airloom_config::emit::Out;
use airloom_config::error::Faults;
use airloom_config::form::{Form, List, Optional, count, level, words};
use airloom_config::record;
use airloom_config::record::{Nested, Record, nested};
use airloom_config::toml_tree::{TomlNode, Value};
use serde_json::Value as Json;
use std::marker::PhantomData;

/// The most links of a device: link IDs have 4 bits, and 15 says that there is none (`IEEE80211_MLD_MAX_NUM_LINKS` of Linux 6.18).
const MOST_LINKS: usize = 15;

airloom_sim::kinds! {
    /// How a station uses its links (IEEE 802.11be-2024 35.3.16 and 35.3.17).
    pub enum MultiLink {
        /// One at a time, the first of them (multi-link single radio).
        SingleRadio = "mlsr",
        /// It listens on all and has one frame exchange at a time (enhanced multi-link single radio).
        EnhancedSingleRadio = "emlsr",
        /// All at once: it sends on one while it receives on another (simultaneous transmit and receive).
        Simultaneous = "str",
        /// All at once, but it receives on none while it sends on another (nonsimultaneous transmit and receive).
        Nonsimultaneous = "nstr",
    }
}

impl MultiLink {
    /// Whether it can be simulated.
    pub(crate) const fn is_built(self) -> bool {
        matches!(self, Self::SingleRadio | Self::Simultaneous)
    }
}

record! {
    /// A link of an access point: a network with a channel of its own.
    pub struct ApLink {
        /// Its band; that of the air if left out.
        band: Option<Band> = Optional(words(Band::WORDS, &[]).hinted(Band::OTHER_NAMES)), default None;
        /// The number of its primary channel of 20 MHz; 6, 36 or, at 6 GHz, 5 if left out.
        channel: Option<u8> = Optional(count(1, 233)), default None;
        /// The width of its channel; that of the air if left out.
        width: Option<Width> = Optional(words(Width::WORDS, &[]).hinted(OTHER_WIDTHS)), default None;
    }
}

record! {
    /// A link of a station: one of those that its access point has.
    pub(crate) struct StationLinkText {
        /// Its band; that of the air if left out.
        band: Option<Band> = Optional(words(Band::WORDS, &[]).hinted(Band::OTHER_NAMES)), default None;
        /// The number of its primary channel; may be left out where the access point has one link in that band.
        channel: Option<u8> = Optional(count(1, 233)), default None;
        /// The width of its channel, which is that of the access point's link; may be left out.
        width: Option<Width> = Optional(words(Width::WORDS, &[]).hinted(OTHER_WIDTHS)), default None;
        /// The mean signal-to-noise ratio with which the station hears its access point on it; if left out, that of the station or the one that
        /// follows from its `distance`.
        snr: Option<f64> = Optional(level(LEAST_SNR, MOST_SNR)), default None;
        /// The rate of data frames on it in both directions, or what chooses it; the station's if left out.
        rate: Option<RateText> = Optional(RateForm), default None;
    }
}

/// A link of a station with everything filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct StationLink {
    /// Its place among the links of the access point.
    pub number: usize,
    /// Its band.
    pub band: Band,
    /// The number of its primary channel.
    pub channel: u8,
    /// The width of its channel.
    pub width: Width,
    /// The signal-to-noise ratio with which the station hears its access point on it, in dB.
    pub snr: f64,
    /// How the rate of data frames on it is chosen, in both directions.
    pub rate: RateChoice,
}

impl StationLink {
    /// As it would be written.
    pub(crate) fn text(&self) -> StationLinkText {
        StationLinkText {
            band: Some(self.band),
            channel: Some(self.channel),
            width: Some(self.width),
            snr: Some(self.snr),
            rate: Some(RateText::of(&self.rate)),
        }
    }
}

impl ApLink {
    /// Fills in what is left out, in this air.
    pub(crate) fn fill(&mut self, shared: &Air) {
        let band = *self.band.get_or_insert(shared.band);
        self.channel.get_or_insert(band.usual_channel());
        self.width.get_or_insert(shared.width);
    }

    /// In words, once it is filled in.
    pub(crate) fn said(&self) -> String {
        let band = self.band.map_or("", Band::name);
        self.channel.map_or_else(|| band.to_owned(), |channel| format!("channel {channel} at {band}"))
    }

    /// Whether this link of a station may be it: what that says is so.
    fn is_meant(&self, link: &StationLinkText, shared: &Air) -> bool {
        self.band == Some(link.band.unwrap_or(shared.band))
            && link.channel.is_none_or(|channel| self.channel == Some(channel))
    }
}

/// The places of a station's links among these of its access point, which are filled in; or the first link that is not one of them, with why.
pub(crate) fn places(
    wanted: &[StationLinkText],
    known: &[ApLink],
    shared: &Air,
) -> Result<Vec<usize>, (usize, &'static str)> {
    let mut places = Vec::new();
    for (n, link) in wanted.iter().enumerate() {
        let meant: Vec<usize> = (0..known.len()).filter(|&at| known[at].is_meant(link, shared)).collect();
        match meant[..] {
            [place] if places.contains(&place) => return Err((n, "that stands there twice")),
            [place] if link.width.is_some_and(|width| known[place].width != Some(width)) => {
                return Err((n, "of that width, which is not supported"));
            }
            [place] => places.push(place),
            [] => return Err((n, "that the access point has not")),
            _ => return Err((n, "of which there are several in that band")),
        }
    }
    Ok(places)
}

/// Links as an array of tables.
pub(crate) struct Links<R>(PhantomData<R>);

/// Links that are written as this table each.
pub(crate) const fn links<R: Record>() -> Links<R> {
    Links(PhantomData)
}

/// How those of an access point are written.
pub(crate) const EXAMPLE: &str = "write for example links = [{ band = \"5 GHz\", channel = 36, width = \"80 MHz\" }, { band = \"6 GHz\", channel = 5, width = \"80 MHz\" }]";

impl<R: Record> Form for Links<R> {
    type Of = Vec<<Nested<R> as Form>::Of>;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Self::Of> {
        let read = List(nested::<R>()).read(faults, path, found)?;
        let Some(Value::List(items)) = found.first().map(|node| &node.value) else { return None };
        if items.is_empty() {
            faults.fail(found[0].at, "`links` has no link", Some(EXAMPLE.to_owned()));
            return None;
        }
        if let Some(further) = items.get(MOST_LINKS) {
            let message = format!("more than {MOST_LINKS} links: link IDs have 4 bits and go from 0 to 14");
            faults.fail(further.at, message, Some("leave the further ones out".to_owned()));
            return None;
        }
        Some(read)
    }

    fn write(&self, value: &Self::Of) -> Option<Out> {
        List(nested::<R>()).write(value)
    }

    fn schema(&self) -> Json {
        List(nested::<R>()).schema()
    }
}
