//! Which frames of the air carry data that was not heard before, as a receiver tells them from duplicates.

use crate::frame::Frame;
use crate::numbers::Numbers;
use crate::packet::Transmission;
use airloom_wire::MacAddr;
use airloom_wire::ieee80211::Subtype;
use std::collections::BTreeMap;

/// The most streams of sequence numbers that are kept. When there is one more, all are forgotten: a capture has so many only if
/// addresses were made up.
const MOST: usize = 4096;

/// Transmitter, receiver, and the traffic identifier of QoS data: each has sequence numbers of its own.
type Key = (MacAddr, MacAddr, Option<u8>);

/// What of each stream of sequence numbers was heard lately (802.11-2020 clause 10.3.2.14). A receiver has a cache of the last
/// numbers; here it holds half of all numbers, since MPDUs of an A-MPDU are sent again behind later ones.
#[derive(Debug, Default)]
pub struct Duplicates(BTreeMap<Key, Numbers>);

impl Duplicates {
    /// Takes the next frame of a capture: which transmission of its data this is; none if another one was heard before, and of frames
    /// that came in damaged or carry no packet that can be read.
    ///
    /// A frame without the retry bit is never a duplicate. One with it may be the first that is heard.
    pub fn first_heard(&mut self, at_ns: u64, frame: &Frame) -> Option<Transmission> {
        if frame.radio.damaged || frame.subtype != Subtype::Data || frame.packet.is_none() {
            return None;
        }
        let (Some(from), Some(number), false) =
            (frame.transmitter, frame.sequence, frame.receiver.is_group())
        else {
            return (!frame.retry).then_some(Transmission::First);
        };
        let key = (from, frame.receiver, frame.tid);
        if self.0.len() == MOST && !self.0.contains_key(&key) {
            self.0.clear();
        }
        let cache = self.0.entry(key).or_insert_with(|| Numbers::from(at_ns, number));
        cache.take(at_ns, number, frame.retry)
    }
}
