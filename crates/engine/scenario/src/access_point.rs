//! Access points.

use airloom_propagation::Point;
use airloom_queue::Discipline;
use airloom_sim::Duration;
use airloom_wifi::{Channel, Edca};

use crate::adapter::Adapter;
use crate::air::Air;
use crate::band::Band;
use crate::channel_switch::{ChannelSwitch, ChannelSwitches};
use crate::discipline::Queue;
use crate::edca::Categories;
use crate::multi_link::{ApLink, links};
use crate::not_yet;
use crate::own_air::OwnAir;
use crate::position::IN_SPACE;
use crate::power_cut::{PowerCut, PowerCuts};
use crate::processor::Processor;
use crate::profiles::{ProfileKind, profiled};
use crate::steer::Steer;
use airloom_config::error::Faults;
use airloom_config::form::{Flag, Measure, Name, Optional, Prose, count, packets, time};
use airloom_config::record;
use airloom_config::record::{Layers, flat, nested};
use std::borrow::Cow;

record! {
    /// An access point: a bridge between the air of its network and every server's link.
    pub struct AccessPoint {
        /// Its name.
        name: String = Name;
        /// The number of its primary channel of 20 MHz, such as 36; 6, 36 or, at 6 GHz, 5 if left out. Each of several access
        /// points has one, and those with the same one share the air.
        channel: Option<u8> = Optional(count(1, 233)), default None;
        /// Where it is, as `["2 m", "0 m"]`; a third value is the height.
        position: Option<Point> = Optional(IN_SPACE), default None;
        /// What its network's air has of its own.
        own: OwnAir = flat::<OwnAir>();
        /// Its links, as `[{ band = "5 GHz", channel = 36, width = "80 MHz" }, { band = "6 GHz" }]`, in place of `band`, `channel` and `width`:
        /// it is a multi-link device of 802.11be then, with a radio for each (docs/multi-link.md).
        links: Option<Vec<ApLink>> = Optional(links::<ApLink>()), default None;
        /// The name of its network, of up to 32 octets. If it is left out, networks of a scenario with several access points are called
        /// as these are. Access points may have the same: then they are of one network.
        ssid: Option<String> = Optional(Prose), default None;
        /// Its adapter.
        adapter: Adapter = profiled::<Adapter>(ProfileKind::Adapter);
        /// Its processor, if forwarding takes time: a profile, such as "ar7161".
        processor: Option<Processor> = Optional(profiled::<Processor>(ProfileKind::Processor)), default None;
        /// Its queue towards the air: one for all stations, or one for each with mac80211's. Where it is left out, those if the driver of
        /// its adapter takes packets from them (`pulls_since`) in the Linux that this is of (`kernel`).
        queue: Discipline = Queue::OfRadio, default Discipline::LINUX;
        /// How it contends in each access category itself: hostapd's defaults of `tx_queue_*` where left out, and its adapter's
        /// `aifsn`, `cw_min` and `cw_max` in best effort.
        edca: Option<Categories> = Optional(nested::<Categories>()), default None;
        /// How its stations contend, which its beacons tell them: hostapd's defaults of `wmm_ac_*` where left out, and their own
        /// adapters' `aifsn`, `cw_min` and `cw_max` in best effort.
        wmm: Option<Categories> = Optional(nested::<Categories>()), default None;
        /// The time between beacons: 100 time units of 1024 us.
        beacon_interval: Duration =
            time(Duration::from_millis(1), Duration::from_secs(70)), default Duration::from_micros(102_400);
        /// How many packets it keeps for a station in power save: `STA_MAX_TX_BUFFER` of Linux
        /// net/mac80211/sta_info.h.
        power_save_buffer: u32 = packets(1, 100_000), default 64;
        /// Whether it gives up on frames with TCP that keep coming in damaged over a slow link, before their sender
        /// does.
        pseudo_retry_out: bool = Flag, default false;
        /// Whether it sends what is for a group to each of its stations by itself, at that one's rate and until it is acknowledged
        /// (hostapd's `multicast_to_unicast`, mac80211 `ieee80211_multicast_to_unicast`).
        multicast_to_unicast: bool = Flag, default false;
        /// Whether stations come to it from another one that has this too by a fast transition (802.11r), without a handshake of keys.
        ft: bool = Flag, default false;
        /// Whether it gives up on a station that roams after 50 frames in a row without an acknowledgment, and a second (hostapd's
        /// `disassoc_low_ack`, which is off there by default and on in OpenWrt).
        disassoc_low_ack: bool = Flag, default false;
        /// For how long a station that roams may be silent: then the access point asks it by a null frame, and disassociates it 3 s later if
        /// it still has nothing of it (hostapd's `ap_max_inactivity`, 300 s there by default). Never if left out.
        ap_max_inactivity: Option<Duration> = Optional(time(Duration::from_secs(1), Duration::from_secs(86_400))), default None;
        /// Whether it answers a station that asks which other access points its network has, so that this need not look for them on all
        /// channels (802.11k, hostapd's `rrm_neighbor_report`, with all of them in its list, as usteer or DAWN sees to).
        rrm_neighbor_report: bool = Flag, default false;
        /// When it asks a station that roams to go to a better access point, as { below = "-70 dBm", better_by = "8 dB" }: not if left out.
        steer: Option<Steer> = Optional(nested::<Steer>()), default None;
        /// When it has no power, as `[{ from = "10 s", to = "20 s" }]`: it is silent then, loses what it holds, and knows no station as it is
        /// back.
        off: Option<Vec<PowerCut>> = Optional(PowerCuts), default None;
        /// When it goes to another channel, as `[{ at = "10 s", channel = 100 }]`: its beacons announce that, and its stations follow.
        switch: Option<Vec<ChannelSwitch>> = Optional(ChannelSwitches), default None;
        /// Every how many beacons it sends what it keeps for groups: hostapd's default `dtim_period`.
        dtim_period: u8 = count(1, 255), default 2;
    }
    elsewhere not_yet::of_access_point;
    check sound;
}

/// The longest name of a network, in octets (IEEE 802.11-2020 9.4.2.2).
const LONGEST_SSID: usize = 32;

impl AccessPoint {
    /// The air of its network, where `[air]` says this of all.
    pub fn air<'a>(&self, shared: &'a Air) -> Cow<'a, Air> {
        self.own.over(shared)
    }

    /// Its links, if it has several at once.
    pub fn links(&self) -> &[ApLink] {
        self.links.as_deref().unwrap_or_default()
    }

    /// It as if it had this one of its links alone; itself if it has none.
    pub fn with_link(&self, number: usize) -> Cow<'_, Self> {
        let Some(link) = self.links().get(number).filter(|_| number > 0) else { return Cow::Borrowed(self) };
        let own = OwnAir {
            standard: self.own.standard,
            band: link.band,
            width: link.width,
            basic_rates: None,
            preamble: None,
            slot: None,
            protection: None,
        };
        Cow::Owned(Self { own, channel: link.channel, links: None, ..self.clone() })
    }

    /// Its channel in the air of its network.
    ///
    /// # Panics
    /// If there is none of its number; a scenario that is read has those that there are.
    pub fn spectrum(&self, air: &Air) -> Channel {
        let channel = air.band.channel(self.primary(air.band), air.width);
        channel.expect("channels are checked when the scenario is read")
    }

    /// All channels that it is ever on in the air of its network, in the order of time, as far as there are such.
    pub fn spectra(&self, air: &Air) -> Vec<Channel> {
        let numbers = std::iter::once(self.primary(air.band)).chain(self.switches().map(|one| one.channel));
        numbers.filter_map(|number| air.band.channel(number, air.width)).collect()
    }

    /// Its switches to other channels, in the order of time.
    pub fn switches(&self) -> impl Iterator<Item = &ChannelSwitch> {
        self.switch.iter().flatten()
    }

    /// The number of its primary channel in this band.
    pub fn primary(&self, band: Band) -> u8 {
        self.channel.unwrap_or(band.usual_channel())
    }

    /// The centre of its primary channel, in MHz.
    pub(crate) fn primary_mhz(&self, band: Band) -> u32 {
        band.centre_mhz(self.primary(band))
    }

    /// How its stations contend, as its beacons say.
    pub fn told(&self) -> Edca {
        self.wmm.as_ref().map_or(Edca::STATION, |wmm| wmm.over(Edca::STATION))
    }
}

fn sound(ap: &AccessPoint, faults: &Faults, layers: &Layers<'_>) {
    if let Some(octets) =
        ap.ssid.as_ref().map(String::len).filter(|octets| !(1..=LONGEST_SSID).contains(octets))
    {
        let message = format!("`ssid` of access point `{}` has {octets} octets", ap.name);
        let hint = format!("write a name of 1 to {LONGEST_SSID}");
        faults.fail(layers.place("ssid"), message, Some(hint));
    }
    switches(ap, faults, layers);
    if ap.adapter.usb.is_some() {
        let message = format!("the adapter of access point `{}` is on USB", ap.name);
        let hint =
            "only a station's may be; give the access point another, such as \"ath9k\" or \"dcf\"".to_owned();
        faults.fail(layers.place("adapter"), message, Some(hint));
    }
}

/// Reports a switch that begins while the one before is under way, and one of an access point that is without power at times.
fn switches(ap: &AccessPoint, faults: &Faults, layers: &Layers<'_>) {
    let all: Vec<&ChannelSwitch> = ap.switches().collect();
    let late = all.windows(2).find(|two| two[1].at < two[0].at + two[0].takes(ap.beacon_interval));
    if let Some(&[before, after]) = late {
        let message = format!(
            "access point `{}` is to go to channel {} at {}, before it is on channel {}",
            ap.name,
            after.channel,
            after.at.written(),
            before.channel
        );
        let takes = before.takes(ap.beacon_interval).written();
        let hint = format!("let it begin at least {takes} after the switch before");
        faults.fail(layers.place("switch"), message, Some(hint));
    }
    if !all.is_empty() && ap.off.is_some() {
        let message = format!(
            "access point `{}` has `switch` and `off`, which is not supported: with its power back it would be on its first channel",
            ap.name
        );
        faults.fail(layers.place("switch"), message, Some("leave one of the two out".to_owned()));
    }
}
