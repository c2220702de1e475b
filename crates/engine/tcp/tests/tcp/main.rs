//! Two endpoints with a wire between them, and one by itself, held to their sources.

mod alone;
mod bbr;
mod bbr_draft;
mod bulk;
mod by_time;
mod deliveries;
mod ecn;
mod hostile;
mod keys;
mod link_share;
mod linux_6;
mod peers_that_lie;
mod scenarios;
mod socket;
mod spurious;
mod wire;
