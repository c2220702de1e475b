//! Whole runs: bytes and packets accounted for under random scenarios, Little's law, the same bundle every time and on
//! every build, and nothing half-written when something is in the way.

mod absences;
mod accounting;
mod air;
mod airtime_limits;
mod bundles;
mod categories;
mod datagrams;
mod delays;
mod determinism;
mod dozing;
mod groups;
mod impaired;
mod interferers;
mod legacy;
mod link_rates;
mod littles_law;
mod memory;
mod merging;
mod neighbor_reports;
mod networks;
mod places;
mod processors;
mod roaming;
mod scenarios;
mod series;
mod shaping;
mod shares;
mod steering;
mod strangers;
mod temporary;
mod two_access_points;
mod usb;
mod warm_up;
mod warnings;
mod widths;
