//! Hosts: TCP, the queue above the network device, and what happens when a radio leaves its channel.

use airloom_sim::Duration;

use super::discipline::{Discipline, Queue};
use super::emit::Out;
use super::error::Faults;
use super::form::{Flag, Name, time};
use super::record::{Layers, Property, Record, nested, record};
use super::tcp::TcpHost;

/// A host, at a station or at a server.
#[derive(Clone, Debug, PartialEq)]
pub struct Host {
    /// The profile it was made from.
    pub profile: String,
    /// Its TCP. In a file its keys stand directly in the host.
    pub tcp: TcpHost,
    /// The queue between TCP and the network device.
    pub queue: Discipline,
    /// What it does with frames when the radio leaves the channel.
    pub offchannel: OffChannel,
}

record! {
    /// What a host does with frames when the radio leaves the channel.
    pub struct OffChannel {
        /// Whether the frames in the driver are sent before the radio leaves.
        flush: bool = Flag;
        /// Whether the driver drops what it holds when the radio leaves.
        drop_on_leave: bool = Flag;
        /// The longest that the radio waits for the flush.
        flush_wait: Duration = time(Duration::ZERO, Duration::from_secs(10));
        /// Whether a block ack request moves the receiver's window on after a drop.
        block_ack_request_after_drop: bool = Flag;
    }
}

record! {
    /// A host's keys beside those of its TCP.
    struct Rest {
        /// The profile whose values hold where nothing else is said.
        profile: String = Name;
        /// The queue between TCP and the network device.
        queue: Discipline = Queue;
        /// What it does with frames when the radio leaves the channel.
        offchannel: OffChannel = nested::<OffChannel>();
    }
}

impl Record for Host {
    fn keys() -> Vec<&'static str> {
        [Rest::keys(), TcpHost::keys()].concat()
    }

    fn read(faults: &Faults, layers: &Layers<'_>) -> Option<Self> {
        let (rest, tcp) = (Rest::read(faults, layers), TcpHost::read(faults, layers));
        let (rest, tcp) = (rest?, tcp?);
        Some(Self {
            profile: rest.profile,
            tcp,
            queue: rest.queue,
            offchannel: rest.offchannel,
        })
    }

    fn write(&self) -> Vec<(&'static str, Out)> {
        let rest = Rest {
            profile: self.profile.clone(),
            queue: self.queue,
            offchannel: self.offchannel.clone(),
        };
        let mut entries = rest.write();
        let tail = entries.split_off(1);
        entries.extend(self.tcp.write());
        entries.extend(tail);
        entries
    }

    fn properties(over: bool) -> Vec<Property> {
        let mut all = Rest::properties(over);
        all.extend(TcpHost::properties(over));
        all
    }

    fn elsewhere(key: &str) -> Option<&'static str> {
        (key == "tcp").then_some("the keys of a host's TCP stand directly in the host")
    }
}
