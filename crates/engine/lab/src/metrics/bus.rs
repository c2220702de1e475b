//! Measurements of a USB bus.

use super::mean::Count;
use super::series::Metric;
use crate::summary::{Bus, Hold};
use airloom_observe::{BusFrame, HoldSpell};
use airloom_sim::Duration;

/// One bus; the counts are of transactions.
#[derive(Clone, Debug, Default)]
pub(super) struct BusMeter {
    out: Count,
    refused: Count,
    input: Count,
    busy: Duration,
    out_packets: u64,
    in_packets: u64,
    /// Spells in which the adapter held frames back.
    pub(super) holds: Vec<HoldSpell>,
}

impl BusMeter {
    pub(super) fn frame(&mut self, frame: &BusFrame) {
        self.out.add(frame.out.into());
        self.refused.add(frame.out_refused.into());
        self.input.add(frame.r#in.into());
        self.busy += frame.busy;
        self.out_packets += u64::from(frame.out_packets);
        self.in_packets += u64::from(frame.in_packets);
    }

    /// What was so far counts in the series alone; spells are listed all.
    pub(super) fn forget(&mut self) {
        [&mut self.out, &mut self.refused, &mut self.input].into_iter().for_each(Count::forget);
        (self.out_packets, self.in_packets) = (0, 0);
    }

    pub(super) fn close_bin(&mut self, length: f64, mut push: impl FnMut(Metric, Option<f64>)) {
        push(Metric::BusOut, Some(self.out.take() / length));
        push(Metric::BusRefused, Some(self.refused.take() / length));
        push(Metric::BusIn, Some(self.input.take() / length));
        push(Metric::BusBusy, Some(std::mem::take(&mut self.busy).as_secs_f64() / length));
    }

    /// The whole run.
    pub(super) fn summary(&self) -> Bus {
        let hold =
            |spell: &HoldSpell| Hold { start_s: spell.start.as_secs_f64(), end_s: spell.end.as_secs_f64() };
        Bus {
            out: self.out.total(),
            out_refused: self.refused.total(),
            r#in: self.input.total(),
            out_packets: self.out_packets,
            in_packets: self.in_packets,
            holds: self.holds.iter().map(hold).collect(),
        }
    }
}
