//! Monitor stations at places: what of the frames on the air gets through to each.
//!
//! A monitor receives a frame as any radio does: by its signal over the noise, and amid what overlaps it there, of which all is known only a
//! while after the frame has ended. Its chance is a stream of its own, so that a run does not depend on who listens.

use super::carrier::Carrier;
use super::fading::Fading;
use crate::files::{Files, Sink};
use airloom_observe::{NodeId, Ppdu};
use airloom_propagation::{Hardiness, Interference, Point, Signal, error, snr_of};
use airloom_rate::{Dsss, Ofdm, Preamble, Rate, Speed};
use airloom_scenario::{Monitor as Wanted, Place, Scenario};
use airloom_sim::{Duration, IndexVec, Stream, Time};
use airloom_wifi::Channel;
use airloom_wifi::frame_size::PHY_HEADER_BYTES;
use airloom_wire::pcapng::{Interface, InterfaceId, Record, Writer};
use airloom_wire::{AirFrame, LinkType, RadiotapRepr};
use std::collections::{BTreeMap, VecDeque};
use std::io;

/// So long after the end of a frame all is known that overlapped it: the longest, of 1,500 bytes at 1 Mbit/s, lasts 12.4 ms.
const KNOWN_AFTER: Duration = Duration::from_millis(20);

/// All monitors at places.
pub(super) struct Monitors {
    /// Where radios are; none if there are no monitors.
    place: Option<Place>,
    /// The error vector magnitude of each radio in dB.
    evm_db: IndexVec<NodeId, f64>,
    all: Vec<Monitor>,
}

/// One of them.
struct Monitor {
    name: String,
    position: Point,
    channel: Channel,
    writer: Writer<Sink>,
    interface: InterfaceId,
    room: usize,
    losses: Stream,
    fading: Option<Fading>,
    /// What was on the air lately.
    sent: Vec<Sent>,
    /// Frames of which it is not known yet what overlapped them.
    held: VecDeque<Held>,
    /// The last PPDU whose header was looked at, by start and sender, and whether it got through.
    header: Option<((Time, NodeId), bool)>,
    written: u64,
}

/// A PPDU as it reaches the place of a monitor.
#[derive(Clone, Copy)]
struct Sent {
    from: NodeId,
    filled: Channel,
    span: (Time, Time),
    /// Its power.
    dbm: f64,
}

/// A frame as it reaches the place of a monitor.
struct Held {
    from: NodeId,
    filled: Channel,
    /// Its PPDU.
    ppdu: (Time, Time),
    /// Its part of that.
    span: (Time, Time),
    bytes: u32,
    signal: Signal,
    record: Vec<u8>,
    original_len: u32,
}

impl Monitors {
    /// Opens a capture for each.
    pub(super) fn new(scenario: &Scenario, files: &mut dyn Files, snap_length: u32) -> io::Result<Self> {
        let open = |one: &Wanted| {
            let channel = one.tuned_to(scenario).expect("a monitor is on the channel of an access point");
            Monitor::new(one, channel, scenario, files, snap_length)
        };
        let all = scenario.monitor.iter().map(open).collect::<io::Result<Vec<_>>>()?;
        let place = if all.is_empty() { None } else { scenario.place() };
        let evm_of = |adapter: &airloom_scenario::Adapter| adapter.evm;
        let evm_db = scenario.nodes().map(|(_, role)| role.adapter().map_or(0.0, evm_of)).collect();
        Ok(Self { place, evm_db, all })
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// A PPDU has been on the air, on this channel.
    pub(super) fn ppdu(&mut self, ppdu: &Ppdu, on: Channel) -> io::Result<()> {
        let Some(place) = &self.place else { return Ok(()) };
        for monitor in &mut self.all {
            monitor.settle(ppdu.end)?;
            let filled = on.part(ppdu.width);
            if filled.overlaps(&monitor.channel) {
                let fade_db = monitor.fading.as_mut().map_or(0.0, |fading| fading.db(ppdu.from, ppdu.end));
                let dbm = monitor.dbm(place, ppdu) + fade_db;
                monitor.sent.push(Sent { from: ppdu.from, filled, span: (ppdu.start, ppdu.end), dbm });
            }
        }
        Ok(())
    }

    /// A frame of the PPDU that was on the air last.
    pub(super) fn frame(&mut self, of: &Carrier<'_>, frame: &AirFrame<'_>) -> io::Result<()> {
        let evm_db = self.evm_db[of.ppdu.from];
        self.all.iter_mut().try_for_each(|monitor| monitor.frame(of, frame, evm_db))
    }

    /// Completes the files. Returns how many records each has, by its monitor's name.
    pub(super) fn finish(self) -> io::Result<BTreeMap<String, u64>> {
        let finish = |mut monitor: Monitor| {
            monitor.settle(Time::NEVER)?;
            monitor.writer.finish().map(|_| (monitor.name, monitor.written))
        };
        self.all.into_iter().map(finish).collect()
    }
}

impl Monitor {
    fn new(
        one: &Wanted,
        channel: Channel,
        scenario: &Scenario,
        files: &mut dyn Files,
        snap_length: u32,
    ) -> io::Result<Self> {
        let name = one.name.clone();
        let mut writer = Writer::new(files.create(&format!("{name}.pcapng"))?, "airloom")?;
        let description = "monitor station at a place of the plan";
        let interface =
            Interface { link: LinkType::RADIOTAP, name: &name, description, snap_len: snap_length };
        let room = interface.room();
        let interface = writer.interface(&interface)?;
        let losses = Stream::new(scenario.seed, &name, "losses at a monitor");
        let fading = Fading::of(scenario, &name);
        let (sent, held) = (Vec::new(), VecDeque::new());
        let position = one.position;
        Ok(Self {
            name,
            position,
            channel,
            writer,
            interface,
            room,
            losses,
            fading,
            sent,
            held,
            header: None,
            written: 0,
        })
    }

    /// The power in dBm at which it receives a PPDU.
    fn dbm(&self, place: &Place, ppdu: &Ppdu) -> f64 {
        let carrier_hz = 1e6 * f64::from(self.channel.primary_mhz);
        place.level_from(self.position, carrier_hz, ppdu.from, ppdu.start - Time::ZERO)
    }

    /// A frame of the PPDU that was sent last reaches it, if that has its primary channel.
    fn frame(&mut self, of: &Carrier<'_>, frame: &AirFrame<'_>, evm_db: f64) -> io::Result<()> {
        let is_of_it = |sent: &&Sent| (sent.from, sent.span.0) == (of.ppdu.from, of.ppdu.start);
        let Some(&Sent { filled, dbm, .. }) = self.sent.last().filter(is_of_it) else { return Ok(()) };
        if !filled.has_primary_of(&self.channel) {
            return Ok(());
        }
        let rate = of.user.rate;
        let snr_db = snr_of(dbm, filled.width);
        let radiotap = RadiotapRepr { signal_dbm: Some(dbm.clamp(-127.0, 0.0) as i8), ..frame.radiotap };
        let mut record = Vec::new();
        let length =
            AirFrame { radiotap, ..*frame }.emit(self.room, &mut record).map_err(io::Error::other)?;
        self.held.push_back(Held {
            from: of.ppdu.from,
            filled,
            ppdu: (of.ppdu.start, of.ppdu.end),
            span: of.span(),
            bytes: of.user.bytes / u32::from(of.user.mpdus.max(1)),
            signal: Signal { rate, snr_db, evm_db, streams: rate.streams(), quick_db: 0.0 },
            record,
            original_len: length as u32,
        });
        Ok(())
    }

    /// Decides on the frames of which all is known by now, and forgets what overlaps none that is held.
    fn settle(&mut self, now: Time) -> io::Result<()> {
        while self.held.front().is_some_and(|held| held.ppdu.1 + KNOWN_AFTER <= now) {
            let Some(held) = self.held.pop_front() else { break };
            if self.gets(&held) {
                self.written += 1;
                self.writer.record(&Record {
                    interface: self.interface,
                    stamp_ns: held.ppdu.1.as_nanos(),
                    data: &held.record,
                    original_len: held.original_len,
                    comment: None,
                })?;
            }
        }
        let began = self.held.iter().map(|held| held.ppdu.0).min();
        self.sent.retain(|sent| sent.span.1 + KNOWN_AFTER > began.unwrap_or(now).min(now));
        Ok(())
    }

    /// Whether a frame gets through: the header of its PPDU, which is drawn once, and its own part of it.
    fn gets(&mut self, held: &Held) -> bool {
        let mut others = self.overlapping(held);
        let (start, end) = held.ppdu;
        let ppdu = (start, held.from);
        let found = match self.header {
            Some((of, found)) if of == ppdu => found,
            _ => {
                let lowest = Signal { rate: lowest(held.signal.rate), streams: 1, ..held.signal };
                let begun = (start + lowest.rate.airtime(0)).min(end);
                self.is_spared(&mut others, (start, begun), PHY_HEADER_BYTES, lowest)
            }
        };
        self.header = Some((ppdu, found));
        found && self.is_spared(&mut others, held.span, held.bytes, held.signal)
    }

    /// Whether noise and others spare so many bytes of a signal.
    fn is_spared(
        &mut self,
        others: &mut Interference,
        span: (Time, Time),
        bytes: u32,
        signal: Signal,
    ) -> bool {
        let ratio = error::effective_snr_db(signal.snr_db, signal.evm_db, signal.streams);
        let mut chance = error::survival(error::bit_error(signal.rate, ratio), bytes);
        if !others.is_empty() {
            chance *= others.spares(span, bytes, &mut Hardiness::new(signal));
        }
        self.losses.chance(chance)
    }

    /// What overlaps a frame at its place.
    fn overlapping(&self, held: &Held) -> Interference {
        let mut others = Interference::default();
        let (start, end) = held.ppdu;
        let there = self.sent.iter().filter(|sent| {
            sent.from != held.from
                && sent.span.0 < end
                && start < sent.span.1
                && sent.filled.overlaps(&held.filled)
        });
        let ratio = |sent: &Sent| error::from_db(snr_of(sent.dbm, sent.filled.width.max(held.filled.width)));
        there.for_each(|sent| others.add(sent.span, ratio(sent)));
        others
    }
}

/// The lowest rate beside this one, at which the header of its PPDU goes.
fn lowest(rate: Rate) -> Rate {
    match rate {
        Rate::Dsss(_) => Rate::Dsss(Dsss::new(Speed::M1, Preamble::Long)),
        _ => Rate::Ofdm(Ofdm::M6),
    }
}
