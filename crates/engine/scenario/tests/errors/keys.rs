//! Keys: unknown, missing, of another table.

use crate::{GOOD, answer, set, with};

#[test]
fn unknown_keys_are_told_with_the_likely_word() {
    let answers = [
        with("congestion = \"cubic\"", "congeston = \"cubic\""),
        with("[air]", "[ari]"),
        with("from = \"sta1\"", "form = \"sta1\""),
        with("snr = \"35 dB\"", "signal = \"35 dB\""),
        with(
            "host = \"linux-3.13\"\nadapter",
            "host = { profile = \"linux-3.13\", smal_queue = \"off\" }\nadapter",
        ),
        with(
            "host = \"linux-3.13\"\nadapter",
            "host = { profile = \"linux-3.13\", tcp = { small_queue = \"off\" } }\nadapter",
        ),
        with("channels = 26", "channels = 26, step_ = \"1 s\""),
        with("by = \"networkmanager-0.9.8\"", "by = { profile = \"networkmanager-0.9.8\", setp = \"3 s\" }"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn words_of_beginners_lead_to_ours() {
    let wall = |line: &str| {
        with(
            "[[flow]]",
            &format!("[[wall]]\nfrom = [\"1 m\", \"0 m\"]\nto = [\"1 m\", \"5 m\"]\n{line}\n\n[[flow]]"),
        )
    };
    let led = [
        (with("band = \"5 GHz\"", "band = \"5.2 GHz\""), "did you mean `5 GHz`?"),
        (wall("loss = \"5 dB\""), "a wall takes what its `material` takes"),
        (with("title", "walls = [{ loss = \"5 dB\" }]\ntitle"), "a wall is [[wall]] with from ="),
        (with("title", "sim_time = \"9 s\"\ntitle"), "did you mean `duration`?"),
        (
            with("snr = \"35 dB\"", "distance = \"5 m\"\nwall_loss = \"5 dB\""),
            "`walls` counts the walls in between",
        ),
    ];
    for (answer, hint) in led {
        assert!(answer.contains(hint), "{answer}");
    }
}

#[test]
fn a_key_of_another_table_is_told_with_that_table() {
    let flow = |line: &str| with("tcp = { congestion = \"cubic\" }", line);
    let station = |line: &str| with("snr = \"35 dB\"", &format!("snr = \"35 dB\"\n{line}"));
    let air = |line: &str| with("width = \"40 MHz\"", &format!("width = \"40 MHz\"\n{line}"));
    let ap = |line: &str| with("adapter = \"ath9k\"\n\n", &format!("adapter = \"ath9k\"\n{line}\n\n"));
    let server = |line: &str| with("[[flow]]", &format!("{line}\n\n[[flow]]"));
    let answers = [
        air("snr = \"35 dB\""),
        air("snr = 35"),
        air("seed = 3"),
        air("signal = \"35 dB\""),
        air("position = [\"1 m\", \"2 m\"]"),
        air("material = \"wood\""),
        flow("queue = { discipline = \"codel\" }"),
        flow("delay = \"5 ms\""),
        flow("small_queue_shift = 8"),
        flow("remedy = \"skip-if-moved\""),
        flow("wall = 3"),
        station("congestion = \"cubic\""),
        station("interval = \"20 ms\""),
        station("frto = true"),
        station("rts_threshold = \"500 B\""),
        station("queue = { discipline = \"codel\" }"),
        station("path = [[\"1 m\", \"1 m\"], [\"4 m\", \"1 m\"]]"),
        station("path = { at = \"1 s\", position = [\"1 m\", \"1 m\"] }"),
        ap("snr = \"35 dB\""),
        ap("rate = \"MCS 7\""),
        ap("duration = \"10 s\""),
        ap("path = [{ at = \"1 s\", position = [\"1 m\", \"1 m\"] }]"),
        station(
            "walk = { from = [\"1 m\", \"1 m\"], to = [\"4 m\", \"1 m\"], speed = \"1 m/s\", start = \"1 s\" }",
        ),
        station("power_save = { timeout = \"100 ms\", snr = \"20 dB\" }"),
        server("snr = \"3 dB\""),
        server("delay = \"3 ms\""),
        server("rate = \"1 Gbit/s\""),
        with("duration", "snr = \"35 dB\"\nduration"),
        with("duration", "standard = \"802.11n\"\nduration"),
        set("air.snr", "35 dB"),
        ap("queue = { discipline = \"fifo\" }\nlimit = \"20 packets\""),
        with(
            "adapter = \"ath9k\"\n\n",
            "adapter = \"ath9k\"\nlimit = \"20 packets\"\nqueue.discipline = \"fifo\"\n\n",
        ),
        server("late = 0.1"),
        station("power_save = true"),
        flow("write = \"100 kB\""),
        with("[[flow]]", "[[wall]]\nstart = [\"1 m\", \"0 m\"]\nend = [\"1 m\", \"5 m\"]\n\n[[flow]]"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

/// Every key of every table, wherever it stands, is answered with the table that has it or with what else serves.
#[test]
fn no_key_that_there_is_is_unknown_without_its_table() {
    let schema: serde_json::Value = serde_json::from_str(&airloom_scenario::json_schema()).expect("JSON");
    let mut keys = Vec::new();
    gather(&schema, &mut keys);
    assert!(keys.len() > 200, "{}", keys.len());
    for key in keys {
        for table in
            ["air", "ap.0", "station.0", "server.0", "flow.0", "flow.0.tcp", "server.0.link", "record"]
        {
            let path = format!("{table}.{key}");
            let answer = answer(GOOD, &[(&path, "1")]);
            if let Some((_, told)) = answer.split_once("unknown key") {
                assert!(!told.contains("\n  there "), "{path}: {told}");
            }
        }
    }
}

/// The keys of all tables of a schema.
fn gather(schema: &serde_json::Value, keys: &mut Vec<String>) {
    for (key, one) in schema["properties"].as_object().into_iter().flatten() {
        keys.push(key.clone());
        gather(one, keys);
    }
    schema["anyOf"].as_array().into_iter().flatten().for_each(|one| gather(one, keys));
    if schema["items"].is_object() {
        gather(&schema["items"], keys);
    }
    keys.sort();
    keys.dedup();
}

#[test]
fn missing_keys_are_told_where_they_are_missing() {
    let answers = [
        with("width = \"40 MHz\"\n", ""),
        with("[air]\nstandard = \"802.11n\"\nband = \"5 GHz\"\nwidth = \"40 MHz\"\n", ""),
        with("from = \"sta1\"\n", ""),
        with("host = \"linux-3.13\"\nlink", "link"),
        with("rate = \"1 Gbit/s\", ", ""),
        with(", channels = 26", ""),
        with("by = \"networkmanager-0.9.8\", ", ""),
        with("host = \"linux-3.13\"\nadapter", "host = { small_queue = \"off\" }\nadapter"),
        with("snr = \"35 dB\"\n", ""),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn what_is_not_supported_is_said_with_what_serves_today() {
    let flow = |rest: &str| with("tcp = { congestion = \"cubic\" }", rest);
    let adapter = |name: &str| with("adapter = \"ath9k\"\nsnr", &format!("adapter = \"{name}\"\nsnr"));
    let host = |name: &str| with("host = \"linux-3.13\"\nadapter", &format!("host = \"{name}\"\nadapter"));
    let station = |line: &str| with("snr = \"35 dB\"", &format!("snr = \"35 dB\"\n{line}"));
    let answers = [
        flow("tcp = { congestion = \"reno\" }"),
        flow("tcp = \"bbr\""),
        flow("tcp = \"cubik\""),
        flow("congestion = \"cubic\""),
        flow("kind = \"voip\""),
        flow("kind = \"web\""),
        flow("kind = \"rpm\""),
        flow("access_category = \"AC_VO\""),
        flow("dscp = \"voice\""),
        flow("dscp = 64"),
        with("adapter = \"ath9k\"\n\n", "adapter = \"ath9k\"\nwmm = { vo = { cw_min = 15 } }\n\n"),
        with("adapter = \"ath9k\"\n\n", "adapter = \"ath9k\"\nwmm = { be = { cw_min = 2047 } }\n\n"),
        with("adapter = \"ath9k\"\n\n", "adapter = \"ath9k\"\nedca = { be = { cw_min = 2047 } }\n\n"),
        with("adapter = \"ath9k\"\n\n", "adapter = \"ath9k\"\nedca = { vi = { cw_min = 8 } }\n\n"),
        station("wmm = true"),
        station("tx_power = \"20 dBm\""),
        station("speed = \"1 m/s\""),
        station("position = [1, 2]"),
        with("snr = \"35 dB\"", "distance = [\"1 m\", \"2 m\"]"),
        with("adapter = \"ath9k\"\n\n", "adapter = { profile = \"ath9k\", amsdu = true }\n\n"),
        with("adapter = \"ath9k\"\n\n", "adapter = { profile = \"ath9k\", mpdu_bytes = \"4000 B\" }\n\n"),
        with("adapter = \"ath9k\"\n\n", "adapter = \"ath9k\"\naql = \"5 ms\"\n\n"),
        with("width", "channel = 36\nwidth"),
        with("{ rate = \"1 Gbit/s\", delay = \"0.25 ms\" }", "\"100 Mbit/s\""),
        with(
            "{ rate = \"1 Gbit/s\", delay = \"0.25 ms\" }",
            "{ bandwidth = \"100 Mbit/s\", latency = \"1 ms\" }",
        ),
        with("snr = \"35 dB\"", "snr = \"walk.csv\""),
        with("snr = \"35 dB\"", "snr = { trace = \"walk.csv\" }"),
        flow("kind = \"quic\""),
        flow("tcp = { congestion = \"prague\" }"),
        with("adapter = \"ath9k\"\n\n", "adapter = \"ath9k\"\nqueue = { discipline = \"dualpi2\" }\n\n"),
        adapter("intel"),
        adapter("ath12k"),
        adapter("QCA9984"),
        host("ubuntu"),
        host("Windows 11"),
        with("adapter = \"ath9k\"\nsnr", "adapter = { profile = \"ath9k\", pulls_since = 4.10 }\nsnr"),
        station("hidden_from = [\"sta1\"]"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

/// Words of the field that nothing here bears yet: each is answered with its status and what serves, wherever it stands.
#[test]
fn what_people_of_the_field_write_is_known() {
    const WORDS: [&str; 24] = [
        "roaming",
        "handover",
        "neighbour",
        "neighbor",
        "interference",
        "obss",
        "bluetooth",
        "ofdma",
        "mu_mimo",
        "mlo",
        "emlsr",
        "twt",
        "l4s",
        "prague",
        "accecn",
        "multicast",
        "broadcast",
        "trace",
        "mobility",
        "tx_power",
        "receive_window",
        "rcvbuf",
        "sndbuf",
        "beamforming",
    ];
    for (place, hold) in
        [("[air]", "[air]"), ("name = \"ap\"", "name = \"ap\""), ("snr = \"35 dB\"", "snr = \"35 dB\"")]
    {
        for word in WORDS {
            let answer = with(place, &format!("{hold}\n{word} = true"));
            let (_, told) = answer.split_once("unknown key").expect(word);
            assert!(!told.contains("there are") && told.lines().count() == 2, "{word}: {told}");
        }
    }
}

/// Whatever the congestion control is called that nothing here has: one of one's own, or of a paper.
#[test]
fn a_congestion_control_that_there_is_not_is_answered_with_ways_to_one() {
    for word in ["mine", "mycc.py", "quic", "ledbat", "lola", "bbr2", "bbrv2", "copa"] {
        let told = with("tcp = { congestion = \"cubic\" }", &format!("tcp = {{ congestion = \"{word}\" }}"));
        assert!(
            told.contains("one of your own is a class in a Python module")
                && told.contains("under `airloom shell`"),
            "{told}"
        );
    }
}

/// However people write that a flow is QUIC's, the answer is the way that there is.
#[test]
fn quic_is_answered_with_the_shell_however_it_is_written() {
    for line in [
        "kind = \"quic\"",
        "kind = \"http3\"",
        "kind = \"h3\"",
        "protocol = \"quic\"",
        "transport = \"quic\"",
        "http3 = true",
    ] {
        let told = with("tcp = { congestion = \"cubic\" }", line);
        assert!(told.contains("`airloom shell`") && told.contains("kind = \"command\""), "{line}: {told}");
    }
}

/// Each is another key's here, or nothing's yet: the answer is about the table that it stands in.
#[test]
fn a_key_is_answered_for_the_table_that_it_stands_in() {
    for (place, line, answer) in [
        ("name = \"ap\"", "bandwidth = \"80 MHz\"", "did you mean `width`?"),
        ("standard =", "bandwidth = \"80 MHz\"", "did you mean `width`?"),
        ("name = \"ap\"", "dualpi2 = true", "L4S is not supported yet"),
        ("name = \"ap\"", "queue = { discipline = \"l4s\" }", "L4S is not supported yet"),
        ("tcp = { congestion", "trace = \"x.csv\"", "what was recorded is `traffic`"),
        ("snr = \"35 dB\"", "snr_trace = \"x.csv\"", "a recorded signal is the `snr` of a station"),
        ("tcp = { congestion", "qos = \"voice\"", "write `dscp`"),
    ] {
        let told = with(place, &format!("{line}\n{place}"));
        assert!(told.contains(answer), "{told}");
    }
    let serves = |path| airloom_scenario::serves_for_key(path).unwrap_or_default();
    assert!(
        serves("flow.category").contains("write `dscp`") && serves("flow.voice").contains("write `dscp`")
    );
    assert_eq!(
        (serves("ap.bandwidth"), serves("bandwidth")),
        ("did you mean `ap.width`?".to_owned(), String::new())
    );
}

/// What such a part has of its driver, the file does not have.
#[test]
fn a_key_of_a_part_that_is_a_word() {
    let queue = "host = \"linux-6.18\"\nqueue = { discipline = \"fq_codel\" }\n";
    let modern = |line: &str| {
        GOOD.replacen("host = \"linux-3.13\"\n", line, 1).replacen("\"ath9k\"\nsnr", "\"edca-ac\"\nsnr", 1)
    };
    insta::assert_snapshot!(answer(&modern(queue), &[]), @r#"
    + host = "linux-6.18"
    + queue = { discipline = "fq_codel" }
    + adapter = "edca-ac"
    test.toml:16:1: unknown key `queue` in `station`, whose `host` is on line 15
      write `host = { profile = "linux-6.18", queue = { discipline = "fq_codel" } }`
    "#);
    insta::assert_snapshot!(with("snr = \"35 dB\"\n", "snr = \"35 dB\"\nampdu_frames = 8\n"), @r#"
    + ampdu_frames = 8
    test.toml:18:1: unknown key `ampdu_frames` in `station`, whose `adapter` is on line 16
      write `adapter = { profile = "ath9k", ampdu_frames = 8 }`
    "#);
    insta::assert_snapshot!(with("snr = \"35 dB\"\n", "snr = \"35 dB\"\nsack = false\n"), @r#"
    + sack = false
    test.toml:18:1: unknown key `sack` in `station`, whose `host` is on line 15
      write `host = { profile = "linux-3.13", sack = false }`
    "#);
}

#[test]
fn the_word_for_a_table_is_told_with_its_key() {
    let host = |table: &str| with("host = \"linux-3.13\"\nadapter", &format!("host = {table}\nadapter"));
    let station = |line: &str| with("snr = \"35 dB\"", &format!("snr = \"35 dB\"\n{line}"));
    let link = |late: &str| with("delay = \"0.25 ms\"", &format!("delay = \"0.25 ms\", late = {late}"));
    let scan = |by: &str| with("by = \"networkmanager-0.9.8\"", &format!("{by} = \"networkmanager-0.9.8\""));
    let answers = [
        host("{ name = \"linux-3.13\" }"),
        host("{ model = \"linux-3.13\", small_queue = \"off\" }"),
        station("rate = { by = \"minstrel\" }"),
        station("rate = { algorithm = \"minstrel\", late = 0.1 }"),
        station("roam = { name = \"iwd\" }"),
        station("roam = { profile = \"iwd\" }"),
        scan("profile"),
        scan("name"),
        with("adapter = \"ath9k\"\n\n", "adapter = \"ath9k\"\nqueue = { type = \"codel\" }\n\n"),
        link("0.1"),
        link("\"5 ms\""),
        link("true"),
        station("late = 0.1"),
        with("adapter = \"ath9k\"\n\n", "adapter = \"ath9k\"\nlate = 0.1\n\n"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn names_that_others_use_are_told_with_ours() {
    let answers = [
        with("[[ap]]", "[[access_point]]"),
        with("[[ap]]", "[[router]]"),
        with("[[station]]", "[[clients]]"),
        with("[[station]]", "[[sta]]"),
        with("[[flow]]", "[link]\nrate = \"1 Gbit/s\"\n\n[[flow]]"),
        with("snr = \"35 dB\"", "dist = \"3 m\""),
        with("to = \"server\"", "to = \"serv\""),
        with("name = \"sta1\"", "name = \"phone\"").replace("no error", ""),
        answer(
            &GOOD
                .replace("name = \"sta1\"", "name = \"phone\"")
                .replace("from = \"sta1\"", "from = \"fone\""),
            &[],
        ),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}
