//! Carries out the effects of a station's scan procedure.

use super::{Effects, Ether};
use crate::category::Category;
use crate::device::Device;
use crate::id::{RadioId, TidId};
use crate::power_save::Service;
use crate::radio::{AccessFunction, OutgoingPowerFrame, PowerFrame, Scanning};
use crate::scan::{Action, Procedure};
use airloom_observe::{JoiningFrame, LossCause, Observation, Probe, RadioPlace, ScanEvent};
use airloom_sim::{Duration, Time};

/// A request for a scan waits this long for another announcement.
const ANNOUNCING: Duration = Duration::from_millis(1);

impl Ether {
    /// A station's connection manager requests a scan; the remedy, if there is one, decides.
    pub(super) fn scan_requested<P: Probe>(
        &mut self,
        now: Time,
        id: RadioId,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let id = self.used(id);
        if self.radios[id].saving.is_some() && self.radios[id].power_frames.outgoing.is_some() {
            // The station is announcing that it dozes or wakes; the request waits for that.
            fx.arm(self.radios[id].request_timer, now + ANNOUNCING);
            return;
        }
        let radio = &mut self.radios[id];
        let Device { moved, held, .. } = self.devices[radio.device];
        let (node, empty) = (radio.node, held == 0);
        let Some(Scanning { scanner: Some(scanner), remedy, procedure }) = &mut radio.scanning else {
            return;
        };
        let next = scanner.next(now);
        if self.devices[radio.device].roamer.as_ref().is_some_and(|roamer| !roamer.is_here()) {
            return fx.arm(radio.request_timer, next);
        }
        let mut report = |event| probe.see(now, Observation::Scan { node, event });
        report(ScanEvent::Requested);
        let verdict = remedy.as_mut().and_then(|remedy| remedy.hears(now, moved, held));
        verdict.into_iter().for_each(&mut report);
        let mut actions = Vec::new();
        if verdict != Some(ScanEvent::Skipped) {
            procedure.start(now, empty, &mut actions);
        }
        fx.arm(self.radios[id].request_timer, next);
        self.act(now, id, &actions, fx, probe);
    }

    /// The timer of a station's scan procedure is due.
    pub(super) fn scan_timer<P: Probe>(&mut self, now: Time, id: RadioId, fx: &mut Effects, probe: &mut P) {
        if let Some(end) = self.on_air_until(id) {
            // The hardware is in the middle of an exchange; the driver waits for it.
            fx.arm(self.radios[id].scan_timer, end);
            return;
        }
        self.step(now, id, fx, probe, |procedure, empty, backlog, actions| {
            procedure.timer(now, empty, backlog, actions);
        });
    }

    /// A null frame is finished: the procedure continues.
    pub(super) fn null_done<P: Probe>(&mut self, now: Time, id: RadioId, fx: &mut Effects, probe: &mut P) {
        self.step(now, id, fx, probe, |procedure, empty, _, actions| {
            procedure.announced(now, empty, actions);
        });
    }

    /// If a station's driver is empty, a scan procedure that waits for this continues.
    pub(super) fn check_empty<P: Probe>(&mut self, now: Time, id: RadioId, fx: &mut Effects, probe: &mut P) {
        let radio = &self.radios[id];
        if radio.scanning.is_some() && self.devices[radio.device].held == 0 {
            self.step(now, id, fx, probe, |procedure, _, _, actions| procedure.driver_empty(now, actions));
        }
    }

    /// An attempt at a null frame is over; returns whether it was the last.
    pub(super) fn null_attempted<P: Probe>(
        &mut self,
        now: Time,
        id: RadioId,
        answered: bool,
        fx: &mut Effects,
        probe: &mut P,
    ) -> bool {
        let radio = &mut self.radios[id];
        let Some(outgoing) = radio.power_frames.outgoing else { return false };
        if !answered && outgoing.attempts < outgoing.most(&radio.adapter) {
            return false;
        }
        radio.power_frames.outgoing = None;
        radio.claim(AccessFunction::Control).reset();
        let down = self.links[outgoing.link].reverse;
        match outgoing.frame {
            PowerFrame::Sleep(_) | PowerFrame::Poll | PowerFrame::Asks
                if answered && self.links[down].gone =>
            {
                self.refuse(now, outgoing.link, 0, probe);
            }
            PowerFrame::Sleep(true) if answered => self.doze(down),
            PowerFrame::Sleep(false) if answered => self.rouse(now, down, fx, probe),
            PowerFrame::Asks => self.access_point_asked(now, outgoing.link, answered, fx, probe),
            PowerFrame::Poll if answered => self.serve(now, down, Service::Poll, fx, probe),
            PowerFrame::EndOfPeriod => self.ended(now, id, outgoing.link),
            PowerFrame::Joining(JoiningFrame::Probe { answer }) => {
                self.probe_sent(now, outgoing.link, answer || !outgoing.arrived);
            }
            PowerFrame::Joining(
                JoiningFrame::Disassociation { reason } | JoiningFrame::Deauthentication { reason },
            ) => self.dismissed(now, (outgoing.link, outgoing.arrived), reason, fx, probe),
            PowerFrame::Joining(JoiningFrame::TransitionRequest { to }) => {
                self.asked_to_go(now, (outgoing.link, outgoing.arrived), to, fx, probe);
            }
            PowerFrame::Joining(JoiningFrame::TransitionResponse { status, .. }) => {
                self.request_answered(now, (outgoing.link, outgoing.arrived), status, fx, probe);
            }
            PowerFrame::Joining(JoiningFrame::NeighborRequest) if outgoing.arrived => {
                self.asked_for_neighbors(now, outgoing.link, probe);
            }
            PowerFrame::Joining(JoiningFrame::NeighborReport { .. }) if outgoing.arrived => {
                self.told_neighbors(now, outgoing.link, fx, probe);
            }
            PowerFrame::Joining(_) => self.joining_sent(now, outgoing.link, outgoing.arrived, fx, probe),
            _ => {}
        }
        if let PowerFrame::Sleep(sleep) = outgoing.frame {
            self.saves(now, id, sleep, answered, fx);
        }
        self.take_power_frame(now, id);
        !matches!(outgoing.frame, PowerFrame::Joining(_) | PowerFrame::Asks)
    }

    fn step<P: Probe>(
        &mut self,
        now: Time,
        id: RadioId,
        fx: &mut Effects,
        probe: &mut P,
        advance: impl FnOnce(&mut Procedure, bool, bool, &mut Vec<Action>),
    ) {
        let radio = &mut self.radios[id];
        let Device { held, backlog, pull, .. } = self.devices[radio.device];
        // Of mac80211's own queues a scan knows nothing: it asks the discipline of the interface, which has none then
        // (`ieee80211_scan_state_decision`, `IFF_NO_QUEUE`).
        let (empty, backlog) = (held == 0, backlog && pull.is_none());
        let Some(scanning) = &mut radio.scanning else {
            return;
        };
        let mut actions = Vec::new();
        advance(&mut scanning.procedure, empty, backlog, &mut actions);
        self.act(now, id, &actions, fx, probe);
    }

    pub(super) fn act<P: Probe>(
        &mut self,
        now: Time,
        id: RadioId,
        actions: &[Action],
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let node = self.radios[id].node;
        for &action in actions {
            let radio = &mut self.radios[id];
            match action {
                Action::StopQueue => self.devices[radio.device].stopped = true,
                Action::WakeQueue => {
                    let device = radio.device;
                    self.devices[device].stopped = false;
                    fx.wake.extend(Category::ALL.map(|category| (node, category)));
                    self.queue_offered(device);
                }
                Action::Announce { sleep } => {
                    let (seq, frame) = (radio.take_seq(), PowerFrame::Sleep(sleep));
                    let link = radio.uplink.expect("an access point does not scan");
                    radio.power_frames.outgoing = Some(OutgoingPowerFrame {
                        frame,
                        link,
                        travels: true,
                        attempts: 0,
                        since: now,
                        seq,
                        arrived: false,
                    });
                    self.claim(now, id, AccessFunction::Control);
                }
                Action::Depart => {
                    self.recall(id, None);
                    self.radios[id].tuned = None;
                    // A BlockAck request may be left in hardware; it waits for the return.
                    Category::ALL.iter().for_each(|&category| self.withdraw(id, category));
                }
                Action::Tune(place) => self.tune_to_scan(id, Some(place)),
                Action::Probe(place) => self.probe(now, id, place),
                Action::Return => {
                    self.tune_to_scan(id, None);
                    let radio = &mut self.radios[id];
                    radio.tuned = Some(radio.channel);
                    self.fill_hardware(now, id, fx);
                }
                Action::DropDriver => self.drop_driver(now, id, fx, probe),
                Action::Arm(at) => fx.arm(radio.scan_timer, at),
                Action::Disarm => fx.timers.push((radio.scan_timer, None)),
                Action::Event(event) => probe.see(now, Observation::Scan { node, event }),
                Action::Place(place) => probe.see(now, Observation::Radio { node, place }),
            }
        }
        if actions.contains(&Action::Event(ScanEvent::Finished)) {
            self.scan_over(now, id, fx, probe);
        }
    }

    /// A station's radio leaves its network: a scan that is under way is over.
    pub(super) fn end_scan<P: Probe>(&mut self, now: Time, id: RadioId, fx: &mut Effects, probe: &mut P) {
        let radio = &mut self.radios[id];
        let node = radio.node;
        let Some(scanning) = radio.scanning.as_mut().filter(|scanning| !scanning.procedure.is_idle()) else {
            return;
        };
        scanning.procedure.abort();
        fx.timers.push((radio.scan_timer, None));
        self.tune_to_scan(id, None);
        probe.see(now, Observation::Radio { node, place: RadioPlace::Home });
        probe.see(now, Observation::Scan { node, event: ScanEvent::Finished });
    }

    fn drop_driver<P: Probe>(&mut self, now: Time, id: RadioId, fx: &mut Effects, probe: &mut P) {
        for category in Category::ALL {
            self.radios[id].contenders[category].hardware.clear();
            self.withdraw(id, category);
        }
        for i in 0..self.radios[id].links.len() {
            let tids: Vec<TidId> = self.tids_over(self.radios[id].links[i]).collect();
            for tid in tids {
                self.tids[tid].window.drop_all(&mut self.settled);
                self.tids[tid].unreserved = 0;
                self.report_settled(now, tid, LossCause::RadioLeft, fx, probe);
            }
        }
    }
}
