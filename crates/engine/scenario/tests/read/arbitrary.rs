//! Any text is read as a scenario or refused with a position, quickly and without a panic; a scenario that is read is
//! the same when it is written and read again.

use crate::processor_time;

use airloom_scenario::{Mistake, load};
use proptest::prelude::*;

const SEEDS: [&str; 2] = [
    include_str!("../../../../../papers/scan/upload-tsq.toml"),
    include_str!("../../../../../papers/scan/upload-no-tsq.toml"),
];

/// Loads, and holds the answer against what is promised.
fn check(text: &str, overrides: &[(String, String)]) {
    match load(text, "fuzz.toml", overrides, None) {
        Ok(scenario) => {
            let spelled_out = scenario.to_toml();
            match load(&spelled_out, "again.toml", &[], None) {
                Ok(again) => {
                    assert_eq!(again, scenario, "{spelled_out}");
                    assert_eq!(again.to_toml(), spelled_out);
                }
                Err(error) => panic!("{error}\n{spelled_out}"),
            }
        }
        Err(mistakes) => {
            mistakes.all().iter().for_each(|mistake| check_error(mistake, text, overrides));
            let places = mistakes.all().iter().map(|m| (m.file == "set", m.line, m.column));
            assert!(places.is_sorted(), "{mistakes}");
        }
    }
}

fn check_error(error: &Mistake, text: &str, overrides: &[(String, String)]) {
    assert!(!error.message.is_empty() && !error.message.contains('\n'), "{error}");
    assert!(error.message.len() < 1000, "{error}");
    assert!(error.column >= 1, "{error}");
    let lines = match error.file.as_str() {
        "fuzz.toml" => text.matches('\n').count() + 1,
        "set" => overrides.len(),
        file => panic!("a mistake in {file}: {error}"),
    };
    assert!((1..=lines).contains(&error.line), "{error}");
}

/// What stands in scenarios, right or wrong.
fn token() -> impl Strategy<Value = String> {
    let known = vec![
        "[air]",
        "[[ap]]",
        "[[station]]",
        "[[server]]",
        "[[flow]]",
        "[flow.tcp]",
        "\n",
        "\n",
        " = ",
        " = ",
        ".",
        ",",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\"\"\"",
        "#",
        "'",
        "name",
        "host",
        "adapter",
        "snr",
        "distance",
        "scan",
        "by",
        "rate",
        "queue",
        "limit",
        "tcp",
        "title",
        "duration",
        "seed",
        "from",
        "to",
        "start",
        "stop",
        "bytes",
        "kind",
        "payload",
        "interval",
        "spacing",
        "\"udp\"",
        "\"ping\"",
        "\"saturated\"",
        "link",
        "delay",
        "\"ath9k\"",
        "\"linux-3.13\"",
        "\"networkmanager-0.9.8\"",
        "\"sta1\"",
        "\"server\"",
        "\"1 s\"",
        "\"-1 s\"",
        "\"0 B\"",
        "\"1 Gbit/s\"",
        "\"MCS 15\"",
        "\"fifo\"",
        "\"1000 packets\"",
        "nan",
        "inf",
        "-inf",
        "true",
        "0",
        "-1",
        "1e308",
        "1e-320",
        "99999999999999999999999999",
        "0xffffffffffffffffffff",
        "1979-05-27",
        "{}",
        "[]",
        "profile",
        "\"dB\"",
        "\". s\"",
        "\"9999999999999999999.9 h\"",
        "é",
        "\u{0}",
        "\r",
        "\u{feff}",
    ];
    prop_oneof![
        8 => proptest::sample::select(known).prop_map(str::to_owned),
        1 => "\\PC{0,8}",
        1 => "[0-9.eE+-]{1,12} ?[a-zA-Z/]{0,6}".prop_map(|t| format!("\"{t}\"")),
    ]
}

/// A change to a text: where, how much goes, what comes.
fn mutation() -> impl Strategy<Value = (prop::sample::Index, usize, String)> {
    (any::<prop::sample::Index>(), prop_oneof![Just(0), 0usize..4, 0usize..60], token())
}

fn mutated(text: &str, mutations: &[(prop::sample::Index, usize, String)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (index, gone, new) in mutations {
        let start = index.index(chars.len() + 1);
        let end = (start + gone).min(chars.len());
        chars.splice(start..end, new.chars());
    }
    chars.into_iter().collect()
}

/// Values that may be right under some key.
fn value() -> impl Strategy<Value = String> {
    let number = prop_oneof![(0u64..3000).prop_map(|n| n.to_string()), "[0-9]{1,4}\\.[0-9]{1,7}"];
    let units = vec![
        "us", "ms", "s", "min", "h", "bit/s", "kbit/s", "Mbit/s", "Gbit/s", "B", "kB", "KiB", "MB", "MiB",
        "GiB", "packets", "m", "dB",
    ];
    prop_oneof![
        4 => (number, proptest::sample::select(units)).prop_map(|(n, u)| format!("{n} {u}")),
        2 => (0u64..300).prop_map(|n| n.to_string()),
        1 => any::<u64>().prop_map(|n| n.to_string()),
        1 => (0.0f64..1.0).prop_map(|x| format!("{x:?}")),
        2 => proptest::sample::select(vec![
            "true", "false", "off", "none", "cubic", "newreno", "linux", "rfc2861", "rfc7661", "skip-if-moved", "20 MHz",
            "MCS 3", "MCS 15", "11 Mbit/s", "54 Mbit/s", "arf", "802.11b", "802.11g", "2.4 GHz", "5 GHz", "short",
            "[{ at = \"0 s\", rate = \"MCS 3\" }, { at = \"1 s\", rate = \"6 Mbit/s\" }]", "[\"6 Mbit/s\"]", "{ mcs = 4, guard_interval = \"long\" }", "linux-3.2", "linux-3.13", "linux-6.18",
            "{ profile = \"linux-3.2\", small_queue = \"1 MiB\" }",
            "{ profile = \"networkmanager-0.9.8\", first = \"1 s\" }",
            "{ policy = \"skip-if-moved\", threshold = \"1 MiB\", longest-postponement = \"10 min\" }",
            "{ discipline = \"fifo\", limit = \"64 KiB\" }", "{ discipline = \"fifo\", limit = \"none\" }",
            "{ discipline = \"fifo\", limit = [\"10 packets\", \"15 kB\"] }",
            "{ discipline = \"tbf\", rate = \"1 Mbit/s\", burst = \"3 kB\", latency = \"off\" }",
            "{ discipline = \"pie\", beta = 32, burst = \"0 s\" }", "{ discipline = \"codel\" }", "{ discipline = \"sfq\", depth = \"20 packets\" }",
            "{ discipline = \"fq_codel\", flows = 16, quantum = \"300 B\" }",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,20}",
        1 => "(.|\\n|\"|\\\\){0,12}",
    ]
}

/// Paths of every kind of key.
fn path() -> impl Strategy<Value = String> {
    let (top, host, adapter, scan, flow) = (
        [
            "title",
            "description",
            "duration",
            "seed",
            "air.width",
            "air.standard",
            "air.band",
            "air.preamble",
            "air.slot",
            "air.protection",
            "air.basic_rates",
            "ap.0.queue",
            "ap.0.beacon_interval",
            "ap.ap.power_save_buffer",
            "ap.0.dtim_period",
            "station.0.snr",
            "station.sta1.distance",
            "station.0.rate",
            "station.0.host",
            "server.0.host",
            "server.0.link.rate",
            "server.0.link.delay",
            "server.0.link.queue",
            "station.0.scan.by",
            "station.0.scan",
        ],
        [
            "initial_window",
            "small_queue",
            "send_buffer_initial",
            "send_buffer_max",
            "receive_buffer_max",
            "window_validation",
            "congestion",
            "slow_start",
            "hystart_part",
            "small_queue_shift",
            "slow_start_by_acks",
            "window_scale",
            "receive_window_share",
            "quick_acks",
            "rto_initial",
            "recovery",
            "recovery.frto",
            "recovery.limited_transmit",
            "nagle",
            "recovery.reduction",
            "recovery.duplicate_threshold",
            "count_segments",
            "sack",
            "timestamps",
            "rto_min",
            "delayed_ack",
            "tick",
            "timer_tick",
            "skb_truesize",
            "ack_truesize",
            "queue",
            "offchannel.flush_drops",
            "offchannel.flush_timeout",
            "offchannel.dwell",
            "offchannel.home",
        ],
        [
            "streams",
            "short_gi",
            "amsdu_frames",
            "mpdu_bytes",
            "ampdu_frames",
            "ampdu_bytes",
            "ampdu_duration",
            "ampdu_spacing",
            "hardware_queue",
            "driver_limit",
            "turns",
            "retry_limit",
            "count_hardware_retries",
            "reorder_timeout",
            "null_frame.deaf_after_return",
            "evm",
            "null_frame.attempts",
            "cw_min",
            "rts_threshold",
            "control_rate",
            "standard",
            "qos",
            "short_retry_limit",
        ],
        [
            "channels",
            "first",
            "step",
            "longest",
            "shortest",
            "remedy",
            "remedy.threshold",
            "remedy.longest-postponement",
            "by.step",
        ],
        [
            "name",
            "start",
            "stop",
            "bytes",
            "tcp.congestion",
            "tcp.slow_start",
            "tcp.small_queue",
            "tcp.rto_min",
            "tcp.send_buffer_max",
            "tcp.initial_window",
        ],
    );
    let mut all: Vec<String> = top.iter().map(|k| (*k).to_owned()).collect();
    all.extend(host.iter().flat_map(|k| [format!("station.0.host.{k}"), format!("server.server.host.{k}")]));
    all.extend(adapter.iter().flat_map(|k| [format!("station.0.adapter.{k}"), format!("ap.0.adapter.{k}")]));
    all.extend(scan.iter().map(|k| format!("station.0.scan.{k}")));
    all.extend(flow.iter().map(|k| format!("flow.0.{k}")));
    proptest::sample::select(all)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_answered(text in "(.|\\n){0,200}") {
        check(&text, &[]);
    }

    #[test]
    fn any_soup_of_words_is_answered(words in prop::collection::vec(token(), 0..80)) {
        check(&words.concat(), &[]);
    }

    #[test]
    fn a_changed_scenario_is_answered(
        seed in 0usize..2,
        spelled_out in any::<bool>(),
        mutations in prop::collection::vec(mutation(), 1..5),
    ) {
        let mut text = SEEDS[seed].to_owned();
        if spelled_out {
            text = load(&text, "seed.toml", &[], None).expect("good").to_toml();
        }
        check(&mutated(&text, &mutations), &[]);
    }

    #[test]
    fn any_override_is_answered(path in "[a-z0-9_.-]{0,30}|\\PC{0,30}", value in "(.|\\n){0,30}") {
        check(SEEDS[0], &[(path, value)]);
    }

    #[test]
    fn a_resolved_scenario_reads_back_the_same(
        overrides in prop::collection::vec((path(), value()), 0..3),
    ) {
        check(SEEDS[0], &overrides);
    }

    #[test]
    fn text_of_any_kind_comes_back(title in "(.|\\n|\\t|\"|\\\\|\\r){0,40}") {
        // An override that is no TOML is text: in quotes it is TOML in any case.
        let mut scenario = load(SEEDS[0], "seed.toml", &[], None).expect("good");
        scenario.title = title.clone();
        scenario.description = format!("{title}\n\"\"\"{title}");
        let spelled_out = scenario.to_toml();
        prop_assert_eq!(load(&spelled_out, "again.toml", &[], None), Ok(scenario));
    }
}

#[test]
fn every_beginning_of_a_scenario_is_answered() {
    for seed in SEEDS {
        for (end, _) in seed.char_indices() {
            check(&seed[..end], &[]);
        }
    }
}

#[test]
fn a_scenario_without_any_one_line_is_answered() {
    let spelled_out = load(SEEDS[0], "seed.toml", &[], None).expect("good").to_toml();
    for text in [SEEDS[0], SEEDS[1], &spelled_out] {
        let lines: Vec<&str> = text.lines().collect();
        for n in 0..lines.len() {
            check(&[&lines[..n], &lines[n + 1..]].concat().join("\n"), &[]);
        }
    }
}

#[test]
fn depth_and_size_are_bounded() {
    let many = 100_000;
    let huge = [
        format!("a = {}", "[".repeat(many)),
        format!("a = {}{}", "[".repeat(many), "]".repeat(many)),
        format!("a = {}", "{ a = ".repeat(many)),
        format!("{} = 1", vec!["a"; many].join(".")),
        format!("[{}]", vec!["a"; many].join(".")),
        format!("[[{}]]", vec!["a"; many].join(".")),
        format!("ap = [{}]", "{},".repeat(many)),
        "[[flow]]\n".repeat(many),
        "[[station]]\nname = \"x\"\n".repeat(30_000),
        (0..many).map(|n| format!("k{n}=1\n")).collect(),
        format!("title = \"{}\"", "x".repeat(900_000)),
        format!("\"{}\" = 1", "x".repeat(900_000)),
        format!("duration = \"{} s\"", "9".repeat(900_000)),
        format!("duration = \"1.{} s\"", "9".repeat(900_000)),
        format!("seed = {}", "9".repeat(900_000)),
        format!("x = {}", "-".repeat(900_000)),
        "x".repeat(3 << 20),
        "#".repeat(16 << 20),
    ];
    for text in &huge {
        let began = processor_time::seconds();
        check(text, &[]);
        assert!(processor_time::seconds() - began < 20.0, "{}", &text[..40]);
    }
    let deep = (vec!["a"; many].join("."), "1".to_owned());
    check(SEEDS[0], &[deep]);
    check(SEEDS[0], &[("flow.0.name".to_owned(), "[".repeat(60_000))]);
    check(SEEDS[0], &vec![("title".to_owned(), "x".to_owned()); 2_000]);
}

#[test]
fn four_thousand_entities_are_allowed_and_no_more() {
    let head = "title = \"many\"\n[air]\nstandard = \"802.11n\"\nband = \"5 GHz\"\nwidth = \"20 MHz\"\n\
                [[ap]]\nname = \"ap\"\nadapter = \"ath9k\"\n";
    let stations = |count: usize| -> String {
        let station = |n| {
            format!(
                "[[station]]\nname = \"s{n}\"\nhost = \"linux-3.2\"\nadapter = \"ath9k\"\nsnr = \"30 dB\"\n"
            )
        };
        (0..count).map(station).collect()
    };
    let good =
        load(&format!("{head}{}", stations(3_999)), "many.toml", &[], None).expect("it is not too much");
    assert_eq!(good.station.len(), 3_999);
    let error =
        load(&format!("{head}{}", stations(4_000)), "many.toml", &[], None).expect_err("it is too much");
    assert_eq!(error.first().message, "more than 4000 access points, stations, servers and flows");
}

#[test]
fn text_that_is_set_may_have_any_bracket_in_it() {
    for title in ["Queue [short", "a {", "up ]"] {
        let set = [("title".to_owned(), title.to_owned())];
        let scenario =
            airloom_scenario::load(SEEDS[0], "seed.toml", &set, None).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(scenario.title, title);
    }
}
