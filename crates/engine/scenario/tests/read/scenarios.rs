//! Scenarios as people write them: the good ones, and that a resolved one reads back the same.

use airloom_queue::{Fifo, Limit};
use airloom_rate::{GuardInterval, Ht, Preamble, Rate, Width};
use airloom_scenario::{
    Discipline, FlowKind, ProfileKind, Remedy, RemedyPolicy, Scenario, SlotTime, Spacing, UdpRate,
    json_schema, load, profiles,
};
use airloom_sim::{BitRate, Bytes, Duration};
use airloom_tcp::{Config, Congestion, Validation};
use airloom_wifi::{Aarf, Access, Adaptive, Category, Edca, Protection, RateChoice};

const TSQ: &str = include_str!("../../../../../papers/scan/upload-tsq.toml");
const NO_TSQ: &str = include_str!("../../../../../papers/scan/upload-no-tsq.toml");

fn good(text: &str) -> Scenario {
    load(text, "test.toml", &[], None).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn the_papers_scenarios_resolve() {
    let scenario = good(TSQ);
    assert_eq!(scenario.duration, Duration::from_secs(300));
    let station = &scenario.station[0];
    let minstrel = Adaptive::plain("minstrel").expect("its word");
    assert_eq!(station.host.profile, "linux-3.13");
    assert_eq!(station.host.tcp.small_queue.small_queue, Some(Bytes(131_072)));
    assert_eq!(station.host.tcp.unused_window.window_validation, Validation::Linux);
    assert_eq!(station.host.queue, Discipline::LINUX);
    assert!(station.host.offchannel.flush_first && !station.host.offchannel.flush_drops);
    assert_eq!(station.rate, RateChoice::Adaptive(minstrel));
    assert_eq!(station.adapter.depth.driver_limit, 123);
    let scan = station.scan.as_ref().expect("it scans");
    assert_eq!((scan.by.as_str(), scan.channels), ("networkmanager-0.9.8", 26));
    assert_eq!(scan.longest, Duration::from_secs(120));
    assert_eq!(scenario.server[0].link.rate.highest(), BitRate::from_mbps(1000));
    assert!(scenario.server[0].link.delay < Duration::from_millis(1), "one room");
    assert_eq!(scenario.flow[0].name, "sta1-server");
    assert_eq!(tcp(&scenario).growth.congestion, Congestion::Cubic);

    let without = good(NO_TSQ);
    assert_eq!(without.station[0].host.tcp.small_queue.small_queue, None);
    assert!(without.station[0].host.offchannel.flush_drops);
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

#[test]
fn a_scenario_needs_no_title() {
    let (title, rest) = TSQ.split_once('\n').expect("lines");
    assert!(title.starts_with("title"), "{title}");
    assert_eq!(good(rest).title, "untitled");
}

#[test]
fn a_warm_up_is_kept_if_it_is_given() {
    assert!(!good(TSQ).to_toml().contains("warm_up"));
    let scenario = with(&[("warm_up", "5 s")]);
    assert_eq!(scenario.warm_up, Some(Duration::from_secs(5)));
    assert_eq!(good(&scenario.to_toml()), scenario);
}

/// The first of the papers' scenarios with overrides.
fn with(overrides: &[(&str, &str)]) -> Scenario {
    let overrides: Vec<(String, String)> =
        overrides.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    load(TSQ, "test.toml", &overrides, None).unwrap_or_else(|e| panic!("{e}"))
}

/// The TCP of the first flow's sender.
fn tcp(scenario: &Scenario) -> Config {
    let FlowKind::Tcp { tcp, .. } = &scenario.flow[0].kind else { panic!("not TCP") };
    tcp.over(&scenario.station[0].host.tcp)
}

#[test]
fn flows_of_every_kind_have_their_own_keys() {
    let more = "[[flow]]\nkind = \"udp\"\nfrom = \"sta1\"\nto = \"server\"\nrate = \"20 Mbit/s\"\nspacing = \"poisson\"\n\
                [[flow]]\nkind = \"udp\"\nfrom = \"server\"\nto = \"sta1\"\nrate = \"saturated\"\npayload = \"100 B\"\n\
                [[flow]]\nkind = \"ping\"\nfrom = \"sta1\"\nto = \"server\"\n\
                [[flow]]\nkind = \"udp\"\nfrom = \"sta1\"\nto = \"server\"\nrate = \"20 Mbit/s\"\njitter = \"50 us\"\n\
                [[flow]]\nkind = \"udp\"\nfrom = \"sta1\"\nto = \"server\"\nrate = \"20 Mbit/s\"\njitter = \"0 s\"\n";
    let scenario = good(&format!("{TSQ}{more}"));
    let kinds: Vec<&FlowKind> = scenario.flow[1..].iter().map(|f| &f.kind).collect();
    let paced = UdpRate::Paced(BitRate::from_mbps(20), Spacing::Poisson);
    assert_eq!(kinds[0], &FlowKind::Udp { rate: paced, payload: 1470 });
    assert_eq!(kinds[1], &FlowKind::Udp { rate: UdpRate::Saturated, payload: 100 });
    assert_eq!(kinds[2], &FlowKind::Ping { interval: Duration::from_secs(1), payload: 56 });
    let spaced =
        |spacing| FlowKind::Udp { rate: UdpRate::Paced(BitRate::from_mbps(20), spacing), payload: 1470 };
    assert_eq!(kinds[3], &spaced(Spacing::Late(Duration::from_micros(50))));
    assert_eq!(kinds[4], &spaced(Spacing::Constant));
    assert_eq!(good(&scenario.to_toml()), scenario);
}

#[test]
fn a_station_that_has_scanned_for_long_says_so() {
    let scenario = with(&[("station.0.scan.first", "uniform")]);
    assert_eq!(scenario.station[0].scan.as_ref().expect("it scans").first, None);
    assert_eq!(good(&scenario.to_toml()), scenario);
}

#[test]
fn programs_are_no_part_of_the_simulation_and_are_written_again() {
    let more = "[[flow]]\nkind = \"command\"\nfrom = \"sta1\"\nto = \"server\"\nstart = \"5 s\"\ncommand = \"iperf3 -c server\"\n\
                listen = \"iperf3 -s\"\n";
    let scenario = good(&format!("{TSQ}{more}"));
    let [program] = &scenario.program[..] else { panic!("{:?}", scenario.program) };
    assert_eq!(scenario.flow.len(), 1);
    assert_eq!((program.name.as_str(), program.command.as_str()), ("sta1-server-2", "iperf3 -c server"));
    assert_eq!((program.listen.as_deref(), program.start), (Some("iperf3 -s"), Duration::from_secs(5)));
    assert_eq!(good(&scenario.to_toml()), scenario);
}

#[test]
fn overrides_reach_every_part() {
    let scenario = with(&[
        ("flow.0.tcp.congestion", "newreno"),
        ("flow.0.tcp.small_queue", "off"),
        ("station.0.host.small_queue", "256 KiB"),
        ("station.sta1.host.offchannel.flush_first", "false"),
        ("station.sta1.adapter", "{ profile = \"ath9k\", streams = 1 }"),
        ("station.sta1.rate", "MCS 7"),
        ("station.sta1.snr", "20.5 dB"),
        ("station.sta1.scan.by.step", "1 s"),
        ("station.sta1.scan.remedy", "skip-if-moved"),
        ("station.sta1.scan.remedy.longest-postponement", "10 min"),
        ("server.0.link.queue", "{ discipline = \"fifo\", limit = \"128 KiB\" }"),
        ("duration", "1.5 min"),
    ]);
    let station = &scenario.station[0];
    assert_eq!(scenario.duration, Duration::from_secs(90));
    assert_eq!(station.host.tcp.small_queue.small_queue, Some(Bytes::from_kib(256)));
    assert!(!station.host.offchannel.flush_first);
    assert_eq!(station.host.offchannel.flush_timeout, Duration::from_millis(200));
    assert_eq!(
        station.rate,
        RateChoice::Fixed(Rate::Ht(Ht { mcs: 7, width: Width::Mhz40, guard: GuardInterval::Ns400 }))
    );
    assert!((station.snr - 20.5).abs() < f64::EPSILON);
    let scan = station.scan.as_ref().expect("it scans");
    assert_eq!((scan.step, scan.channels), (Duration::from_secs(1), 26));
    assert_eq!(
        scan.remedy,
        Remedy {
            policy: RemedyPolicy::SkipIfMoved,
            threshold: Bytes::ZERO,
            longest_postponement: Some(Duration::from_secs(600)),
        }
    );
    assert_eq!(
        scenario.server[0].link.queue,
        Discipline::Fifo(Fifo { limit: Limit { packets: None, bytes: Some(Bytes::from_kib(128)) } })
    );
    let tcp = tcp(&scenario);
    assert_eq!((tcp.growth.congestion, tcp.small_queue.small_queue), (Congestion::NewReno, None));
    assert_eq!(good(&scenario.to_toml()), scenario);
}

#[test]
fn a_rate_control_alone_has_its_defaults_and_a_table_changes_them() {
    let control = |rate| {
        let scenario = with(&[("station.0.rate", rate)]);
        assert_eq!(good(&scenario.to_toml()), scenario);
        let text = scenario.to_toml();
        let written = text.lines().find_map(|line| line.strip_prefix("rate = ")).expect("a rate");
        let RateChoice::Adaptive(control) = scenario.station[0].rate.clone() else { panic!("{rate}") };
        (control, written.to_owned())
    };
    let plain =
        (Adaptive::Aarf(Aarf { successes: 10, most_successes: 50, failures: 2 }), "\"aarf\"".to_owned());
    assert_eq!(control("aarf"), plain);
    assert_eq!(control("{ control = \"aarf\", failures = 2 }"), plain);
    let (changed, written) = control("{ control = \"aarf\", most_successes = 60 }");
    assert_eq!(changed, Adaptive::Aarf(Aarf { successes: 10, most_successes: 60, failures: 2 }));
    assert_eq!(written, "{ control = \"aarf\", successes = 10, most_successes = 60, failures = 2 }");
}

#[test]
fn a_discipline_alone_has_the_parameters_that_linux_gives_it() {
    let scenario = with(&[
        ("ap.0.queue", "{ discipline = \"fq_codel\" }"),
        ("station.0.host.queue", "{ discipline = \"codel\" }"),
        ("server.0.link.queue", "{ discipline = \"sfq\", perturb = \"10 s\" }"),
    ]);
    let Discipline::FqCodel(fq_codel) = &scenario.ap[0].queue else { panic!("{:?}", scenario.ap[0].queue) };
    assert_eq!((fq_codel.limit, fq_codel.flows, fq_codel.quantum, fq_codel.ecn), (10_240, 1024, 1514, true));
    assert_eq!((fq_codel.target, fq_codel.interval), (Duration::from_millis(5), Duration::from_millis(100)));
    let Discipline::Codel(codel) = &scenario.station[0].host.queue else { panic!("not CoDel") };
    assert_eq!((codel.limit, codel.ecn), (1000, false));
    let Discipline::Sfq(sfq) = &scenario.server[0].link.queue else { panic!("not SFQ") };
    assert_eq!((sfq.limit, sfq.depth, sfq.divisor), (127, 127, 1024));
    assert_eq!(sfq.perturb, Some(Duration::from_secs(10)));
    assert_eq!(good(&scenario.to_toml()), scenario);
}

#[test]
fn walls_and_fading_are_said_in_the_air() {
    let with_walls = |walls: &str, extra: &[(&str, &str)]| {
        let mut overrides = vec![("station.0.walls", walls), ("air.slow_fading.deviation", "4 dB")];
        overrides.push(("air.slow_fading.coherence", "2 s"));
        overrides.extend(extra);
        let scenario = with(&overrides);
        assert_eq!(good(&scenario.to_toml()), scenario);
        scenario
    };
    let (clear, behind) = (with_walls("0", &[]), with_walls("3", &[("air.path_loss.wall", "6.9 dB")]));
    assert!((clear.station[0].snr - behind.station[0].snr - 20.7).abs() < 0.011);
    let steep = with_walls("0", &[("air.path_loss.exponent", "4"), ("air.shadowing", "6 dB")]);
    assert!((clear.station[0].snr - steep.station[0].snr - 4.77).abs() < 0.011, "10 log10(3)");
    let slow = steep.air.slow_fading.expect("it is there");
    assert_eq!((slow.deviation_db, slow.coherence), (4.0, Duration::from_secs(2)));
}

/// The adapter's greatest window bounds the access point's best effort: 1023, where hostapd's default is 63.
#[test]
fn a_window_of_best_effort_goes_by_the_adapter() {
    let scenario = with(&[("ap.0.adapter", "edca-ac"), ("ap.0.edca", "{ be = { cw_min = 127 } }")]);
    let ap = &scenario.ap[0];
    let own = ap.adapter.edca(&scenario.air.rates(), Edca::ACCESS_POINT, ap.edca.as_ref());
    assert_eq!(own[Category::BestEffort], Access::new(3, 127, 1023));
    assert_eq!(own[Category::Background], Edca::ACCESS_POINT[Category::Background]);
}

#[test]
fn a_seed_given_apart_takes_the_place_of_the_files() {
    let scenario =
        load(TSQ, "test.toml", &[("seed".to_owned(), "7".to_owned())], Some(u64::MAX)).expect("good");
    assert_eq!(scenario.seed, u64::MAX);
    assert_eq!(good(&scenario.to_toml()), scenario);
}

#[test]
fn flows_without_names_are_named_by_their_ends() {
    let more = "[[flow]]\nfrom = \"sta1\"\nto = \"server\"\n\
                [[flow]]\nname = \"sta1-server-2\"\nfrom = \"server\"\nto = \"sta1\"\n";
    let scenario = good(&format!("{TSQ}\n{more}"));
    let names: Vec<&str> = scenario.flow.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["sta1-server", "sta1-server-3", "sta1-server-2"]);
}

#[test]
fn a_value_means_the_same_however_it_is_written() {
    for (path, one, other) in [
        ("duration", "90 s", "1.5 min"),
        ("duration", "\"90 s\"", "0.025 h"),
        ("server.0.link.delay", "250 us", "0.25 ms"),
        ("server.0.link.rate", "0.3 Gbit/s", "300Mbit/s"),
        ("station.0.host.small_queue", "128 KiB", "131072 B"),
        ("station.0.host.small_queue", "1.5 MiB", "1536 KiB"),
        ("station.0.rate", "MCS 15", "{ mcs = 15, guard-interval = \"short\" }"),
        ("station.0.scan.remedy", "none", "{ policy = \"none\" }"),
        ("station.0.host", "linux-3.13", "{ profile = \"linux-3.13\" }"),
        (
            "ap.0.queue",
            "{ discipline = \"fifo\", limit = \"8 KiB\" }",
            "{ limit = \"8192 B\", discipline = \"fifo\" }",
        ),
    ] {
        assert_eq!(with(&[(path, one)]), with(&[(path, other)]), "{path}");
    }
}

#[test]
fn a_chip_stands_for_one_profile() {
    let mut chips: Vec<_> = profiles().into_iter().flat_map(|profile| profile.chips).collect();
    assert!(chips.iter().all(|chip| *chip == chip.to_lowercase()));
    let all = chips.len();
    chips.sort_unstable();
    chips.dedup();
    assert!(all > 20 && chips.len() == all);
}

#[test]
fn every_value_of_a_profile_has_a_source() {
    let all = profiles();
    let names = |kind| all.iter().filter(move |p| p.kind == kind).map(|p| p.name).collect::<Vec<_>>();
    let hosts = [
        "linux-2.4",
        "linux-3.2",
        "linux-3.13",
        "linux-6.12",
        "linux-6.18",
        "macos-10.11",
        "sunos-5.8",
        "windows-10",
        "windows-2000",
        "ns-2",
    ];
    assert_eq!(names(ProfileKind::Host), hosts);
    let adapters = [
        "ath10k",
        "ath11k",
        "ath9k",
        "ath9k-3.13",
        "ath9k-ap",
        "ath9k-openwrt",
        "broadcom",
        "compaq-w200",
        "dcf",
        "edca-ac",
        "edca-ax",
        "edca-be",
        "iwlmld",
        "iwlwifi",
        "lucent-rg-1000",
        "mt76",
        "mt7925",
        "mt7996",
        "ns-2-80211b",
    ];
    assert_eq!(names(ProfileKind::Adapter), adapters);
    assert_eq!(names(ProfileKind::Scanner), ["networkmanager-0.9.8"]);
    assert_eq!(names(ProfileKind::Processor), ["ar7161"]);
    for profile in &all {
        assert!(!profile.description.is_empty() && profile.path.ends_with(".toml"), "{}", profile.path);
        for value in &profile.values {
            assert!(!value.source.is_empty(), "{}: {} has no source", profile.path, value.key);
            if let Some(claim) = &value.calibrated {
                let (id, reason) = claim.split_once(": ").expect("a claim and a reason");
                assert!(id.contains('.') && !reason.is_empty(), "{}: {claim}", profile.path);
            }
        }
        // Nothing is marked as calibrated that is not there.
        let text =
            std::fs::read_to_string(format!("{}/../../../{}", env!("CARGO_MANIFEST_DIR"), profile.path));
        if let Some(text) = text.ok().filter(|text| !text.contains("\nlike = ")) {
            let marked = text.split_once("[calibrated]").map_or(0, |(_, m)| m.matches(" = ").count());
            assert_eq!(marked, profile.values.iter().filter(|v| v.calibrated.is_some()).count());
        }
    }
    let ubuntu = all.iter().find(|p| p.name == "linux-3.13").expect("it is there");
    let small_queue = ubuntu.values.iter().find(|v| v.key == "small_queue").expect("it is there");
    assert_eq!(small_queue.value, "\"128 KiB\"");
    assert!(small_queue.source.contains("sysctl_tcp_limit_output_bytes"));
    assert!(ubuntu.values.iter().any(|v| v.key == "offchannel.flush_first"));
}

#[test]
fn the_schema_knows_every_key_that_is_written() {
    let schema: serde_json::Value = serde_json::from_str(&json_schema()).expect("it is JSON");
    for line in good(TSQ).to_toml().lines() {
        if let Some((key, _)) = line.split_once(" = ") {
            assert!(has_key(&schema, key), "{key}");
        }
    }
    let top = &schema["properties"];
    assert_eq!(top["duration"]["description"], "How long the run lasts.");
    assert_eq!(schema["required"], serde_json::json!(["air"]));
    assert_eq!(
        top["station"]["items"]["properties"]["host"]["anyOf"][1]["required"],
        serde_json::json!(["profile"])
    );
}

fn has_key(schema: &serde_json::Value, key: &str) -> bool {
    match schema {
        serde_json::Value::Object(map) => {
            map.get("properties").is_some_and(|p| p.get(key).is_some())
                || map.values().any(|v| has_key(v, key))
        }
        serde_json::Value::Array(items) => items.iter().any(|v| has_key(v, key)),
        _ => false,
    }
}

/// A place in the good scenario where the keys of a table may stand, and the way to the table in the schema.
const TABLES: [(&str, &[&str]); 14] = [
    ("", &[]),
    ("air", &["air"]),
    ("air.path_loss", &["air", "path_loss"]),
    ("air.slow_fading", &["air", "slow_fading"]),
    ("air.outages", &["air", "outages"]),
    ("ap.0", &["ap"]),
    ("ap.0.processor", &["ap", "processor"]),
    ("station.0", &["station"]),
    ("station.0.host", &["station", "host"]),
    ("station.0.host.recovery", &["station", "host", "recovery"]),
    ("station.0.adapter", &["station", "adapter"]),
    ("station.0.scan", &["station", "scan"]),
    ("flow.0", &["flow"]),
    ("flow.0.tcp", &["flow", "tcp"]),
];

/// The keys of a table.
fn keys<'a>(schema: &'a serde_json::Value, way: &[&str]) -> &'a serde_json::Map<String, serde_json::Value> {
    let Some((first, rest)) = way.split_first() else {
        let alternatives = schema["anyOf"].as_array().into_iter().flatten();
        let table = alternatives.chain([schema, &schema["items"]]).find(|s| s["properties"].is_object());
        return table.and_then(|s| s["properties"].as_object()).expect("a table");
    };
    keys(&keys(schema, &[])[*first], rest)
}

#[test]
fn a_rate_of_ht_may_be_said_by_its_speed() {
    let rate = |said: &str| {
        let set = [("station.0.rate".to_owned(), said.to_owned())];
        load(TSQ, "test.toml", &set, None)
            .map(|scenario| scenario.to_toml())
            .map_err(|e| e.first().message.clone())
    };
    assert_eq!(rate("300 Mbit/s"), rate("{ mcs = 15, guard_interval = \"short\" }"));
    assert_eq!(rate("270 Mbit/s"), Err("270 Mbit/s is that of MCS 14 and of MCS 15".to_owned()));
    assert_eq!(rate("13.5 Mbit/s"), rate("{ mcs = 0, guard_interval = \"long\" }"));
    assert_ne!(
        rate("54 Mbit/s"),
        rate("{ mcs = 3, guard_interval = \"long\" }"),
        "it is the rate of 802.11a"
    );
}

/// A value in TOML, on one line.
fn inline(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Object(map) => {
            let entries: Vec<String> =
                map.iter().map(|(key, one)| format!("{key} = {}", inline(one))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        other => other.to_string(),
    }
}

#[test]
fn every_default_and_every_example_of_the_schema_can_be_written() {
    let schema: serde_json::Value = serde_json::from_str(&json_schema()).expect("it is JSON");
    let mut tried = 0;
    for (path, way) in TABLES {
        for (key, meaning) in keys(&schema, way) {
            assert!(meaning["description"].as_str().is_some_and(|text| text.len() > 5), "{path}.{key}");
            let alternatives = meaning["anyOf"].as_array().into_iter().flatten();
            let examples =
                alternatives.chain([meaning]).filter_map(|one| one["examples"].as_array()).flatten();
            for value in examples.chain(meaning.get("default")) {
                let full = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                let text = value.as_str().map_or_else(|| inline(value), str::to_owned);
                let set = [(full, text)];
                let refused = load(TSQ, "test.toml", &set, None).err();
                // A value may not go together with others; by itself it is one that the key can have.
                let wrong = ["must", "cannot be", "no unit", "unknown", "is empty", "not supported"];
                let complaint = refused.as_ref().map_or("", |mistakes| &mistakes.first().message);
                assert!(!wrong.iter().any(|word| complaint.contains(word)), "{set:?}: {complaint}");
                tried += 1;
            }
        }
    }
    assert!(tried > 100, "{tried}");
    let of = |path: &str, key: &str| {
        let (_, way) = TABLES.iter().find(|(known, _)| *known == path).expect("a table");
        keys(&schema, way)[key].clone()
    };
    assert_eq!(of("", "duration")["default"], "60 s");
    assert_eq!(of("air.path_loss", "exponent")["default"], 3.0);
    assert_eq!(of("air", "fading")["x-most"], "20 dB");
    assert_eq!(of("station.0.adapter", "ampdu_spacing")["examples"], serde_json::json!(["16 us"]));
    assert_eq!(of("ap.0", "queue")["default"]["discipline"], "fifo");
}

#[test]
fn a_profile_that_is_like_another_has_its_values_but_those_it_states() {
    let all = profiles();
    let adapter = |name: &str| all.iter().find(|p| p.name == name).expect("it is there");
    let value = |name: &str, key: &str| {
        adapter(name).values.iter().find(|v| v.key == key).map(|v| (v.value.as_str(), v.calibrated.is_some()))
    };
    let keys = |name: &str| {
        let mut keys: Vec<_> = adapter(name).values.iter().map(|v| v.key.as_str()).collect();
        keys.sort_unstable();
        keys
    };
    for (name, cw_max, retry_limit) in [
        ("ath9k", "1023", "10"),
        ("ath9k-3.13", "1023", "30"),
        ("ath9k-ap", "63", "10"),
        ("ath9k-openwrt", "63", "30"),
    ] {
        assert_eq!(keys(name), keys("ath9k"));
        assert_eq!(value(name, "cw_max"), Some((cw_max, false)), "{name}");
        assert_eq!(value(name, "retry_limit"), Some((retry_limit, false)), "{name}");
        assert_eq!(value(name, "evm"), Some(("\"-30 dB\"", true)), "{name}");
        let adapter = with(&[("station.0.adapter", name)]).station[0].adapter.clone();
        assert_eq!(
            (adapter.profile.as_str(), adapter.best_effort.cw_max.to_string().as_str()),
            (name, cw_max)
        );
        assert_eq!(
            (adapter.retries.limit.to_string().as_str(), adapter.null_frame.attempts),
            (retry_limit, 20)
        );
    }
}

/// hostapd counts stations of 802.11b in its own network for the slot (`num_sta_no_short_slot_time`), and protects itself from those of
/// other networks on its channel too (`ap_list_beacon_olbc()`): an access point of 802.11b among them.
#[test]
fn a_station_of_802_11b_slows_its_own_network_and_is_protected_from_on_its_channel() {
    let ap = |name: &str, keys: &str| format!("[[ap]]\nname = \"{name}\"\nadapter = \"dcf\"\n{keys}\n");
    let station = |ap: &str, standard: &str| {
        format!(
            "[[station]]\nname = \"{ap}-sta\"\nap = \"{ap}\"\nhost = \"linux-6.18\"\nsnr = \"40 dB\"\n\
             adapter = {{ profile = \"dcf\", standard = \"{standard}\" }}\n"
        )
    };
    let parts = [
        "title = \"Networks\"\nair = { standard = \"802.11g\", band = \"2.4 GHz\", width = \"20 MHz\" }\n"
            .to_owned(),
        ap("old", "channel = 1"),
        ap("beside", "channel = 1"),
        ap("apart", "channel = 6"),
        ap("oldest", "channel = 11\nstandard = \"802.11b\""),
        ap("near", "channel = 11"),
        ap("fixed", "channel = 11\nprotection = \"rts-cts\"\nslot = \"long\""),
        station("old", "802.11b"),
        station("beside", "802.11g"),
    ];
    let scenario = good(&parts.concat());
    let found = scenario.ap.iter().map(|ap| {
        let air = scenario.air_of(ap);
        (ap.name.as_str(), air.slot, air.protection)
    });
    let (long, short) = (Some(SlotTime::Long), Some(SlotTime::Short));
    assert_eq!(
        found.collect::<Vec<_>>(),
        [
            ("old", long, Some(Protection::CtsToSelf)),
            ("beside", short, Some(Protection::CtsToSelf)),
            ("apart", short, Some(Protection::None)),
            ("oldest", None, None),
            ("near", short, Some(Protection::CtsToSelf)),
            ("fixed", long, Some(Protection::RtsCts)),
        ]
    );
    assert_eq!(good(&scenario.to_toml()), scenario);
}

/// What depends on standard and band is inherited with them; a network with others has hostapd's of its own.
#[test]
fn an_access_point_lays_its_own_air_over_that_of_all() {
    let text = "title = \"Bands\"\n[air]\nstandard = \"802.11ax\"\nband = \"5 GHz\"\nwidth = \"80 MHz\"\nfading = \"1 dB\"\n\
                basic_rates = [\"6 Mbit/s\"]\n\
                [[ap]]\nname = \"a\"\nchannel = 36\nadapter = \"edca-ax\"\n\
                [[ap]]\nname = \"b\"\nchannel = 100\nwidth = \"20 MHz\"\nadapter = \"edca-ax\"\n\
                [[ap]]\nname = \"c\"\nchannel = 1\nband = \"2.4 GHz\"\nwidth = \"20 MHz\"\npreamble = \"short\"\nadapter = \"edca-ax\"\n";
    let scenario = good(text);
    let [a, b, c] = [0, 1, 2].map(|n| scenario.air_of(&scenario.ap[n]).into_owned());
    assert_eq!((&a, a.width), (&scenario.air, Width::Mhz80));
    assert_eq!((b.width, &b.basic_rates), (Width::Mhz20, &a.basic_rates));
    assert_eq!((c.basic_rates.map(|rates| rates.len()), c.fading), (Some(4), 1.0));
    assert_eq!((c.preamble, c.slot), (Preamble::Short, Some(SlotTime::Short)));
    let centres = scenario.channels().iter().map(|channel| channel.centre_mhz).collect::<Vec<_>>();
    assert_eq!(centres, [5210, 5500, 2412]);
}
