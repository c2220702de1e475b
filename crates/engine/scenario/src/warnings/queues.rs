//! Queues without room for what has to wait in them.

use super::packets::longest_at;
use super::{Place, Warning};
use crate::model::Scenario;
use airloom_config::form::{Measure, Packets};
use airloom_queue::{Discipline, Fifo, FqCodel, Mac80211, Sfq, Tbf};
use airloom_sim::Bytes;

/// A queue and what comes to it.
struct Waiting<'a> {
    /// Whose it is.
    name: &'a str,
    discipline: &'a Discipline,
    /// The longest packet of each flow that it holds.
    packets: Vec<u32>,
    /// The table in which it stands, and its keys from there on.
    list: &'static str,
    number: usize,
    keys: &'static [&'static str],
}

pub(super) fn warnings(scenario: &Scenario) -> Vec<Warning> {
    let flows = |host: &str, sent: bool| -> Vec<u32> {
        scenario.flow.iter().filter_map(|flow| longest_at(scenario, flow, host, sent)).collect()
    };
    let aps = scenario.ap.iter().enumerate().map(|(number, ap)| Waiting {
        name: &ap.name,
        discipline: &ap.queue,
        packets: scenario
            .station
            .iter()
            .filter(|station| station.ap == ap.name)
            .flat_map(|station| flows(&station.name, false))
            .collect(),
        list: "ap",
        number,
        keys: &["queue"],
    });
    let stations = scenario.station.iter().enumerate().map(|(number, station)| Waiting {
        name: &station.name,
        discipline: &station.host.queue,
        packets: flows(&station.name, true),
        list: "station",
        number,
        keys: &["host", "queue"],
    });
    let servers = scenario.server.iter().enumerate().flat_map(|(number, server)| {
        [true, false].map(|sent| Waiting {
            name: &server.name,
            discipline: &server.link.queue,
            packets: flows(&server.name, sent),
            list: "server",
            number,
            keys: &["link", "queue"],
        })
    });
    let mut all: Vec<Warning> =
        aps.chain(stations).chain(servers).filter_map(|queue| queue.warning()).collect();
    // The two directions of a link have one queue in the file.
    all.dedup_by(|next, last| next.place == last.place);
    all
}

impl Waiting<'_> {
    fn warning(&self) -> Option<Warning> {
        let &longest = self.packets.iter().max()?;
        let (name, longest) = (self.name, Bytes(longest.into()));
        if let Discipline::Tbf(Tbf { burst, .. }) = self.discipline
            && *burst < longest
        {
            let message = format!(
                "the token bucket of `{name}` holds {}, so no packet of {} passes",
                burst.written(),
                longest.written()
            );
            return Some(self.warned(
                "burst",
                message,
                format!("write burst = \"{}\" or more", longest.written()),
            ));
        }
        let (key, bytes, packets) = match self.discipline {
            Discipline::Fifo(Fifo { limit }) | Discipline::Tbf(Tbf { limit, .. }) => {
                ("limit", limit.bytes, None)
            }
            Discipline::Own(own) => ("limit", own.room.limit.bytes, None),
            Discipline::Sfq(Sfq { limit, .. }) => ("limit", None, Some(*limit)),
            Discipline::FqCodel(FqCodel { limit, memory, .. })
            | Discipline::Mac80211(Mac80211 { limit, memory, .. }) => ("memory", Some(*memory), Some(*limit)),
            Discipline::Codel(_) | Discipline::Pie(_) | Discipline::Red(_) => return None,
        };
        if let Some(bytes) = bytes.filter(|bytes| *bytes < longest) {
            let message = format!(
                "the queue of `{name}` holds {}, less than a packet of {}: what has to wait is lost",
                bytes.written(),
                longest.written()
            );
            return Some(self.warned(key, message, format!("write {key} = \"100 kB\" or more")));
        }
        let packets = packets.filter(|limit| (*limit as usize) <= self.packets.len())?;
        let flows = match self.packets.len() {
            1 => "one flow sends more than that at a time".to_owned(),
            n => format!("{n} flows wait there: each loses most of what it sends at a time"),
        };
        let room = if packets == 1 { "one packet".to_owned() } else { Packets(packets).written() };
        let message = format!("the queue of `{name}` has room for {room}, and {flows}");
        let hint = format!("write limit = \"{}\" or more, or leave it out", Packets(100 * packets).written());
        Some(self.warned("limit", message, hint))
    }

    fn warned(&self, key: &'static str, message: String, hint: String) -> Warning {
        let keys = [self.keys, &[key]].concat();
        Warning {
            message,
            hint: Some(hint),
            concerns: vec![self.name.to_owned()],
            place: Place::new(self.list, self.number, &keys),
        }
    }
}
