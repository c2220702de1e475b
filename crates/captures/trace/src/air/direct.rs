//! Data from one radio to another that no access point passes on: ad hoc, direct, or over a link of four addresses.

use super::MOST_RADIOS;
use super::ppdu::Ppdu;
use super::rates::Rates;
use crate::Subtype;
use airloom_wire::MacAddr;
use std::collections::BTreeMap;

/// Data of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Direct {
    /// MPDUs.
    pub mpdus: u64,
    /// Those of them with the retry bit.
    pub retried: u64,
    /// Air time in nanoseconds.
    pub airtime_ns: u64,
    rates: Rates,
}

impl Direct {
    /// The mean rate of its MPDUs in Mbit/s; none if no rate is known.
    pub fn mean_mbps(&self) -> Option<f64> {
        self.rates.mean_mbps()
    }
}

/// Such data by transmitter and receiver; beyond the most that are followed none.
#[derive(Clone, Debug, Default)]
pub(super) struct Directs(BTreeMap<(MacAddr, MacAddr), Direct>);

impl Directs {
    /// Takes a PPDU, if it carries such data.
    pub(super) fn sent(&mut self, ppdu: &Ppdu, airtime_ns: u64) {
        let Some(from) = ppdu.transmitter() else { return };
        let key = (from, ppdu.first.receiver);
        let is_one = ppdu.first.subtype == Subtype::Data && !ppdu.is_data() && !key.1.is_group();
        if !is_one || self.0.len() == MOST_RADIOS && !self.0.contains_key(&key) {
            return;
        }
        let one = self.0.entry(key).or_default();
        one.mpdus += u64::from(ppdu.mpdus);
        one.retried += u64::from(ppdu.retried);
        one.airtime_ns += airtime_ns;
        one.rates.sent(ppdu);
    }

    /// All of it.
    pub(super) const fn all(&self) -> &BTreeMap<(MacAddr, MacAddr), Direct> {
        &self.0
    }
}
