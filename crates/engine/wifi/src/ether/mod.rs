//! The ether: all radios, each in a network and on its channel.
//!
//! It is a state machine like every component: packets and timers in, effects out. Inside, it routes between its
//! parts, none of which knows another: each [`Medium`] grants access, each [`Contender`] of a [`Radio`] has PPDUs ready, each
//! [`Link`] has rates and loses, each [`Tid`] of a [`Peer`] numbers and reorders, each [`scan`](crate::scan) procedure comes and goes. A transmission costs three events,
//! whatever its length: access, reception, and the end of the exchange; a fourth with RTS, more among hidden stations.
//!
//! ```text
//!  send() -> Tid.window -> Contender.hardware -> Contention -> air -> Tid.reorder -> effects.arrived
//!               ^------------------ BlockAck, retries --------'
//! ```

mod ath9k;
mod attempt;
mod changes;
mod channel_access;
mod completion;
mod dismissing;
mod driver;
mod earliest;
mod effects;
mod frame_exchange;
mod group;
mod inactivity;
mod interference;
mod interferers;
mod media;
mod medium;
mod missing;
mod moving;
mod multi_link;
mod neighbors;
mod own_turns;
mod probing;
mod pulling_ahead;
mod rates;
mod reach;
mod roaming;
mod saving;
mod scanning;
mod secondary;
mod sent_frame;
mod silence;
mod steering;
mod switching;
mod tx_scheduler;
mod txop;

pub use effects::{Done, Effects, Move, RateChange};

use crate::adapter::Adapter;
use crate::bss::{self, AccessPoint, Bss, PowerSwitch, Switching};
use crate::category::{Edca, PerCategory};
use crate::contender::{Claim, Contender};
use crate::contention::ContenderId;
use crate::device::{Association, Device};
use crate::id::{
    AttemptId, BssId, ChannelId, DeviceId, InterfererId, LinkId, MediumId, PeerId, RadioId, TidId, TimerId,
};
use crate::link::{Inactivity, Link, Unacknowledged};
use crate::peer::Peer;
use crate::power::Power;
use crate::power_save::{PowerSave, Saving};
use crate::radio::{AccessFunction, Beacons, PowerFrames, Radio, Scanning};
use crate::rate_control::{RateChoice, Setup};
use crate::roaming::{Berth, Roamer, Roaming};
use crate::scan::{Judge, Procedure, Remedy, Scanner};
use crate::send_window::Settled;
use crate::spectrum::Channel;
use crate::steering::LOOKS;
use crate::tid::Tid;
use airloom_observe::{NodeId, Probe};
use airloom_propagation::{Interference, Obstacle, Outages, Path, SlowFading};
use airloom_rate::Rate;
use airloom_sim::{Duration, Handle, IndexVec, Stream, Time, seed_of};
use attempt::Attempt;
use interference::{Emissions, KnownHardiness};
use interferers::Interferers;
use media::Media;
use medium::{Medium, Sensing};
use own_turns::OwnTurns;
use std::collections::VecDeque;
use std::iter;
use switching::access;

/// The purpose of a timer of the ether.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Timer {
    /// A backoff ends.
    Access,
    /// The next step of the attempts of a medium's radios.
    Exchange(MediumId),
    /// A step of a radio's scan.
    Scan(RadioId),
    /// A radio's connection manager asks for a scan.
    Request(RadioId),
    /// A network's beacon is due.
    Beacon(BssId),
    /// A network's access point loses its power, or has it back.
    Power(BssId),
    /// A network's access point begins to announce that it goes to another channel.
    Switch(BssId),
    /// A radio goes to another channel, as its network does.
    Retune(RadioId),
    /// An access point looks whether a station should go to another one.
    Steering(BssId),
    /// A station may have been without data for long enough to doze.
    Doze(RadioId),
    /// The interrupt for reports of a device's firmware is due.
    Reports(DeviceId),
    /// The reorder buffer of a TID gives up on a hole.
    Reorder(TidId),
    /// A timed change by a link's rate control is due.
    RateControl(LinkId),
    /// The next step of a station's way to another access point.
    Way(DeviceId),
    /// A station's connection manager asked for this time.
    Manager(DeviceId),
    /// A station's scan waited for a frame that was being sent.
    LaterScan(DeviceId),
    /// A station may have had nothing of its access point for long.
    Idle(DeviceId),
    /// An access point may have had nothing of the receiver of a link for long.
    Inactivity(LinkId),
    /// An interferer begins to send, or is done.
    Interferer(InterfererId),
}

const ACCESS: TimerId = TimerId(0);

/// All radios, in networks on channels.
pub struct Ether {
    seed: u64,
    channels: IndexVec<ChannelId, Channel>,
    media: Media,
    bss: IndexVec<BssId, Bss>,
    devices: IndexVec<DeviceId, Device>,
    peers: IndexVec<PeerId, Peer>,
    radios: IndexVec<RadioId, Radio>,
    links: IndexVec<LinkId, Link>,
    tids: IndexVec<TidId, Tid>,
    power: Power,
    /// Which radios hear each other may change: each senses a medium of its own.
    reach_changes: bool,
    /// A station may go to another access point.
    roams: bool,
    /// An access point goes to another channel.
    any_switches: bool,
    /// Devices have several links at once.
    multi_link: bool,
    own_turns: OwnTurns,
    /// The names of nodes.
    names: IndexVec<NodeId, String>,
    device_of: IndexVec<NodeId, Option<DeviceId>>,
    timers: IndexVec<TimerId, Timer>,
    /// The attempts on the air.
    attempts: IndexVec<AttemptId, Attempt>,
    /// Recent PPDUs, where powers decide what becomes of those that overlap.
    emissions: Emissions,
    hardiness: KnownHardiness,
    /// A buffer: what overlaps a frame at its receiver.
    others: Interference,
    interferers: Interferers,
    /// Buffers of one step each: attempts that are over, contenders that won a medium, contenders that lost one to
    /// another queue of their radio.
    over: Vec<Attempt>,
    winners: Vec<ContenderId>,
    spurned: Vec<(RadioId, AccessFunction)>,
    access_at: Option<Time>,
    settled: Vec<Settled>,
    up: Vec<Handle>,
}

/// A station to be added to a network.
#[derive(Clone, Debug)]
pub struct Station<'a> {
    /// Its node.
    pub id: NodeId,
    /// Its name, which names its random streams.
    pub name: &'a str,
    /// Its adapter.
    pub adapter: Adapter,
    /// How each category of its data contends; without QoS all data contends as best effort.
    pub edca: Edca,
    /// Its signal-to-noise ratio as it hears the access point, in dB.
    pub snr_db: f64,
    /// By how many dB the access point hears it better, or worse if it is negative.
    pub up_db: f64,
    /// Standard deviation of that ratio from PPDU to PPDU, in dB.
    pub fading_db: f64,
    /// Slow fading of that ratio, if it has any.
    pub slow_fading: Option<SlowFading>,
    /// Outages of the path, if it has any.
    pub outages: Option<Outages>,
    /// How the rate of its data is chosen, and that of the access point's data to it.
    pub rate: RateChoice,
    /// The rates that it and the access point can both send, of every width, slowest first.
    pub rates: Vec<Rate>,
    /// Nodes that it does not hear and that do not hear it, in order.
    pub hidden: Vec<NodeId>,
    /// Its scanning.
    pub scanning: Option<(Scanner, Option<Remedy>, Procedure)>,
    /// How it saves power, if it does.
    pub power_save: Option<PowerSave>,
    /// How long it looks for its network once that is lost, if it does not roam.
    pub search: Duration,
}

impl Ether {
    /// Without radios; all chance follows from `seed`.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            channels: IndexVec::default(),
            media: Media::default(),
            bss: IndexVec::default(),
            devices: IndexVec::default(),
            peers: IndexVec::default(),
            radios: IndexVec::default(),
            links: IndexVec::default(),
            tids: IndexVec::default(),
            power: Power::default(),
            reach_changes: false,
            roams: false,
            any_switches: false,
            multi_link: false,
            own_turns: OwnTurns::default(),
            names: IndexVec::default(),
            device_of: IndexVec::default(),
            timers: IndexVec::from_iter([Timer::Access]),
            attempts: IndexVec::default(),
            emissions: Emissions::default(),
            hardiness: KnownHardiness::default(),
            others: Interference::default(),
            interferers: Interferers::default(),
            over: Vec::new(),
            winners: Vec::new(),
            spurned: Vec::new(),
            access_at: None,
            settled: Vec::new(),
            up: Vec::new(),
        }
    }

    /// The same where it [changes](Self::set_reach) which radios hear each other. It costs a medium for each radio.
    pub fn with_changing_reach(seed: u64) -> Self {
        Self { reach_changes: true, ..Self::new(seed) }
    }

    /// Adds an access point, or a further link of one: a radio in a network of its own.
    pub fn add_access_point(&mut self, access_point: AccessPoint<'_>) -> BssId {
        let AccessPoint {
            id,
            name,
            adapter,
            edca,
            channel,
            phy,
            beacon_interval,
            park_limit,
            dtim_period,
            has_group,
            off,
            disassoc_low_ack,
            max_inactivity,
            switches,
            steering,
            reports,
            hidden,
        } = access_point;
        self.power.hide(id, hidden);
        let ([bss], [ap]) = (self.bss.next_ids(), self.radios.next_ids());
        let known = *self.device_of.grown_to(id);
        let link = known.map_or(0, |device| self.devices[device].radios.len() as u8);
        let ever: Vec<Channel> =
            iter::once(channel).chain(switches.iter().map(|switch| switch.channel)).collect();
        let meets = |known: &ChannelId| ever.iter().any(|one| self.channels[*known].overlaps(one));
        let shared = self.bss.iter().any(|other| other.channels.iter().any(meets));
        let first_beacon = bss::first_beacon(beacon_interval, shared, self.seed, name);
        let mut channels = Vec::new();
        for one in ever.into_iter().map(|one| self.add_channel(one)) {
            if !channels.contains(&one) {
                channels.push(one);
            }
        }
        let switching = self.plan_switches(bss, &switches);
        let [beacon_timer, power_timer] =
            [Timer::Beacon(bss), Timer::Power(bss)].map(|one| self.register(one));
        let steering = steering.map(|rules| (rules, self.register(Timer::Steering(bss))));
        let beacons = 0;
        self.bss.push(Bss {
            ap,
            link,
            channels,
            switching,
            phy,
            beacon_interval,
            first_beacon,
            beacon_timer,
            beacons,
            park_limit,
            dtim_period,
            group: None,
            power: PowerSwitch::off(&off, power_timer),
            disassoc_low_ack,
            max_inactivity,
            steering,
            reports,
        });
        let radio = self.add_radio((id, name), (adapter, edca), bss, Duration::ZERO);
        if has_group {
            self.add_group(bss, radio, name);
        }
        bss
    }

    /// Adds a station, associated with the access point of a network.
    pub fn add_station(&mut self, bss: BssId, station: Station<'_>) {
        let (radio, association) = self.add_berth(bss, station, None);
        let device = self.radios[radio].device;
        self.devices[device].association = Some(association);
    }

    /// Lets a station go to other networks too, by fast transitions between those of which that is said; and how its rates are chosen in its
    /// own one. The ether must be one with [changing reach](Self::with_changing_reach), in which radios have levels.
    pub fn let_roam(
        &mut self,
        (station, own, rate, ft): (NodeId, BssId, (RateChoice, Vec<Rate>), bool),
        how: Roaming,
        others: Vec<(BssId, Station<'_>, bool)>,
        scans: Procedure,
    ) {
        assert!(self.reach_changes, "a station that roams hears other radios by and by");
        let id = self.device(station);
        let (Some(association), Some((_, first, _))) = (self.devices[id].association, others.first()) else {
            return;
        };
        let (name, radio) = (first.name, self.devices[id].radios[0]);
        let mut berths = vec![Berth { radio, bss: own, association, rate, ft }];
        for (bss, station, ft) in others {
            let rate = (station.rate.clone(), station.rates.clone());
            let (radio, association) = self.add_berth(bss, station, None);
            self.radios[radio].tuned = None;
            let down = self.peer_link(association.down);
            (self.links[down].gone, self.links[down].dozing) = (true, true);
            berths.push(Berth { radio, bss, association, rate, ft });
        }
        for Berth { bss, association, .. } in &berths {
            let down = self.peer_link(association.down);
            let Bss { disassoc_low_ack, max_inactivity, .. } = self.bss[*bss];
            self.links[down].unacknowledged = disassoc_low_ack.then(Unacknowledged::default);
            self.links[down].inactivity = max_inactivity.map(|most| {
                let timer = self.register(Timer::Inactivity(down));
                Inactivity { most, timer, polled: None }
            });
        }
        let scanning = &mut self.radios[radio].scanning;
        scanning.get_or_insert(Scanning { scanner: None, remedy: None, procedure: scans });
        let timers =
            [Timer::Way, Timer::Manager, Timer::LaterScan, Timer::Idle].map(|timer| self.register(timer(id)));
        let names = || self.bss.iter().map(|bss| self.names[self.radios[bss.ap].node].clone()).collect();
        let seed = seed_of(self.seed, name, "connection manager");
        let roamer = Roamer::new((name, seed), how, (berths, names), timers);
        self.devices[id].roamer = Some(Box::new(roamer));
        self.roams = true;
    }

    /// Adds what a station has for an access point: a radio, links, and peers unless it has an association that they are links of too.
    fn add_berth(
        &mut self,
        bss: BssId,
        station: Station<'_>,
        known: Option<Association>,
    ) -> (RadioId, Association) {
        let Station {
            id,
            name,
            adapter,
            edca,
            snr_db,
            up_db,
            fading_db,
            slow_fading,
            outages,
            rate,
            rates: choice,
            hidden,
            scanning,
            power_save,
            search,
        } = station;
        self.power.hide(id, hidden);
        let radio = self.add_radio((id, name), (adapter, edca), bss, search);
        self.set_up_absences(radio, scanning, power_save);
        let device = self.radios[radio].device;
        // So have those of a further one.
        let radios = self.devices[device].radios.len();
        let of_radio = |of: &str| match radios {
            1 => of.to_owned(),
            number => format!("{of} of radio {number}"),
        };
        let outages_of = |outages| Obstacle::new(outages, Stream::new(self.seed, name, &of_radio("outages")));
        let obstacle = outages.map(outages_of);
        let chance = Stream::new(self.seed, name, &of_radio("slow fading"));
        let Bss { ap, phy, .. } = self.bss[bss];
        let access_point = self.radios[ap].adapter;
        let mut path = Path::new((snr_db, fading_db), slow_fading, chance, obstacle);
        path.up_db = up_db;
        let path = self.power.add_path(radio, ap, path);
        let channel = self.channels[self.radios[ap].channel].width;
        let ([down, up], [to_station, to_ap]) = (self.links.next_ids(), self.peers.next_ids());
        let [to_station, to_ap] = known.map_or([to_station, to_ap], |known| [known.down, known.up]);
        let uapsd = power_save.is_some_and(|how| how.uapsd);
        for (ends, reverse, peers, adapters, (purpose, damage)) in [
            (
                (ap, radio),
                up,
                (to_station, to_ap),
                (&access_point, &adapter),
                ("rate of downlink", "damage on downlink"),
            ),
            (
                (radio, ap),
                down,
                (to_ap, to_station),
                (&adapter, &access_point),
                ("rate of uplink", "damage on uplink"),
            ),
        ] {
            let chance = match known {
                None => Stream::new(self.seed, name, purpose),
                Some(_) => Stream::new(self.seed, name, &of_radio(purpose)),
            };
            // Of a device with several radios each, at each access point that it may go to.
            let whose = format!("control of {} at {}", of_radio(purpose), self.names[self.radios[ap].node]);
            let (rates, control) = rate.control(Setup {
                rates: &choice,
                firmware: adapter.firmware,
                minstrel: adapters.0.minstrel,
                chance,
                seed: seed_of(self.seed, name, &whose),
            });
            let path = (path, &*self.power.path(path), channel, ends.1 == ap);
            let peer = peers.0;
            let contenders = &self.radios[ends.0].contenders;
            let txops = PerCategory::from_fn(|category| contenders[category].txop);
            let link = Link::new(ends, (reverse, peer), path, (&rates, control), &phy, adapters, txops);
            let link = self.push_link(Link { uapsd: uapsd && ends.1 == radio, ..link });
            match known {
                None => self.add_peer(peers, link, &adapters, (name, damage)),
                Some(_) => self.join_peer(peer, link),
            }
        }
        self.radios[radio].uplink = Some(up);
        self.join_group(bss, down);
        (radio, Association { up: to_ap, down: to_station })
    }

    /// Sets up what takes a station's radio away from its channel: scans, and dozing.
    fn set_up_absences(
        &mut self,
        radio: RadioId,
        scanning: Option<(Scanner, Option<Remedy>, Procedure)>,
        power_save: Option<PowerSave>,
    ) {
        self.radios[radio].scanning = scanning.map(|(scanner, remedy, procedure)| Scanning {
            scanner: Some(scanner),
            remedy: remedy.map(Judge::new),
            procedure,
        });
        if let Some(how) = power_save {
            let timer = self.register(Timer::Doze(radio));
            self.radios[radio].saving = Some(Saving { how, timer, active: Time::ZERO, dozes: false });
        }
    }

    /// How many timers the ether has; their ids count from zero.
    pub fn timers(&self) -> u32 {
        self.timers.len() as u32
    }

    /// Starts beacons and connection managers.
    pub fn start(&mut self, fx: &mut Effects) {
        for bss in &self.bss {
            fx.arm(bss.beacon_timer, bss.first_beacon);
            if let Some(&(first, _)) = bss.power.plan.front() {
                fx.arm(bss.power.timer, first);
            }
            if let Some(Switching { plan, timer, .. }) = &bss.switching
                && let Some(&(first, ..)) = plan.front()
            {
                fx.arm(*timer, first);
            }
            if let Some((_, timer)) = bss.steering {
                fx.arm(timer, Time::ZERO + LOOKS);
            }
        }
        for radio in &self.radios {
            if let Some(scanner) = radio.scanning.as_ref().and_then(|scanning| scanning.scanner.as_ref()) {
                fx.arm(radio.request_timer, scanner.first());
            }
            if let Some(saving) = radio.saving.as_ref().filter(|_| radio.is_home()) {
                fx.arm(saving.timer, Time::ZERO + saving.how.timeout);
            }
        }
        for link in self.links.ids() {
            self.arm_control(link, None, fx);
        }
        for device in self.devices.ids() {
            match &self.devices[device].roamer {
                Some(roamer) if roamer.begins => fx.arm(roamer.manager_timer, Time::ZERO),
                _ => self.tell_associated(Time::ZERO, device, fx, &mut ()),
            }
        }
        self.start_interferers(fx);
    }

    /// A timer of the ether has come due.
    // Not inlined: the loop around it is the quicker the less there is in it.
    #[inline(never)]
    pub fn timer<P: Probe>(&mut self, now: Time, timer: TimerId, fx: &mut Effects, probe: &mut P) {
        match self.timers[timer] {
            Timer::Access => {
                self.access_at = None;
                self.access(now, fx, probe);
            }
            Timer::Exchange(medium) => self.exchange_timer(now, medium, fx, probe),
            Timer::Scan(radio) => self.scan_timer(now, radio, fx, probe),
            Timer::Request(radio) => self.scan_requested(now, radio, fx, probe),
            Timer::Beacon(bss) => {
                let Bss { ap, beacon_timer, beacon_interval, .. } = self.bss[bss];
                fx.arm(beacon_timer, now + beacon_interval);
                if self.is_silent(ap) {
                    self.no_beacon(now, ap, fx, probe);
                } else if !self.any_switches || !self.goes_instead(now, bss, fx, probe) {
                    self.radios[ap].beacons.due = true;
                    self.claim(now, ap, AccessFunction::Beacon);
                }
            }
            Timer::Power(bss) => self.power_due(now, bss, fx, probe),
            Timer::Switch(bss) => self.switch_due(now, bss, fx),
            Timer::Retune(radio) => self.retune_due(now, radio, fx, probe),
            Timer::Steering(bss) => self.look_at_stations(now, bss, fx, probe),
            Timer::Doze(radio) => self.doze_timer(now, radio, fx),
            Timer::Reports(device) => self.reports_due(now, device, fx, probe),
            Timer::Reorder(tid) => self.reorder_expired(now, tid, fx, probe),
            Timer::RateControl(link) => self.control_timer(now, link, fx, probe),
            Timer::Way(device) => self.way_timer(now, device, fx, probe),
            Timer::Manager(device) => self.manager_timer(now, device, fx, probe),
            Timer::LaterScan(device) => self.later_scan(now, device, fx, probe),
            Timer::Idle(device) => self.idle_timer(now, device, fx),
            Timer::Inactivity(link) => self.inactivity_due(now, link, fx, probe),
            Timer::Interferer(id) => self.interferer_timer(now, id, fx, probe),
        }
        self.schedule_access(fx);
    }

    fn add_radio(
        &mut self,
        (node, name): (NodeId, &str),
        (adapter, edca): (Adapter, Edca),
        bss: BssId,
        search: Duration,
    ) -> RadioId {
        let [id] = self.radios.next_ids();
        let device = self.add_device(node, &adapter);
        name.clone_into(self.names.grown_to(node));
        self.power.set_noise_figure(node, adapter.noise_figure_db);
        // The streams of a further radio of a device have names of their own.
        let purpose = |of: &str| match self.devices[device].radios.len() {
            0 => of.to_owned(),
            earlier => format!("{of} of radio {}", earlier + 1),
        };
        let (backoff, losses) = (purpose("backoff"), purpose("losses"));
        self.own_turns.add(id, &adapter, |category| {
            seed_of(self.seed, name, &purpose(&format!("turns of category {}", category.index())))
        });
        self.devices[device].radios.push(id);
        let (channel, mooring, retuning) = self.moor_all(bss, (id, node), (&adapter, &edca), search);
        let [beacon, control, best_effort, voice, video, background] = std::array::from_fn(|n| {
            let access = access(&adapter, &edca, AccessFunction::ALL[n]);
            (Claim::new(mooring.contenders[n], access), access)
        });
        let contender = |(claim, access)| Contender::new(claim, access);
        let timers = [Timer::Scan(id), Timer::Request(id)];
        let [scan_timer, request_timer] = timers.map(|timer| self.register(timer));
        self.radios.push(Radio {
            device,
            node,
            bss,
            channel,
            tuned: Some(channel),
            medium: mooring.medium,
            scan_timer,
            request_timer,
            adapter,
            backoff: Stream::new(self.seed, name, &backoff),
            losses: Stream::new(self.seed, name, &losses),
            beacons: Beacons { claim: beacon.0, due: false },
            power_frames: PowerFrames {
                claim: control.0,
                outgoing: None,
                ends: Vec::new(),
                waiting: VecDeque::new(),
            },
            contenders: PerCategory([voice, video, best_effort, background].map(contender)),
            uplink: None,
            links: Vec::new(),
            next_seq: 0,
            scanning: None,
            saving: None,
            retuning,
        });
        id
    }

    /// The device of a node; made with this adapter if it has none yet.
    fn add_device(&mut self, node: NodeId, adapter: &Adapter) -> DeviceId {
        if let Some(known) = *self.device_of.grown_to(node) {
            return known;
        }
        let [id] = self.devices.next_ids();
        let device = Device::new(node, adapter, || self.register(Timer::Reports(id)));
        *self.device_of.grown_to(node) = Some(id);
        self.devices.push(device)
    }

    /// The medium that a new radio, of this node, senses; there may be one already, which has met it.
    fn medium_of(&mut self, sensing: Sensing, (radio, node): (RadioId, NodeId)) -> MediumId {
        self.media.position(|medium| medium.sensing == sensing).unwrap_or_else(|| {
            let id = self.media.next_id();
            let timer = self.register(Timer::Exchange(id));
            let own = sensing.channel;
            let mut medium = Medium::new(sensing, timer);
            medium.alone = !self.has_interferers() && !self.any_switches;
            for known in self.media.ids() {
                if self.channels[own].overlaps(&self.channels[self.media[known].sensing.channel]) {
                    medium.alone = false;
                    self.media.change(known, |known| known.alone = false);
                }
            }
            self.media.push(medium);
            for known in self.radios.ids() {
                let Radio { node, channel, .. } = self.radios[known];
                self.meet(id, known, (node, channel));
            }
            self.meet(id, radio, (node, own));
            id
        })
    }

    /// Radios of a medium sense from now on what a radio of this node and channel sends, unless it is hidden.
    fn meet(&mut self, medium: MediumId, radio: RadioId, (node, channel): (NodeId, ChannelId)) {
        let own = &self.media[medium];
        let sensed = match own.is_hidden(node) {
            true => Default::default(),
            false => self.channels[own.sensing.channel].senses_each(&self.channels[channel]),
        };
        self.media.reach.set(medium, radio, sensed);
    }

    /// Adds a link.
    fn push_link(&mut self, mut link: Link) -> LinkId {
        let [id] = self.links.next_ids();
        self.radios[link.from].links.push(id);
        if link.control.due().is_some() {
            link.control_timer = Some(self.register(Timer::RateControl(id)));
        }
        self.links.push(link)
    }

    /// Adds a peer, the first of these two, and its TIDs, which all go over `link`; what damages frames on their way to its
    /// receiver has this name and this purpose.
    fn add_peer(
        &mut self,
        (peer, reverse): (PeerId, PeerId),
        link: LinkId,
        adapters: &(&Adapter, &Adapter),
        (name, damage): (&str, &str),
    ) {
        let qos = adapters.0.qos && adapters.1.qos;
        let Link { from, to, window, .. } = self.links[link];
        let tids = std::array::from_fn(|number| {
            let [tid] = self.tids.next_ids();
            let timer = self.register(Timer::Reorder(tid));
            let chance = || match number {
                0 => Stream::new(self.seed, name, damage),
                _ => Stream::new(self.seed, name, &format!("{damage}, TID {number}")),
            };
            let early = adapters.1.reordering.early(window, chance);
            self.tids.push(Tid::new((peer, link, number as u8), qos, window, adapters.1, early, timer))
        });
        let [from, to] = [from, to].map(|radio| self.radios[radio].device);
        self.devices[from].peers.push(peer);
        self.peers.push(Peer { from, to, reverse, links: vec![link], tids, shares: PerCategory::default() });
    }

    fn register(&mut self, timer: Timer) -> TimerId {
        self.timers.push(timer)
    }

    /// Requests the medium for one of a radio's queues, if it has frames to send. Not while an attempt of the queue is
    /// on the air: the backoff that follows depends on the result of the attempt.
    fn claim(&mut self, now: Time, radio: RadioId, function: AccessFunction) {
        if self.attempts.iter().any(|a| a.radio == radio && a.function == function) {
            return;
        }
        let radio = &mut self.radios[radio];
        if radio.has_frame(function) {
            let Claim { contender, cw, .. } = *radio.claim(function);
            let draw = || radio.backoff.up_to(cw);
            self.media.contend(radio.medium, |contention| contention.request(now, contender, draw));
        }
    }

    fn schedule_access(&mut self, fx: &mut Effects) {
        if let Some(next) = self.media.reschedule()
            && next != self.access_at
        {
            self.access_at = next;
            fx.timers.push((ACCESS, next));
        }
    }
}
