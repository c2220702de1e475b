//! What the receiver of a download sees of losses.

use crate::host::Host;
use airloom_diagnose::Diagnosis;

const CLIENT: usize = 0;
const SERVER: usize = 1;
const OCTETS: usize = 1000;
/// A round trip in ms, and how many there are.
const TRIP: u32 = 40;
const ROUNDS: u32 = 300;
/// Segments in each, and which one of every twentieth is lost.
const WINDOW: u32 = 20;
const LOST: u32 = 5;

/// The download at its receiver: what is lost comes a round trip later. In the first rounds a queue holds the data for 30 ms more.
fn download(queued: u32) -> Diagnosis {
    let mut host = Host { stamps: Some([1, 0]), ..Host::default() };
    host.sends(0, CLIENT, 2, 0);
    (host.stamps, host.next[SERVER]) = (Some([5001, 1]), 0);
    host.sends(TRIP, SERVER, 0x12, 0);
    host.stamps = Some([1 + TRIP, 5001]);
    host.sends(TRIP, CLIENT, 0x10, 0);
    let begins = host.next[SERVER];
    let mut received = 0;
    for segment in 0..ROUNDS * WINDOW {
        let (round, place) = (segment / WINDOW, segment % WINDOW);
        let at_ms = 200 + TRIP * round + 2 * place;
        let again = round % 20 == 1 && place == LOST;
        if round % 20 == 0 && place == LOST {
            continue;
        }
        let first = again.then(|| segment - WINDOW);
        for number in first.into_iter().chain([segment]) {
            let late = TRIP + if round < queued { 30 } else { 0 };
            host.stamps = Some([5001 + at_ms, 1 + at_ms - late]);
            host.next[SERVER] = begins + number * OCTETS as u32;
            host.sends(at_ms, SERVER, 0x10, OCTETS);
            let is_behind = round % 20 == 0 && place > LOST || round % 20 == 1 && place < LOST;
            if !is_behind && number == segment {
                received = segment + 1;
            }
            host.stamps = Some([1 + at_ms, 5001 + at_ms]);
            host.next[SERVER] = begins + received * OCTETS as u32;
            host.sends(at_ms, CLIENT, 0x10, 0);
        }
    }
    host.diagnosis()
}

#[test]
fn losses_that_limit_a_flow_show_at_its_receiver_with_how_long_what_came_waited() {
    let found = download(0).findings;
    let lost = &found.iter().find(|one| one.code == "W306").expect("nothing waits").finding;
    assert!(
        lost.says
            .contains("waited 15 times until it was filled, 38 ms mostly and 38 ms at most, 0.6 s in all"),
        "{}",
        lost.says
    );
    assert!(lost.cost.at_least && (lost.cost.value - 38.0).abs() < 0.1, "{:?}", lost.cost);
}

#[test]
fn where_a_queue_may_have_dropped_them_the_receiver_cannot_tell() {
    let diagnosis = download(120);
    assert!(diagnosis.findings.iter().all(|one| one.code != "W306"));
    let because =
        diagnosis.abstained.iter().find(|one| one.code == "W306").expect("losses are not passed over");
    assert!(because.suspects && because.because.contains("waited 15 times"), "{}", because.because);
}
