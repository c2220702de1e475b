//! What else is on the air: Bluetooth, microwave ovens, and neighbours by themselves.

use airloom_config::error::Faults;
use airloom_config::form::{Flag, Name, Optional, RealQuantity, count, power, real, time, words};
use airloom_config::record;
use airloom_config::record::Layers;
use airloom_config::toml_tree::Table;
use airloom_propagation::Point;
use airloom_rate::Width;
use airloom_sim::Duration;
use airloom_wifi::{Source, Spectrum};

use crate::band::Band;
use crate::not_yet;
use crate::position::IN_SPACE;
use crate::{Air, Scenario};

airloom_sim::kinds! {
    /// What an interferer is.
    pub enum InterfererKind {
        /// A Bluetooth link that is always busy: 1,600 hops a second over 79 channels of 1 MHz.
        Bluetooth = "bluetooth",
        /// A microwave oven: on for half of each period of the mains.
        Microwave = "microwave",
        /// A neighbour's network by itself, which takes a share of the time.
        Neighbour = "neighbour",
    }
}

airloom_sim::kinds! {
    /// The frequency of the mains.
    pub enum Mains {
        /// As in most of the world.
        Hz50 = "50 Hz",
        /// As in North America.
        Hz60 = "60 Hz",
    }
}

/// The power that a radio receives, in dBm.
const RECEIVED: RealQuantity = power(-120.0, 0.0);

record! {
    /// Something beside 802.11 that sends, or a neighbour's network by itself.
    pub struct Interferer {
        /// Its name.
        name: String = Name;
        /// What it is: "bluetooth", "microwave", both at 2.4 GHz, or "neighbour".
        kind: InterfererKind = words(InterfererKind::WORDS, &[]);
        /// The power at which every radio receives it, such as "-60 dBm"; or say `position`.
        level: Option<f64> = Optional(RECEIVED), default None;
        /// Where it is, where radios have a position too. It sends with 17 dBm.
        position: Option<Point> = Optional(IN_SPACE), default None;
        /// Of Bluetooth: whether it hops around the channels of the scenario's networks.
        adaptive: Option<bool> = Optional(Flag), default None;
        /// Of an oven: the frequency of the mains, "50 Hz" if left out.
        mains: Option<Mains> = Optional(words(Mains::WORDS, &[])), default None;
        /// Of a neighbour: the number of its channel of 20 MHz in the band of `[air]`.
        channel: Option<u8> = Optional(count(1, 233)), default None;
        /// Of a neighbour: the share of the time that its frames take while nobody else sends.
        occupancy: Option<f64> = Optional(real(0.01, 0.95)), default None;
        /// Of a neighbour: how long one of its frames lasts with its answer; 1 ms if left out.
        frame: Option<Duration> = Optional(time(Duration::from_micros(20), Duration::from_millis(20))), default None;
    }
    elsewhere not_yet::of_what_stays;
    check sound;
}

/// Reports keys of other kinds, and what a kind lacks.
fn sound(one: &Interferer, faults: &Faults, layers: &Layers<'_>) {
    use InterfererKind::{Bluetooth, Microwave, Neighbour};
    let said = [
        ("adaptive", one.adaptive.is_some(), Bluetooth),
        ("mains", one.mains.is_some(), Microwave),
        ("channel", one.channel.is_some(), Neighbour),
        ("occupancy", one.occupancy.is_some(), Neighbour),
        ("frame", one.frame.is_some(), Neighbour),
    ];
    for (key, _, kind) in said.iter().filter(|(_, is_said, kind)| *is_said && *kind != one.kind) {
        let message = format!("`{key}` means nothing to an interferer of kind `{}`", one.kind.name());
        faults.fail(layers.place(key), message, Some(format!("it belongs to kind `{}`", kind.name())));
    }
    if one.kind == Neighbour && (one.channel.is_none() || one.occupancy.is_none()) {
        let hint = "write for example channel = 36 and occupancy = 0.4".to_owned();
        let message = "an interferer of kind `neighbour` needs `channel` and `occupancy`";
        faults.lack(layers.at, message, Some(hint));
    }
    if one.level.is_some() == one.position.is_some() {
        let message = format!("interferer `{}` needs either `level` or `position`", one.name);
        let hint = "write for example level = \"-60 dBm\"".to_owned();
        faults.lack(layers.at, message, Some(hint));
    }
}

/// Reports what is not in the air of a scenario, and a place where nothing else has one.
pub(crate) fn check(faults: &Faults, root: &Table, scenario: &Scenario) {
    for (one, node) in scenario.interferer.iter().zip(root.items("interferer")) {
        if let Err((key, message, hint)) = one.fits(scenario) {
            faults.fail(node.place_of(key), message, Some(hint));
        }
        if one.position.is_some() && !scenario.has_places() {
            let message = format!("interferer `{}` has a `position`, but no radio has one", one.name);
            let hint = "say at which `level` all radios receive it, such as level = \"-60 dBm\"".to_owned();
            faults.fail(node.place_of("position"), message, Some(hint));
        }
    }
}

impl Interferer {
    /// When it sends, and where in the spectrum, beside networks on these channels.
    ///
    /// # Panics
    /// If a neighbour has no channel; a scenario that is read has one that there is.
    pub fn source(&self, air: &Air, networks: &[Spectrum]) -> Source {
        match self.kind {
            InterfererKind::Bluetooth => {
                let spared = if self.adaptive == Some(true) { networks.to_vec() } else { Vec::new() };
                Source::Bluetooth { spared }
            }
            InterfererKind::Microwave => {
                let hertz = if self.mains == Some(Mains::Hz60) { 60 } else { 50 };
                Source::Microwave { period: Duration::from_nanos(1_000_000_000 / hertz) }
            }
            InterfererKind::Neighbour => {
                let number = self.channel.expect("a neighbour has a channel");
                let frame = self.frame.unwrap_or(Duration::from_millis(1));
                let spectrum = Spectrum::around(air.band.centre_mhz(number), 20);
                Source::Neighbour { spectrum, frame, occupancy: self.occupancy.unwrap_or(0.01) }
            }
        }
    }

    /// Its carrier in Hz, at which its signal weakens with distance.
    pub fn carrier_hz(&self, air: &Air) -> f64 {
        let mhz = self.channel.map_or(2450, |number| air.band.centre_mhz(number));
        1e6 * f64::from(mhz)
    }

    /// Whether there is such a thing in this air: the channel that it names, and 2.4 GHz for what is only there.
    pub(crate) fn fits(&self, scenario: &Scenario) -> Result<(), (&'static str, String, String)> {
        let band = scenario.air.band;
        match (self.kind, self.channel) {
            (InterfererKind::Neighbour, Some(number)) if band.channel(number, Width::Mhz20).is_none() => {
                let message = format!("there is no channel {number} of 20 MHz at {}", band.name());
                Err(("channel", message, format!("write for example channel = {}", band.usual_channel())))
            }
            (InterfererKind::Neighbour, _) => Ok(()),
            _ if scenario.ap.iter().any(|ap| scenario.air_of(ap).band == Band::Ghz2) => Ok(()),
            _ => {
                let message = format!("`{}` sends at 2.4 GHz, where no network is", self.kind.name());
                Err(("kind", message, "leave it out, or give an access point band = \"2.4 GHz\"".to_owned()))
            }
        }
    }
}
