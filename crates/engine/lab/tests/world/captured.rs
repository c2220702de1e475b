//! What `airloom_trace::tcp` reads from captures, beside what the senders themselves counted and what tshark finds.

use crate::scenarios::sampled;
use crate::servers::between;
use airloom_lab::capture::Settings;
use airloom_lab::run::{Options, run_to_bundle};
use airloom_lab::scenario::load;
use airloom_trace::tcp::{Connection, Connections, Direction, Limit, Needless, Pause, Trigger, Vantage};
use airloom_trace::{Capture, Seen};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A run of one flow, and the connection as the captures at both ends show it.
struct Captured {
    folder: tempfile::TempDir,
    flow: Value,
    sender: Connection,
    receiver: Connection,
}

impl Captured {
    fn new(text: &str, changes: &[(&str, &str)]) -> Self {
        let changes: Vec<_> =
            changes.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        let scenario = load(text, "captured.toml", &changes, None).unwrap_or_else(|e| panic!("{e}"));
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("run");
        let options = Options { capture: Some(Settings::default()), ..Options::default() };
        let summary =
            run_to_bundle(&scenario, &out, &options, &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
        let summary: Value = serde_json::from_str(&summary).expect("a summary is JSON");
        let flow = summary["flows"][0].clone();
        let at = |end: &str| {
            let name = flow[end].as_str().expect("a name");
            let [connection] =
                connections(&out.join(format!("{name}.pcapng"))).try_into().expect("one connection");
            connection
        };
        Self { sender: at("from"), receiver: at("to"), flow: flow.clone(), folder }
    }

    fn counted(&self, what: &str) -> u64 {
        self.flow[what].as_u64().expect("a count")
    }

    fn at_sender(&self) -> &Direction {
        &self.sender.directions[0]
    }

    fn at_receiver(&self) -> &Direction {
        &self.receiver.directions[0]
    }

    /// How many packets of the capture at an end tshark finds with any of these fields; none without tshark.
    fn tshark(&self, end: &str, filter: &str) -> Option<u64> {
        let file = self.folder.path().join("run").join(format!("{}.pcapng", self.flow[end].as_str()?));
        let Ok(output) = Command::new("tshark").arg("-nr").arg(&file).args(["-Y", filter]).output() else {
            assert!(
                std::env::var_os("CI").is_none(),
                "tshark is not installed, and CI is set: install tshark"
            );
            return None;
        };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(output.stdout.iter().filter(|&&octet| octet == b'\n').count() as u64)
    }
}

fn connections(file: &Path) -> Vec<Connection> {
    let mut connections = Connections::default();
    let mut capture = Capture::open(file).unwrap_or_else(|e| panic!("{e}"));
    while let Some(record) = capture.next() {
        let record = record.unwrap_or_else(|e| panic!("{e}"));
        if let Seen::Host(packet) = &record.seen {
            connections.see(record.stamp_ns, record.number, packet);
        }
    }
    connections.finish()
}

/// A download of a station whose access point tries a frame twice only: losses of the air reach TCP.
fn lossy(sender: &str, receiver: &str, snr: &str) -> Captured {
    let text = format!(
        r#"
title = "Losses of the air"
duration = "8 s"
seed = 3
[air]
band = "5 GHz"
standard = "802.11n"
width = "20 MHz"
[[ap]]
name = "ap"
adapter = {{ profile = "ath9k", retry_limit = 1, count_hardware_retries = true }}
[[station]]
name = "laptop"
host = "{receiver}"
adapter = "ath9k"
snr = "{snr}"
rate = "MCS 4"
[[server]]
name = "server"
host = "{sender}"
link = {{ rate = "100 Mbit/s", delay = "10 ms" }}
[[flow]]
from = "server"
to = "laptop"
"#
    );
    Captured::new(&text, &[])
}

/// From server to server, with nothing between them that loses.
fn wired() -> String {
    let sender = ("linux-6.18", "rate = \"100 Mbit/s\", delay = \"0 s\"");
    between("8 s", sender, ("linux-6.18", "rate = \"20 Mbit/s\", delay = \"25 ms\""))
}

/// A receiver whose window is smaller than what the path holds.
const SMALL_WINDOW: [(&str, &str); 2] = [
    ("server.receiver.host.receive_buffer_initial", "32 KiB"),
    ("server.receiver.host.receive_buffer_max", "32 KiB"),
];

const SENDERS: [&str; 6] =
    ["linux-2.4", "linux-3.2", "linux-3.13", "linux-6.18", "windows-10", "macos-10.11"];

#[test]
fn a_capture_at_the_sender_shows_what_the_sender_counts() {
    for (sender, snr) in
        sampled(SENDERS.into_iter().flat_map(|sender| [(sender, "16.5 dB"), (sender, "18.5 dB")]), 5)
    {
        let run = lossy(sender, "linux-3.13", snr);
        let (seen, again) = (run.at_sender(), &run.at_sender().retransmissions);
        assert_eq!(run.sender.vantage(0), Vantage::Sender, "{sender}");
        assert_eq!(run.receiver.vantage(0), Vantage::Receiver, "{sender}");
        let counted = (run.counted("retransmissions"), run.counted("timeouts"));
        assert!(counted.0 > 0, "{sender} at {snr} sends nothing again");
        let handshake = again.by_trigger(Trigger::Handshake);
        assert_eq!(
            (again.segments() - handshake, again.by_trigger(Trigger::Timeout)),
            counted,
            "{sender} at {snr}"
        );
        assert_eq!(again.inferred, 0, "{sender}: nothing was lost before it");
        assert_eq!((seen.reordered.total(), seen.uncaptured.octets, seen.copies), (0, 0, 0), "{sender}");
        assert!(seen.octets - again.octets >= seen.acknowledged, "{sender}: each octet once");
    }
}

#[test]
fn a_capture_at_the_receiver_infers_what_was_sent_again_from_the_gaps_that_it_fills() {
    for sender in sampled(SENDERS, 3) {
        let run = lossy(sender, "linux-3.13", "18.5 dB");
        let (there, here) = (&run.at_sender().retransmissions, &run.at_receiver().retransmissions);
        // What was lost again on its way is not seen, nor that a lost tail comes again: nothing above it shows the gap.
        assert!(here.segments() <= there.segments(), "{sender}");
        let lost = run.at_sender().packets - run.at_receiver().packets;
        let again = there.segments() - here.segments();
        assert!(
            here.segments() * 4 >= there.segments() * 3 && again <= lost - here.inferred,
            "{sender}: {again} of {lost}"
        );
        assert_eq!(here.segments(), here.inferred + here.needless(), "{sender}");
        assert_eq!(
            (run.at_receiver().reordered.total(), run.at_receiver().uncaptured.octets),
            (0, 0),
            "{sender}"
        );
    }
}

#[test]
fn tshark_finds_as_many_packets_below_the_highest() {
    for sender in sampled(["linux-6.18", "linux-2.4"], 2) {
        let run = lossy(sender, "linux-3.13", "18.5 dB");
        for (end, seen) in [("from", run.at_sender()), ("to", run.at_receiver())] {
            // tshark takes for reordered what comes within a round trip of the handshake, ours is longer with a queue.
            let Some(below) = run.tshark(end, "tcp.analysis.retransmission || tcp.analysis.out_of_order")
            else {
                return;
            };
            assert_eq!(seen.retransmissions.packets(), below, "{sender}");
            assert_eq!(Some(seen.acks.repeated), run.tshark(end, "tcp.analysis.duplicate_ack"), "{sender}");
        }
    }
}

#[test]
fn spurious_timeouts_are_proved_by_timestamps_and_by_what_was_acknowledged_before() {
    let text = include_str!("../../../../../papers/usb/hold.toml");
    let run = Captured::new(text, &[]);
    let again = &run.at_sender().retransmissions;
    assert_eq!(again.segments(), run.counted("retransmissions"));
    assert_eq!(again.by_trigger(Trigger::Timeout), run.counted("timeouts"));
    assert_eq!((again.segments() > 0, again.needless()), (true, again.segments()), "nothing was lost");
    assert!(again.by_proof(Needless::Timestamps) > 0, "the answer to what was held back echoes its clock");
    assert_eq!(run.at_receiver().retransmissions.by_proof(Needless::Acknowledged), again.segments());
    // Three times the adapter holds back what it receives for 400 ms.
    assert_eq!(run.at_sender().stalls.count(Pause::Silence), 3);
    for stall in run.at_sender().stalls.list.kept() {
        let lasted_ms = (stall.to_ns - stall.from_ns) as f64 / 1e6;
        assert!((350.0..450.0).contains(&lasted_ms), "{lasted_ms} ms");
    }
}

#[test]
fn what_limits_a_sender_is_told_apart() {
    let limits = |changes: &[(&str, &str)]| {
        let run = Captured::new(&wired(), changes);
        Limit::ALL.map(|limit| run.at_sender().limits.share(limit))
    };
    let most = |shares: [f64; Limit::ALL.len()]| {
        let pairs = Limit::ALL.into_iter().zip(shares);
        pairs.max_by(|one, other| one.1.total_cmp(&other.1)).expect("there are limits")
    };
    for (expected, changes) in [(Limit::Congestion, &[][..]), (Limit::Receiver, &SMALL_WINDOW[..])] {
        let (found, share) = most(limits(changes));
        assert!(found == expected && share > 0.7, "{found:?} with {share} rather than {expected:?}");
    }
}

#[test]
fn a_receiver_that_delays_its_acknowledgments_lets_a_small_window_stall() {
    let run = Captured::new(include_str!("../../../../../papers/usb/far.toml"), &[]);
    let stalls = &run.at_sender().stalls;
    assert!(stalls.count(Pause::DelayedAck) > 10);
    let lasted = stalls.lasted_ns(Pause::DelayedAck) / stalls.count(Pause::DelayedAck);
    // SunOS 5.8 waits for 100 ms.
    assert!((80_000_000..120_000_000).contains(&lasted), "{lasted} ns");
    // At the receiver a full segment that waited for a window of one is not told from one that was late on its way.
    assert!(run.at_receiver().stalls.count(Pause::DelayedAck) < stalls.count(Pause::DelayedAck));
}

#[test]
fn round_trips_are_those_of_the_path() {
    let run = Captured::new(&wired(), &SMALL_WINDOW);
    let trips = run.sender.directions[0].trips.to_receiver();
    let median = trips.quantile_ms(0.5).expect("samples");
    assert!((50.0..60.0).contains(&median), "{median} ms");
    assert!((50_000_000..52_000_000).contains(&trips.least_ns().expect("samples")));
    assert!((50_000_000..54_000_000).contains(&run.receiver.round_trip_ns().expect("both parts")));
    assert!(run.sender.handshake_seen() && run.sender.directions[0].segment() == 1448);
}
