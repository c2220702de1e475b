//! When a station changed its access point, or associated with the same one anew.

use crate::{Capped, Subtype};
use airloom_wire::MacAddr;

/// A change of the access point, or a new association with the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roam {
    /// The access point before, and the one after.
    pub bssids: (MacAddr, MacAddr),
    /// The last data with the one before and the first with the one after, in nanoseconds since 1970.
    pub from_ns: u64,
    /// See `from_ns`.
    pub to_ns: u64,
    /// The records of these two.
    pub numbers: (u32, u32),
    /// When the first frame of authentication or association was heard in between; none if none was.
    pub asked_ns: Option<u64>,
    /// When the last of them was: the answer to the association.
    pub associated_ns: Option<u64>,
    /// Deauthentications and disassociations in between.
    pub left: u32,
}

/// The changes of one station.
#[derive(Clone, Debug, Default)]
pub struct Roaming {
    roams: Capped<Roam, 256>,
    /// The last data: time, record and access point.
    last: Option<(u64, u32, MacAddr)>,
    asked_ns: Option<u64>,
    associated_ns: Option<u64>,
    left: u32,
}

impl Roaming {
    /// All changes that were heard.
    pub const fn roams(&self) -> &Capped<Roam, 256> {
        &self.roams
    }

    /// Takes data between the station and an access point.
    pub(super) fn data(&mut self, at_ns: u64, number: u32, bssid: MacAddr) {
        if let Some((from_ns, before, old)) = self.last
            && (old != bssid || self.associated_ns.is_some())
        {
            self.roams.push(Roam {
                bssids: (old, bssid),
                from_ns,
                to_ns: at_ns,
                numbers: (before, number),
                asked_ns: self.asked_ns,
                associated_ns: self.associated_ns,
                left: self.left,
            });
        }
        *self = Self {
            roams: std::mem::take(&mut self.roams),
            last: Some((at_ns, number, bssid)),
            ..Self::default()
        };
    }

    /// Takes a management frame between the station and an access point.
    pub(super) fn told(&mut self, at_ns: u64, subtype: Subtype) {
        match subtype {
            Subtype::Leave => self.left += 1,
            Subtype::Association { response: true, .. } => self.associated_ns = Some(at_ns),
            _ => {
                self.asked_ns.get_or_insert(at_ns);
            }
        }
    }
}
