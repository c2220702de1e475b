//! What a probe is shown of the frames of an exchange.

use super::Ether;
use super::attempt::{Attempt, OnAir, Reception};
use crate::bitmap::Bitmap;
use crate::category::Category;
use crate::frame_size;
use crate::id::RadioId;
use crate::link::Link;
use crate::phy::FrameProtection;
use crate::power_save::Service;
use crate::queued_ppdu::{Psdu, QueuedPpdu};
use crate::radio::{AccessFunction, Radio};
use crate::reorder::{self, distance};
use crate::send_window;
use airloom_observe::{BlockAck, Fate, FrameKind, Mpdu, NodeId, Observation, PowerBits, Ppdu, Probe, User};
use airloom_propagation::Fade;
use airloom_rate::{Rate, Width};
use airloom_sim::{Duration, Time};

/// A sent frame of one MPDU, to be reported to a probe.
pub(super) struct SentFrame {
    start: Time,
    end: Time,
    from: NodeId,
    link: u8,
    to: Option<NodeId>,
    kind: FrameKind,
    rate: Rate,
    width: Width,
    bytes: u32,
    fate: Fate,
    nav: Duration,
    tid: u8,
    fade: Fade,
}

impl SentFrame {
    /// The same, of data with this TID.
    pub(super) fn of(self, tid: u8) -> Self {
        Self { tid, ..self }
    }

    /// The same, which meets slow fading.
    pub(super) fn in_fade(self, fade: Fade) -> Self {
        Self { fade, ..self }
    }

    /// The same, a control frame that fills what its exchange does.
    pub(super) fn filling(self, width: Width) -> Self {
        Self { width, ..self }
    }

    pub(super) fn report<P: Probe>(self, now: Time, probe: &mut P) {
        let Self { start, end, from, link, to, kind, rate, width, bytes, fate, nav, tid, fade } = self;
        let good = u16::from(fate == Fate::Received);
        let fade_db = fade.slow_db();
        let users = [User { to, rate, mpdus: 1, good, retries: 0, bytes, fate, tid, fade_db }];
        let ppdu = Ppdu { start, end, from, link, kind, width, nav, users };
        probe.see(now, Observation::Ppdu(ppdu));
    }
}

impl Ether {
    /// A CTS that the transmitter sent before its frame has the same fate as the frame.
    pub(super) fn report_own_cts<P: Probe>(
        &mut self,
        now: Time,
        attempt: &Attempt,
        nav: Duration,
        probe: &mut P,
    ) {
        if let FrameProtection::CtsToSelf(rate) = attempt.protection {
            let [frame] = attempt.on_air;
            let OnAir { from, start, .. } = frame;
            let end = start + self.bss[attempt.bss].phy.ppdu(rate, frame_size::ACK_BYTES);
            let cts = OnAir { end, users: [Reception::by(from)], ..frame };
            let fate = if frame.is_disturbed() { Fate::Collided } else { Fate::Received };
            let nav = frame.end - end + nav;
            self.sent_frame(&cts, FrameKind::Cts, (rate, frame_size::ACK_BYTES), fate, nav)
                .report(now, probe);
        }
    }

    /// Reports the MPDUs for the user at this place of the data PPDU just observed.
    pub(super) fn report_mpdus<P: Probe>(
        &mut self,
        now: Time,
        attempt: &Attempt,
        place: usize,
        probe: &mut P,
    ) {
        let Radio { contenders, saving, .. } = &self.radios[attempt.radio];
        let AccessFunction::Data(category) = attempt.function else { return };
        let Some(QueuedPpdu::Data { psdus, aired, .. }) = contenders[category].hardware.front() else {
            return;
        };
        let Psdu { tid, link, batch, .. } = &psdus[place];
        let window = &mut self.tids[*tid].window;
        let Link { dozing, service, more, .. } = self.links[*link];
        let power = PowerBits {
            sleeps: saving
                .is_some_and(|saving| saving.dozes && saving.how.uapsd && category == Category::Voice),
            more: dozing && more,
            ends: dozing && service == Service::Period && !more,
        };
        for (seq, frame) in window.members(batch) {
            let send_window::Frame { packet, mpdu, good, .. } = *frame;
            let (further, retry) = (frame.further(), frame.is_repeat(*aired));
            let (bytes, packet, packets) = (mpdu as u16, Some(packet), 1 + further.len() as u8);
            probe.see(now, Observation::Mpdu(Mpdu { seq, retry, bytes, packet, packets, good, power }));
            for further in further {
                probe.see(now, Observation::Further { packet: further.packet });
            }
        }
    }

    /// Reports the bitmap of the BlockAck just observed, for the PPDU that a radio has on the air.
    pub(super) fn report_block_ack<P: Probe>(
        &mut self,
        now: Time,
        radio: RadioId,
        function: AccessFunction,
        probe: &mut P,
    ) {
        let Some(queued) = self.radios[radio].queued(function) else { return };
        let [tid] = queued.tids();
        let window = &mut self.tids[tid].window;
        let (mut acked, mut start) = (Bitmap::new(frame_size::block_ack_bits(window.size())), window.start());
        if let QueuedPpdu::Data { psdus: [Psdu { batch, .. }], .. } = queued {
            start = batch.start();
            for (seq, _) in window.members(batch).filter(|(_, frame)| frame.good) {
                acked.insert(distance(start, seq));
            }
        }
        for (n, bitmap) in (0..).zip(acked.words()) {
            let part = BlockAck { start: reorder::number(start, 64 * n), bitmap };
            probe.see(now, Observation::BlockAck(part));
        }
    }

    /// A frame of one MPDU as it is to be reported.
    pub(super) fn sent_frame(
        &self,
        on_air: &OnAir,
        kind: FrameKind,
        (rate, bytes): (Rate, u32),
        fate: Fate,
        nav: Duration,
    ) -> SentFrame {
        let OnAir { from, start, end, users: [Reception { by, .. }] } = *on_air;
        let link = self.bss[self.radios[from].bss].link;
        let (from, to) = (self.radios[from].node, by.map(|to| self.radios[to].node));
        SentFrame {
            start,
            end,
            from,
            link,
            to,
            kind,
            rate,
            width: rate.width(),
            bytes,
            fate,
            nav,
            tid: 0,
            fade: Fade::default(),
        }
    }
}

/// Reports the sequence number of the frame just observed.
pub(super) fn number<P: Probe>(now: Time, seq: u16, retry: bool, bytes: u32, fate: Fate, probe: &mut P) {
    if P::DETAIL {
        let good = fate == Fate::Received;
        let (bytes, power) = (bytes as u16, PowerBits::default());
        probe.see(now, Observation::Mpdu(Mpdu { seq, retry, bytes, packet: None, packets: 0, good, power }));
    }
}
