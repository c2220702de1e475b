//! Scenarios as people write them: the good ones, and that a resolved one reads back the same.

use airloom_lab::scenario::{Congestion, Discipline, RateControl, Scenario, WindowValidation, load};
use airloom_sim::{BitRate, Bytes, Duration};

const TSQ: &str = include_str!("../../../papers/scan/upload-tsq.toml");
const NO_TSQ: &str = include_str!("../../../papers/scan/upload-no-tsq.toml");

fn good(text: &str) -> Scenario {
    load(text, "test.toml", &[], None).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn the_papers_scenarios_resolve() {
    let scenario = good(TSQ);
    assert_eq!(scenario.duration, Duration::from_secs(300));
    let station = &scenario.station[0];
    assert_eq!(station.host.profile, "linux-3.13");
    assert_eq!(station.host.tcp.small_queue, Some(Bytes(131_072)));
    assert_eq!(station.host.tcp.window_validation, WindowValidation::Linux);
    assert_eq!(
        station.host.queue,
        Discipline::Fifo {
            packets: Some(1000),
            bytes: None
        }
    );
    assert!(station.host.offchannel.flush && !station.host.offchannel.drop_on_leave);
    assert_eq!(
        station.rate,
        RateControl::Fixed {
            mcs: 15,
            short_gi: true
        }
    );
    assert_eq!(station.adapter.driver_limit, 123);
    let scan = station.scan.as_ref().expect("it scans");
    assert_eq!((scan.by.as_str(), scan.channels), ("networkmanager-0.9.8", 26));
    assert_eq!(scan.longest, Duration::from_secs(120));
    assert_eq!(scenario.server[0].link.rate, BitRate::from_mbps(1000));
    assert_eq!(scenario.server[0].link.delay, Duration::from_micros(250));
    assert_eq!(scenario.flow[0].name, "sta1-server");
    assert_eq!(
        scenario.flow[0].tcp.over(&station.host.tcp).congestion,
        Congestion::Cubic
    );

    let without = good(NO_TSQ);
    assert_eq!(without.station[0].host.tcp.small_queue, None);
    assert!(without.station[0].host.offchannel.drop_on_leave);
    assert_eq!(without.server, scenario.server);
}

#[test]
fn a_resolved_scenario_reads_back_the_same() {
    for text in [TSQ, NO_TSQ] {
        let scenario = good(text);
        let spelled_out = scenario.to_toml();
        assert_eq!(good(&spelled_out), scenario, "{spelled_out}");
        assert_eq!(good(&spelled_out).to_toml(), spelled_out);
    }
}
