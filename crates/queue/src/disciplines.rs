//! The list of all disciplines: each is declared here once, and in its own file.

use crate::{
    Codel, Dequeued, Discard, Fifo, FqCodel, Item, Limit, Mac80211, Queueing, Sfq, Walk, codel, fifo, fq_codel, sfq,
};
use airloom_observe::{Probe, QueueId};
use airloom_sim::{Stream, Time};
