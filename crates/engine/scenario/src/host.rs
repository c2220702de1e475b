//! Hosts: TCP, the queue above the network device, and what happens when a radio leaves its channel.

use airloom_queue::Discipline;
use airloom_sim::Duration;
use airloom_tcp::Config;
use airloom_wifi::scan::OffChannel;

use crate::discipline::Queue;
use crate::kernel::{Kernel, KernelForm};
use crate::link_rate::{LinkRate, LinkRateForm};
use crate::not_yet;
use crate::tcp::TcpTable;
use airloom_config::emit::Out;
use airloom_config::error::Faults;
use airloom_config::form::{Flag, Name, Optional, small_size, time};
use airloom_config::record;
use airloom_config::record::{Layers, Property, Record, nested};

/// A host, at a station or at a server.
#[derive(Clone, Debug, PartialEq)]
pub struct Host {
    /// The profile it was made from.
    pub profile: String,
    /// The Linux that it runs; none of another system.
    pub kernel: Option<Kernel>,
    /// Its TCP. In a file its keys stand directly in the host.
    pub tcp: Config,
    /// How a sender's TCP learns the rate of its own radio link.
    pub link_rate: LinkRate,
    /// The queue between TCP and the network device.
    pub queue: Discipline,
    /// Bytes of every packet in addition to IP's headers and the layers above.
    pub packet_overhead: u32,
    /// How it leaves the channel for a scan.
    pub offchannel: OffChannel,
}

record! {
    /// How a host's kernel scans: for how long it leaves the channel, and how.
    struct OffChannelTable for OffChannel {
        /// How long the radio stays on each channel.
        dwell: Duration = time(Duration::from_micros(1), Duration::from_secs(10));
        /// How long it is back on its own channel in between.
        home: Duration = time(Duration::ZERO, Duration::from_secs(60));
        /// Whether the driver's queue is emptied before the null frame that announces sleep, rather than after it.
        flush_first: bool = Flag;
        /// The longest that the radio waits for the queue to empty.
        flush_timeout: Duration = time(Duration::ZERO, Duration::from_secs(10));
        /// Whether packets left then are dropped.
        flush_drops: bool = Flag;
        /// Whether the scan starts with such a flush while the queues above keep running.
        drain_at_start: bool = Flag;
        /// How long the radio may stay away, over several channels, while nothing waits to be sent.
        longest_absence: Duration = time(Duration::ZERO, Duration::from_secs(10));
    }
}

record! {
    /// A host's keys other than those of its TCP.
    struct Rest {
        /// The profile that gives the values of keys left out.
        profile: String = Name;
        /// The Linux that it runs, such as "Linux 6.18", which decides what lies above its adapter's driver where `queue` is left out; none of
        /// another system.
        kernel: Option<Kernel> = Optional(KernelForm), default None;
        /// How a sender learns the rate of its own radio link: "ignore", "told" or { poll = "100 ms" }.
        link_rate: LinkRate = LinkRateForm, default LinkRate::Ignored;
        /// The queue between TCP and the network device. Where it is left out, mac80211's queues if the driver of the adapter takes
        /// packets from those (`pulls_since`) with the Linux that the host runs.
        queue: Discipline = Queue::OfRadio;
        /// Bytes of every packet in addition to IP's headers and the layers above.
        packet_overhead: u32 = small_size(0, 1000), default 0;
        /// How it leaves the channel for a scan.
        offchannel: OffChannel = nested::<OffChannelTable>(), default OffChannel::MAC80211;
    }
}

impl Record for Host {
    type Of = Self;

    fn keys() -> Vec<&'static str> {
        [Rest::keys(), TcpTable::keys()].concat()
    }

    fn read(faults: &Faults, layers: &Layers<'_>) -> Option<Self> {
        let (rest, tcp) = (Rest::read(faults, layers), TcpTable::read(faults, layers));
        let (rest, tcp) = (rest?, tcp?);
        let Rest { profile, kernel, link_rate, queue, packet_overhead, offchannel } = rest;
        Some(Self { profile, kernel, tcp, link_rate, queue, packet_overhead, offchannel })
    }

    fn write(host: &Self) -> Vec<(&'static str, Out)> {
        let rest = Rest {
            profile: host.profile.clone(),
            kernel: host.kernel,
            link_rate: host.link_rate,
            queue: host.queue.clone(),
            packet_overhead: host.packet_overhead,
            offchannel: host.offchannel,
        };
        let mut entries = Rest::write(&rest);
        let tail = entries.split_off(1 + usize::from(host.kernel.is_some()));
        entries.extend(TcpTable::write(&host.tcp));
        entries.extend(tail);
        entries
    }

    fn properties(over: bool) -> Vec<Property> {
        let mut all = Rest::properties(over);
        all.extend(TcpTable::properties(over));
        all
    }

    fn elsewhere(key: &str) -> Option<&'static str> {
        match key {
            "tcp" => Some("the keys of a host's TCP stand directly in the host"),
            _ => not_yet::key(key),
        }
    }
}
