//! What somebody brings and that answers what cannot be ends the run, with words that say what it was.

use airloom::congestion_control::{self, CongestionControl, CongestionWindow, Progress};
use airloom::scheduler::{self, Scheduler, Waiting};
use airloom::time::{Duration, Time};

struct Wrong;

impl CongestionControl for Wrong {
    fn ssthresh(&mut self, w: &CongestionWindow) -> u32 {
        w.cwnd
    }
    fn grow(&mut self, w: &mut CongestionWindow, _: &Progress) {
        w.cwnd = 0;
    }
    fn acked(&mut self, _: &mut CongestionWindow, _: &Progress, _: Option<Duration>) {}
    fn timeout(&mut self, _: Time, _: u64) {}
}

impl Scheduler for Wrong {
    fn next(&mut self, _: Time, waiting: &[Waiting<'_>]) -> usize {
        waiting.len()
    }
}

/// A download with this value of a key.
fn run(key: &str, value: &str) {
    let text = include_str!("../../../../examples/download.toml");
    let set = airloom::set([(key, value), ("duration", "1 s")]);
    let scenario = airloom::load(text, "download.toml", &set, None).expect("a scenario");
    airloom::run(&scenario, &mut |_| true).expect("a run");
}

#[test]
#[should_panic(expected = "a congestion control set a window of no segment")]
fn a_window_of_no_segment_would_never_send_again() {
    congestion_control::register("closed", &[], |_| Box::new(Wrong)).expect("a name");
    run("flow.0.tcp.congestion", "closed");
}

#[test]
#[should_panic(expected = "a scheduler chose place 1 of a list of 1")]
fn a_place_beyond_the_list_has_no_receiver() {
    scheduler::register("beyond", &[], |_| Box::new(Wrong)).expect("a name");
    run("ap.0.adapter.turns", "beyond");
}
