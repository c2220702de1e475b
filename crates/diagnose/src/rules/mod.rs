//! The rules, one file each, in the order of their codes: 1xx about one station's radio, 2xx about the air that all share, 3xx
//! about queues and order, 4xx about what is not the Wi-Fi.

mod aggregation;
mod anomaly;
mod collisions;
mod contention;
mod needless;
mod overhead;
mod receiver;
mod scan;
mod slow_rate;
mod standing_queue;
mod untrusted;
mod weak_signal;

use crate::rule::Rule;

/// All rules.
pub const RULES: [&Rule; 12] = [
    &untrusted::RULE,
    &scan::RULE,
    &slow_rate::RULE,
    &weak_signal::RULE,
    &collisions::RULE,
    &contention::RULE,
    &anomaly::RULE,
    &overhead::RULE,
    &standing_queue::RULE,
    &needless::RULE,
    &aggregation::RULE,
    &receiver::RULE,
];
