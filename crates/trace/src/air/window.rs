//! What BlockAcks tell of one stream of sequence numbers: what was lost, what the monitor missed, and what waited for what.

use crate::{BlockAck, Capped};
use std::collections::BTreeMap;

/// Sequence numbers (802.11-2020 clause 9.2.4.4.2).
const MODULO: u16 = 4096;

/// A sequence number that was missing while later ones had arrived, so that these waited for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    /// When a BlockAck first showed it, in nanoseconds since 1970.
    pub from_ns: u64,
    /// When a BlockAck showed that it is over: the frame had come, or the window had moved on.
    pub to_ns: u64,
    /// Whether the frame had come.
    pub filled: bool,
    /// The record of the first BlockAck.
    pub number: u32,
}

/// One stream of sequence numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    /// Which numbers the monitor heard since they were last used, and which were acknowledged.
    heard: Bits,
    acknowledged: Bits,
    /// Missing numbers, with the record and the time of the BlockAck that first showed each.
    missing: BTreeMap<u16, (u64, u32)>,
    /// Where the last BlockAck began.
    start: u16,
    /// Numbers acknowledged for the first time, and those of them that the monitor had not heard.
    pub(super) arrived: u64,
    pub(super) unheard: u64,
    /// See [`Hole`].
    pub(super) holes: Capped<Hole>,
}

/// The shortest hole that is kept, in nanoseconds: two PPDUs and what is between them.
const SHORTEST: u64 = 15_000_000;

impl Window {
    /// The monitor heard an MPDU with this number.
    pub(super) fn heard(&mut self, sequence: u16) {
        self.heard.set(sequence);
    }

    /// The receiver sent a BlockAck.
    pub(super) fn acknowledged(&mut self, at_ns: u64, number: u32, told: BlockAck) {
        let (highest, size) = (told.bitmap.span(), told.bitmap.size());
        for bit in 0..size {
            let sequence = (told.start + bit) % MODULO;
            if !told.bitmap.contains(bit) {
                if bit < highest {
                    self.missing.entry(sequence).or_insert((at_ns, number));
                }
            } else if self.acknowledged.set(sequence) {
                self.arrived += 1;
                self.unheard += u64::from(!self.heard.is_set(sequence));
            }
        }
        // Numbers ahead are those of the future: nothing is known of them yet. What a BlockAck speaks of, or may be sent before the
        // next, is nearer.
        let advance = (told.start + MODULO - self.start) % MODULO;
        if advance < MODULO / 2 {
            for ahead in MODULO / 4 - advance.min(MODULO / 4)..MODULO / 4 {
                let sequence = told.start + ahead;
                self.acknowledged.clear(sequence % MODULO);
                self.heard.clear((sequence + MODULO / 4) % MODULO);
            }
            self.start = told.start;
        }
        let over: Vec<u16> = self
            .missing
            .keys()
            .copied()
            .filter(|&sequence| {
                let bit = (sequence + MODULO - told.start) % MODULO;
                bit >= size || told.bitmap.contains(bit)
            })
            .collect();
        for sequence in over {
            let Some((from_ns, number)) = self.missing.remove(&sequence) else { continue };
            let bit = (sequence + MODULO - told.start) % MODULO;
            if at_ns.saturating_sub(from_ns) >= SHORTEST {
                self.holes.push(Hole { from_ns, to_ns: at_ns, filled: bit < size, number });
            }
        }
    }
}

/// A bit for each sequence number.
#[derive(Clone, Debug)]
struct Bits([u64; MODULO as usize / 64]);

impl Default for Bits {
    fn default() -> Self {
        Self([0; MODULO as usize / 64])
    }
}

impl Bits {
    /// Sets one; returns whether it was not set.
    const fn set(&mut self, sequence: u16) -> bool {
        let (word, bit) = (&mut self.0[(sequence % MODULO / 64) as usize], 1 << (sequence % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    const fn clear(&mut self, sequence: u16) {
        self.0[(sequence % MODULO / 64) as usize] &= !(1 << (sequence % 64));
    }

    const fn is_set(&self, sequence: u16) -> bool {
        self.0[(sequence % MODULO / 64) as usize] >> (sequence % 64) & 1 != 0
    }
}
