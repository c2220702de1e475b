//! What is meant where a scenario leaves something out: what such an adapter's driver, or Linux, does.

use airloom_queue::{Discipline, Fifo, FqCodel, Limit};
use airloom_scenario::{Scenario, load};
use airloom_sim::Bytes;
use airloom_wifi::{Adaptive, MinstrelHt, RateChoice};

const CELL: &str = r#"title = "A test"

[air]
standard = "802.11g"
band = "2.4 GHz"
width = "20 MHz"

[[ap]]
name = "ap"
adapter = "ath9k"
queue = { discipline = "fq_codel", target = "10 ms" }

[[station]]
name = "sta"
host = "linux-6.18"
adapter = "ath9k"
snr = "35 dB"

[[server]]
name = "server"
host = "linux-6.18"
link = { rate = "1 Gbit/s", delay = "0.25 ms" }
"#;

/// The cell with these values over its own.
fn with(overrides: &[(&str, &str)]) -> Scenario {
    let overrides: Vec<(String, String)> =
        overrides.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    let scenario = load(CELL, "cell.toml", &overrides, None).unwrap_or_else(|e| panic!("{e}"));
    let spelled_out = scenario.to_toml();
    assert_eq!(load(&spelled_out, "resolved.toml", &[], None).unwrap_or_else(|e| panic!("{e}")), scenario);
    scenario
}

/// Packets and no bytes.
fn packets(limit: u32) -> Limit {
    Limit { packets: Some(limit), bytes: None }
}

#[test]
fn a_rate_left_out_is_what_the_adapters_driver_does() {
    let rate = |adapter: &str| with(&[("station.sta.adapter", adapter)]).station[0].rate.clone();
    let control = |word| RateChoice::Adaptive(Adaptive::plain(word).expect("its word"));
    assert_eq!(rate("ath9k"), control("minstrel"));
    assert_eq!(rate("broadcom"), control("minstrel"));
    assert_eq!(rate("dcf"), control("arf"));
    assert_eq!(rate("compaq-w200"), control("firmware"));
    let RateChoice::Fixed(highest) = rate("ns-2-80211b") else { panic!("ns-2 has a fixed rate") };
    assert_eq!(highest.bit_rate().as_mbps_f64().to_string(), "11");
    let own = rate("{ profile = \"ath9k\", rate_control = { control = \"arf\", successes = 5 } }");
    assert!(matches!(own, RateChoice::Adaptive(Adaptive::Arf(arf)) if arf.successes == 5));
    let fixed = with(&[("station.sta.rate", "54 Mbit/s")]);
    assert!(matches!(fixed.station[0].rate, RateChoice::Fixed(_)));
}

#[test]
fn fifo_has_the_length_of_linuxs_queues() {
    let queue = |overrides: &[(&str, &str)]| with(overrides).ap.swap_remove(0).queue;
    let linux = Discipline::Fifo(Fifo { limit: packets(1000) });
    assert_eq!(queue(&[("ap.0.queue", "{ discipline = \"fifo\" }")]), linux);
    assert_eq!(queue(&[("ap.0.queue.discipline", "fifo")]), linux, "`target` was fq_codel's");
    assert_eq!(with(&[("station.sta.host", "linux-3.13")]).station[0].host.queue, linux);
}

#[test]
fn what_lies_above_a_driver_is_as_its_kernel_has_it() {
    let word = |overrides: &[(&str, &str)]| with(overrides).station[0].host.queue.word();
    let (host, adapter) = ("station.sta.host", "station.sta.adapter");
    let every = [
        "ath9k",
        "ath9k-3.13",
        "ath10k",
        "ath11k",
        "broadcom",
        "dcf",
        "edca-ac",
        "edca-ax",
        "edca-be",
        "iwlwifi",
        "mt76",
    ];
    for one in every {
        assert_eq!(word(&[(adapter, one)]), "mac80211", "{one}");
        assert_eq!(word(&[(adapter, one), (host, "linux-6.12")]), "mac80211", "{one}");
        assert_eq!(word(&[(adapter, one), (host, "linux-3.13")]), "fifo", "{one}");
        assert_eq!(word(&[(adapter, one), (host, "windows-10")]), "fifo", "{one}: its kernel is no Linux");
    }
    for one in ["compaq-w200", "lucent-rg-1000", "ns-2-80211b"] {
        assert_eq!(word(&[(adapter, one)]), "fifo", "{one}: its driver is none of mac80211's");
    }
    assert_eq!(word(&[(adapter, "{ profile = \"ath9k\", usb = {} }")]), "fifo", "a bus brings the packets");
    let since = |kernel: &str, since: &str| {
        let host = format!("{{ profile = \"linux-6.18\", kernel = \"Linux {kernel}\" }}");
        word(&[
            ("station.sta.host", &host),
            (adapter, &format!("{{ profile = \"ath9k\", pulls_since = \"Linux {since}\" }}")),
        ])
    };
    assert_eq!((since("4.9", "4.10"), since("4.10", "4.10")), ("fifo", "mac80211"), "numbers, not decimals");
    assert_eq!((since("5.19", "6.2"), since("6.1", "5.20")), ("fifo", "mac80211"));
    // What a scenario says stays.
    assert_eq!(word(&[("station.sta.host.queue.discipline", "fq_codel")]), "fq_codel");
    assert_eq!(word(&[(host, "{ profile = \"linux-6.18\", queue = { discipline = \"fifo\" } }")]), "fifo");
    assert_eq!(with(&[]).server[0].link.queue.word(), "fifo", "a wire");
}

#[test]
fn an_access_points_queue_is_as_its_adapters_kernel_has_it() {
    let text = CELL.replace("queue = { discipline = \"fq_codel\", target = \"10 ms\" }\n", "");
    let word = |adapter: &str| {
        let overrides = [("ap.0.adapter".to_owned(), adapter.to_owned())];
        let scenario =
            load(&text, "cell.toml", &overrides, None).unwrap_or_else(|e| panic!("{adapter}: {e}"));
        scenario.ap[0].queue.word()
    };
    for today in ["ath10k", "ath11k", "dcf", "edca-ac", "edca-ax", "edca-be", "iwlwifi", "mt76"] {
        assert_eq!(word(today), "mac80211", "{today}");
    }
    for of_its_time in ["ath9k", "ath9k-ap", "ath9k-openwrt", "ath9k-3.13", "broadcom"] {
        assert_eq!(word(of_its_time), "fifo", "{of_its_time}");
    }
    assert_eq!(word("{ profile = \"ath9k\", kernel = \"Linux 6.18\" }"), "mac80211");
}

#[test]
fn minstrel_is_that_of_the_linux_around_it() {
    use MinstrelHt::{Linux3_13, Linux5_12};
    let (host, adapter) = ("station.sta.host", "station.sta.adapter");
    let found = |overrides: &[(&str, &str)]| {
        let scenario = with(overrides);
        [scenario.station[0].adapter.minstrel, scenario.ap[0].adapter.minstrel]
    };
    assert_eq!(
        found(&[]),
        [Linux5_12, Linux3_13],
        "the station's host decides, and the access point's driver"
    );
    assert_eq!(found(&[(host, "linux-3.13")]), [Linux3_13, Linux3_13]);
    for today in ["ath10k", "dcf", "edca-ac", "edca-ax", "edca-be", "mt76"] {
        assert_eq!(
            found(&[("ap.0.adapter", today), (host, "linux-3.13")]),
            [Linux3_13, Linux5_12],
            "{today}"
        );
    }
    let of = |linux: &str| {
        found(&[(host, &format!("{{ profile = \"linux-6.18\", kernel = \"Linux {linux}\" }}"))])[0]
    };
    assert_eq!((of("5.11"), of("5.12")), (Linux3_13, Linux5_12));
    // No Linux: what the adapter's driver is of.
    assert_eq!(found(&[(host, "windows-10")])[0], Linux3_13);
    assert_eq!(found(&[(host, "windows-10"), (adapter, "edca-ac")])[0], Linux5_12);
    // What a scenario says stays.
    assert_eq!(found(&[("station.sta.adapter.minstrel", "linux-3.13")])[0], Linux3_13);
    assert_eq!(found(&[("ap.0.adapter.minstrel", "linux-5.12")])[1], Linux5_12);
}

#[test]
fn another_discipline_takes_what_it_can_of_the_old_ones_parameters() {
    let queue = |old: &str, word: &str| {
        with(&[("ap.0.queue", old), ("ap.0.queue.discipline", word)]).ap.swap_remove(0).queue
    };
    // What an override says stays, and is checked.
    let overrides = [("ap.0.queue.discipline", "fifo"), ("ap.0.queue.target", "5 ms")];
    let overrides: Vec<_> = overrides.map(|(path, value)| (path.to_owned(), value.to_owned())).to_vec();
    let refused = load(CELL, "cell.toml", &overrides, None).expect_err("`fifo` has no target");
    assert_eq!((refused.first().file.as_str(), refused.first().line), ("set", 2), "{refused}");
    let plain = with(&[]).ap.swap_remove(0).queue;
    assert!(matches!(plain, Discipline::FqCodel(FqCodel { limit: 10_240, .. })));
    // A queue that is wholly from an override is as one from the file: only `discipline` alone takes another's place.
    let bytes = "{ discipline = \"fifo\", limit = \"128 KiB\" }";
    let limit = Limit { packets: None, bytes: Some(Bytes(131_072)) };
    assert_eq!(queue(bytes, "fifo"), Discipline::Fifo(Fifo { limit }));
}

#[test]
fn a_limit_that_the_new_discipline_cannot_have_goes_with_the_old_one() {
    let text = CELL.replace(
        "{ discipline = \"fq_codel\", target = \"10 ms\" }",
        "{ discipline = \"fifo\", limit = \"128 KiB\" }",
    );
    let set = |word: &str| {
        let overrides = [("ap.0.queue.discipline".to_owned(), word.to_owned())];
        load(&text, "cell.toml", &overrides, None).unwrap_or_else(|e| panic!("{e}")).ap.swap_remove(0).queue
    };
    assert!(matches!(set("fq_codel"), Discipline::FqCodel(FqCodel { limit: 10_240, .. })));
    assert!(matches!(set("fifo"), Discipline::Fifo(Fifo { limit: Limit { bytes: Some(_), .. } })));
    let text = text.replace("128 KiB", "200 packets");
    let overrides = [("ap.0.queue.discipline".to_owned(), "fq_codel".to_owned())];
    let kept = load(&text, "cell.toml", &overrides, None).unwrap_or_else(|e| panic!("{e}"));
    assert!(matches!(kept.ap[0].queue, Discipline::FqCodel(FqCodel { limit: 200, .. })));
}

#[test]
fn a_small_queue_is_as_the_device_below_wants_it() {
    let shift =
        |overrides: &[(&str, &str)]| with(overrides).station[0].host.tcp.small_queue.small_queue_shift;
    assert_eq!(shift(&[]), Some(7), "a driver of mac80211");
    assert_eq!(with(&[]).server[0].host.tcp.small_queue.small_queue_shift, Some(10), "a wired device");
    assert_eq!(
        shift(&[("station.sta.adapter", "compaq-w200")]),
        Some(10),
        "an adapter that asks for nothing"
    );
    assert_eq!(shift(&[("station.sta.host", "linux-3.13")]), None, "a kernel that has none");
    assert_eq!(shift(&[("station.sta.host.small_queue_shift", "9")]), Some(9), "what the scenario says");
    assert_eq!(shift(&[("station.sta.host.small_queue_shift", "off")]), None, "what the scenario says");
    assert_eq!(shift(&[("station.sta.adapter.small_queue_shift", "8")]), Some(8), "another driver");
}
