//! What a mistake in a scenario is answered with, word for word.

use airloom_scenario::{ProfileKind, load, profiles};
use airloom_wifi::Adaptive;

const GOOD: &str = r#"title = "A test"
duration = "10 s"

[air]
standard = "802.11n"
band = "5 GHz"
width = "40 MHz"

[[ap]]
name = "ap"
adapter = "ath9k"

[[station]]
name = "sta1"
host = "linux-3.13"
adapter = "ath9k"
snr = "35 dB"
scan = { by = "networkmanager-0.9.8", channels = 26 }

[[server]]
name = "server"
host = "linux-3.13"
link = { rate = "1 Gbit/s", delay = "0.25 ms" }

[[flow]]
from = "sta1"
to = "server"
tcp = { congestion = "cubic" }
"#;

/// The profiles of a kind, as messages name them.
fn listed(kind: ProfileKind) -> String {
    let names: Vec<String> =
        profiles().iter().filter(|p| p.kind == kind).map(|p| format!("`{}`", p.name)).collect();
    let (last, others) = names.split_last().expect("there are several");
    format!("there are {} and {last}", others.join(", "))
}

/// How a rate can be written, with every rate control.
fn rate_hint() -> String {
    let words: String = Adaptive::WORDS.iter().map(|word| format!(", \"{word}\"")).collect();
    format!("write \"54 Mbit/s\", \"MCS 15\"{words} or [{{ at = \"0 s\", rate = \"54 Mbit/s\" }}, ...]")
}

fn error_of(text: &str, overrides: &[(&str, &str)]) -> String {
    let overrides: Vec<(String, String)> =
        overrides.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    match load(text, "test.toml", &overrides, None) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// The good scenario with `old` replaced by `new`.
fn with(old: &str, new: &str) -> String {
    assert_eq!(GOOD.matches(old).count(), 1, "{old} is not there once");
    error_of(&GOOD.replace(old, new), &[])
}

fn set(path: &str, value: &str) -> String {
    error_of(GOOD, &[(path, value)])
}
#[test]
fn unknown_keys_are_told_with_the_likely_word() {
    assert_eq!(
        with("congestion = \"cubic\"", "congeston = \"cubic\""),
        "test.toml:28:9: unknown key `congeston` in `flow.tcp`\n  did you mean `congestion`?"
    );
    assert_eq!(with("[air]", "[ari]"), "test.toml:4:2: unknown key `ari`\n  did you mean `air`?");
    assert_eq!(
        with("from = \"sta1\"", "form = \"sta1\""),
        "test.toml:26:1: unknown key `form` in `flow`\n  did you mean `from`?"
    );
    assert_eq!(
        with("snr = \"35 dB\"", "signal = \"35 dB\""),
        "test.toml:17:1: unknown key `signal` in `station`\n  there are `name`, `count`, `group`, `host`, `adapter`, `snr`, `distance`, `walls`, `rate`, `hidden_from` and `scan`"
    );
    assert_eq!(
        with(
            "host = \"linux-3.13\"\nadapter",
            "host = { profile = \"linux-3.13\", smal_queue = \"off\" }\nadapter"
        ),
        "test.toml:15:34: unknown key `smal_queue` in `station.host`\n  did you mean `small_queue`?"
    );
    assert_eq!(
        with(
            "host = \"linux-3.13\"\nadapter",
            "host = { profile = \"linux-3.13\", tcp = { small_queue = \"off\" } }\nadapter"
        ),
        "test.toml:15:34: unknown key `tcp` in `station.host`\n  the keys of a host's TCP stand directly in the host"
    );
    assert_eq!(
        with("channels = 26", "channels = 26, step_ = \"1 s\""),
        "test.toml:18:54: unknown key `step_` in `station.scan`\n  did you mean `step`?"
    );
    assert_eq!(
        with("by = \"networkmanager-0.9.8\"", "by = { profile = \"networkmanager-0.9.8\", setp = \"3 s\" }"),
        "test.toml:18:51: unknown key `setp` in `station.scan.by`\n  did you mean `step`?"
    );
}

#[test]
fn missing_keys_are_told_where_they_are_missing() {
    assert_eq!(with("title = \"A test\"\n", ""), "test.toml:1:1: `title` is missing");
    assert_eq!(with("width = \"40 MHz\"\n", ""), "test.toml:4:1: `air` needs `width`");
    assert_eq!(
        with("[air]\nstandard = \"802.11n\"\nband = \"5 GHz\"\nwidth = \"40 MHz\"\n", ""),
        "test.toml:1:1: `air` is missing"
    );
    assert_eq!(with("from = \"sta1\"\n", ""), "test.toml:25:1: `flow` needs `from`");
    assert_eq!(with("host = \"linux-3.13\"\nlink", "link"), "test.toml:20:1: `server` needs `host`");
    assert_eq!(with("rate = \"1 Gbit/s\", ", ""), "test.toml:23:8: `server.link` needs `rate`");
    assert_eq!(with(", channels = 26", ""), "test.toml:18:8: `station.scan` needs `channels`");
    assert_eq!(
        with("by = \"networkmanager-0.9.8\", ", ""),
        "test.toml:18:8: `station.scan` needs `by`\n  write { by = \"networkmanager-0.9.8\", channels = 26 }"
    );
    assert_eq!(
        with("host = \"linux-3.13\"\nadapter", "host = { small_queue = \"off\" }\nadapter"),
        format!("test.toml:15:8: `station.host` needs `profile`\n  {}", listed(ProfileKind::Host))
    );
    assert_eq!(
        with("snr = \"35 dB\"\n", ""),
        "test.toml:13:1: station `sta1` has neither `snr` nor `distance`\n  write for example distance = \"3 m\" or snr = \"35 dB\""
    );
}

#[test]
fn wrong_types_are_told() {
    assert_eq!(with("\"A test\"", "3"), "test.toml:1:9: `title` must be text in quotes, not a number");
    assert_eq!(
        with("\"A test\"", "[\"A test\"]"),
        "test.toml:1:9: `title` must be text in quotes, not an array"
    );
    assert_eq!(
        with("\"10 s\"", "true"),
        "test.toml:2:12: `duration` must be a time, not true or false\n  write for example \"120 s\""
    );
    assert_eq!(
        with("\"10 s\"", "1979-05-27"),
        "test.toml:2:12: `duration` must be a time, not a date\n  write for example \"120 s\""
    );
    assert_eq!(
        with("26", "\"26\""),
        "test.toml:18:50: `channels` must be a whole number, not text\n  write it without the quotes"
    );
    assert_eq!(with("26", "26.5"), "test.toml:18:50: `channels` must be a whole number");
    assert_eq!(
        with("[[ap]]", "[ap]"),
        "test.toml:9:1: `ap` must be an array of tables, not a table\n  write [[ap]], once for each"
    );
    assert_eq!(
        with("[air]", "[[air]]"),
        "test.toml:4:1: `air` must be a table, not an array\n  write [air], not [[air]]"
    );
    assert_eq!(
        with("adapter = \"ath9k\"\n\n", "adapter = 3\n\n"),
        format!(
            "test.toml:11:11: `adapter` must be the name of an adapter profile or a table with `profile`, not a number\n  {}",
            listed(ProfileKind::Adapter)
        )
    );
    assert_eq!(
        with("{ congestion = \"cubic\" }", "\"cubic\""),
        "test.toml:28:7: `tcp` must be a table, not text"
    );
    assert_eq!(
        with("{ congestion = \"cubic\" }", "{ congestion = 1 }"),
        "test.toml:28:22: `congestion` must be a word in quotes, not a number\n  there are `newreno`, `cubic` and `bbr`"
    );
    assert_eq!(
        with("{ congestion = \"cubic\" }", "{ slow_start = true }"),
        "test.toml:28:22: `slow_start` must be a word in quotes, not true or false\n  there are `standard`, `linux`, `hystart` and `hystart++`"
    );
    assert_eq!(
        with("\"linux-3.13\"\nadapter", "{ profile = \"linux-3.13\", sack = \"yes\" }\nadapter"),
        "test.toml:15:41: `sack` must be true or false, not text\n  write true or false without quotes"
    );
    assert_eq!(
        with("\"802.11n\"", "{}"),
        "test.toml:5:12: `standard` must be a word in quotes, not a table\n  there are `802.11a`, `802.11b`, `802.11g` and `802.11n`"
    );
}

#[test]
fn units_are_asked_for() {
    assert_eq!(
        with("\"10 s\"", "10"),
        "test.toml:2:12: `duration` has no unit\n  write for example \"10 s\"; the units are `us`, `ms`, `s`, `min` and `h`"
    );
    assert_eq!(
        with("\"10 s\"", "\"120\""),
        "test.toml:2:12: `duration` has no unit\n  write for example \"120 s\"; the units are `us`, `ms`, `s`, `min` and `h`"
    );
    assert_eq!(
        with("\"10 s\"", "2.5"),
        "test.toml:2:12: `duration` has no unit\n  write for example \"2.5 s\"; the units are `us`, `ms`, `s`, `min` and `h`"
    );
    assert_eq!(
        with("\"10 s\"", "\"10 sec\""),
        "test.toml:2:12: `duration` has an unknown unit in \"10 sec\"\n  did you mean `s`?"
    );
    assert_eq!(
        with("\"10 s\"", "\"10 lightyears\""),
        "test.toml:2:12: `duration` has an unknown unit in \"10 lightyears\"\n  the units are `us`, `ms`, `s`, `min` and `h`"
    );
    assert_eq!(
        with("\"10 s\"", "\"10 MHz\""),
        "test.toml:2:12: `duration` must be a time, but \"10 MHz\" is a frequency\n  write for example \"120 s\""
    );
    assert_eq!(
        with("\"10 s\"", "\"ten seconds\""),
        "test.toml:2:12: `duration` must be a time, not \"ten seconds\"\n  write for example \"120 s\""
    );
    assert_eq!(
        with("\"10 s\"", "\"1. s\""),
        "test.toml:2:12: `duration` must be a time, not \"1. s\"\n  write for example \"120 s\""
    );
    assert_eq!(
        with("\"1 Gbit/s\"", "\"1 GiB\""),
        "test.toml:23:17: `rate` must be a data rate, but \"1 GiB\" is an amount of data\n  write for example \"300 Mbit/s\""
    );
    assert_eq!(
        with("\"1 Gbit/s\"", "\"300 mbit/s\""),
        "test.toml:23:17: `rate` has an unknown unit in \"300 mbit/s\"\n  did you mean `Mbit/s`?"
    );
    assert_eq!(
        with("\"1 Gbit/s\"", "\"300 Mbps\""),
        "test.toml:23:17: `rate` has an unknown unit in \"300 Mbps\"\n  did you mean `Mbit/s`?"
    );
    assert_eq!(
        with("\"35 dB\"", "35"),
        "test.toml:17:7: `snr` has no unit\n  write for example \"35 dB\"; the unit is `dB`"
    );
    assert_eq!(
        with("\"35 dB\"", "\"35 m\""),
        "test.toml:17:7: `snr` must be a ratio in dB, but \"35 m\" is a distance\n  write for example \"35 dB\""
    );
    assert_eq!(
        with("snr = \"35 dB\"", "distance = 3"),
        "test.toml:17:12: `distance` has no unit\n  write for example \"3 m\"; the unit is `m`"
    );
    assert_eq!(
        with("tcp = { congestion = \"cubic\" }", "bytes = \"1 Mbit/s\""),
        "test.toml:28:9: `bytes` must be an amount of data, but \"1 Mbit/s\" is a data rate\n  write for example \"128 KiB\""
    );
    assert_eq!(
        with("[[station]]", "power_save_buffer = 64\n[[station]]"),
        "test.toml:13:21: `power_save_buffer` has no unit\n  write for example \"64 packets\"; the unit is `packets`"
    );
}

#[test]
fn values_beyond_sense_are_refused() {
    assert_eq!(with("\"10 s\"", "\"0 s\""), "test.toml:2:12: `duration` must be above zero");
    assert_eq!(
        with("\"10 s\"", "\"-3 s\""),
        "test.toml:2:12: `duration` must not be negative, but is \"-3 s\""
    );
    assert_eq!(
        with("\"10 s\"", "\"25 h\""),
        "test.toml:2:12: `duration` must be from 1 ms to 86400 s, not \"25 h\""
    );
    assert_eq!(
        with("\"10 s\"", "\"99999999999999999999999 h\""),
        "test.toml:2:12: `duration` is too large: \"99999999999999999999999 h\""
    );
    assert_eq!(
        with("\"10 s\"", "\"10000000000 h\""),
        "test.toml:2:12: `duration` is too large: \"10000000000 h\""
    );
    assert_eq!(
        with("\"10 s\"", "\"1.0000000001 s\""),
        "test.toml:2:12: `duration` is finer than can be counted: \"1.0000000001 s\" is not a whole number of nanoseconds"
    );
    assert_eq!(
        with("\"10 s\"", "nan"),
        "test.toml:2:12: `duration` must be a time, not \"NaN\"\n  write for example \"120 s\""
    );
    assert_eq!(
        with("\"10 s\"", "inf"),
        "test.toml:2:12: `duration` must be a time, not \"inf\"\n  write for example \"120 s\""
    );
    assert_eq!(
        with("\"35 dB\"", "nan"),
        "test.toml:17:7: `snr` must be a ratio in dB, not \"NaN\"\n  write for example \"35 dB\""
    );
    assert_eq!(
        with("\"35 dB\"", "\"nan dB\""),
        "test.toml:17:7: `snr` must be a ratio in dB, not \"nan dB\"\n  write for example \"35 dB\""
    );
    assert_eq!(
        with("\"35 dB\"", "\"500 dB\""),
        "test.toml:17:7: `snr` must be from -60 dB to 100 dB, not \"500 dB\""
    );
    assert_eq!(with("26", "0"), "test.toml:18:50: `channels` must be above zero");
    assert_eq!(with("26", "-1"), "test.toml:18:50: `channels` must not be negative");
    assert_eq!(with("26", "201"), "test.toml:18:50: `channels` must be from 1 to 200");
    assert_eq!(
        with("26", "99999999999999999999999999999999999999999999999999"),
        "test.toml:18:50: `channels` must be from 1 to 200"
    );
    assert_eq!(with("duration", "seed = -1\nduration"), "test.toml:2:8: `seed` must not be negative");
    assert_eq!(
        with("\"sta1\"\nhost", "\"\"\nhost"),
        "test.toml:14:8: `name` is empty\n  a name begins with a letter or digit and goes on with letters, digits, `-`, `_` and `.`"
    );
    assert_eq!(
        with("\"sta1\"\nhost", "\"../etc\"\nhost"),
        "test.toml:14:8: `name` is \"../etc\", which could not be part of a file's name\n  a name begins with a letter or digit and goes on with letters, digits, `-`, `_` and `.`"
    );
    assert_eq!(
        with("\"sta1\"\nhost", "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"\nhost"),
        "test.toml:14:8: `name` is longer than 64 characters\n  a name begins with a letter or digit and goes on with letters, digits, `-`, `_` and `.`"
    );
    assert_eq!(
        with("adapter = \"ath9k\"\nsnr", "adapter = { profile = \"ath9k\", cw_min = 14 }\nsnr"),
        "test.toml:16:41: `cw_min` cannot be 14\n  a contention window is 2^n - 1, such as 15 or 1023"
    );
    assert_eq!(
        with("adapter = \"ath9k\"\nsnr", "adapter = { profile = \"ath9k\", cw_min = 2047 }\nsnr"),
        "test.toml:16:41: `cw_min` is above `cw_max`"
    );
    assert_eq!(
        with(
            "adapter = \"ath9k\"\nsnr",
            "adapter = { profile = \"ath9k\", null_frame = { rts_after = 1.5 } }\nsnr"
        ),
        "test.toml:16:59: `rts_after` must be a whole number"
    );
    assert_eq!(
        with(
            "adapter = \"ath9k\"\nsnr",
            "adapter = { profile = \"ath9k\", control_rate = \"11 Mbit/s\" }\nsnr"
        ),
        "test.toml:16:47: `control_rate` is 11 Mbit/s, which is no rate here\n  write control_rate = \"basic\"; this adapter has 6, 9, 12, 18, 24, 36, 48 and 54 Mbit/s"
    );
    assert_eq!(
        with(
            "host = \"linux-3.13\"\nadapter",
            "host = { profile = \"linux-3.13\", send_buffer_max = \"8 KiB\" }\nadapter"
        ),
        "test.toml:15:52: `send_buffer_initial` is above `send_buffer_max`"
    );
    assert_eq!(
        with("channels = 26", "channels = 26, shortest = \"200 s\""),
        "test.toml:18:65: `shortest` is above `longest`"
    );
}

#[test]
fn walls_need_a_distance() {
    assert_eq!(
        with("snr = \"35 dB\"", "snr = \"30 dB\"\nwalls = 2"),
        "test.toml:18:9: station `sta1` has `walls` without `distance`\n  walls weaken what a `distance` leaves; an `snr` is what is left in the end"
    );
    assert_eq!(
        with("width = \"40 MHz\"", "width = \"40 MHz\"\npath_loss = { exponent = 0.5 }"),
        "test.toml:8:26: `exponent` must be from 1 to 10"
    );
}

#[test]
fn queues_have_a_discipline_and_a_limit_with_its_unit() {
    assert_eq!(
        with("[[station]]", "queue = { discipline = \"fifo\", limit = \"1000\" }\n[[station]]"),
        "test.toml:13:40: `limit` has no unit\n  write \"1000 packets\" or \"128 KiB\""
    );
    assert_eq!(
        with("[[station]]", "queue = { discipline = \"fifo\", limit = \"1000 pakets\" }\n[[station]]"),
        "test.toml:13:40: `limit` cannot be \"1000 pakets\"\n  did you mean `packets`?"
    );
    assert_eq!(
        with("[[station]]", "queue = { discipline = \"fifo\", limit = \"0 packets\" }\n[[station]]"),
        "test.toml:13:40: `limit` must be above zero"
    );
    assert_eq!(
        with("[[station]]", "queue = { discipline = \"fifo\", limit = \"1000 Mbit/s\" }\n[[station]]"),
        "test.toml:13:40: `limit` cannot be \"1000 Mbit/s\"\n  write \"1000 packets\" or \"128 KiB\""
    );
    assert_eq!(
        with("[[station]]", "queue = { discipline = \"fifo\", limit = \"lots\" }\n[[station]]"),
        "test.toml:13:40: `limit` cannot be \"lots\"\n  write \"1000 packets\" or \"128 KiB\""
    );
    assert_eq!(
        with("[[station]]", "queue = { discipline = \"fifo\", limit = 1000 }\n[[station]]"),
        "test.toml:13:40: `limit` has no unit\n  write \"1000 packets\" or \"128 KiB\""
    );
    assert_eq!(
        with("[[station]]", "queue = { discipline = \"fifo\" }\n[[station]]"),
        "test.toml:13:9: `ap.queue` needs `limit`"
    );
    assert_eq!(
        with("[[station]]", "queue = { discipline = \"red\", limit = \"1000 packets\" }\n[[station]]"),
        "test.toml:13:24: `discipline = \"red\"` is not supported yet\n  there are `fifo`, `codel`, `sfq`, `fq_codel`, `pie`, `tbf` and `mac80211`"
    );
    assert_eq!(
        with("[[station]]", "queue = { discipline = \"codel\", limit = \"128 KiB\" }\n[[station]]"),
        "test.toml:13:41: `limit` must be a number of packets, but \"128 KiB\" is an amount of data\n  write for example \"1000 packets\""
    );
    assert_eq!(
        with("[[station]]", "queue = { discipline = \"sfq\", target = \"5 ms\" }\n[[station]]"),
        "test.toml:13:31: unknown key `target` in `ap.queue`\n  there are `discipline`, `limit`, `depth`, `flows`, `divisor`, `quantum` and `perturb`"
    );
    assert_eq!(
        with("[[station]]", "queue = { discipline = \"tbf\", burst = \"5 kB\" }\n[[station]]"),
        "test.toml:13:9: `ap.queue` needs `rate`"
    );
    assert_eq!(
        with("[[station]]", "queue = { discipline = \"fq_codel\", intervall = \"1 s\" }\n[[station]]"),
        "test.toml:13:36: unknown key `intervall` in `ap.queue`\n  did you mean `interval`?"
    );
    assert_eq!(
        with("[[station]]", "queue = { discipline = \"fifa\", limit = \"1000 packets\" }\n[[station]]"),
        "test.toml:13:24: `discipline` cannot be \"fifa\"\n  did you mean `fifo`?"
    );
    assert_eq!(
        with("[[station]]", "queue = \"fifo\"\n[[station]]"),
        "test.toml:13:9: `queue` must be a table, not text\n  write { discipline = \"fifo\", limit = \"1000 packets\" }"
    );
    assert_eq!(
        with(
            "[[station]]",
            "queue = { discipline = \"fifo\", limit = [\"1 packets\", \"2 packets\"] }\n[[station]]"
        ),
        "test.toml:13:54: an array `limit` holds one number of packets and one amount of data\n  write [\"1000 packets\", \"128 KiB\"]"
    );
}

#[test]
fn an_access_point_is_on_no_bus() {
    assert_eq!(
        with(
            "name = \"ap\"\nadapter = \"ath9k\"",
            "name = \"ap\"\nadapter = { profile = \"ath9k\", usb = {} }"
        ),
        "test.toml:11:11: the adapter of access point `ap` is on USB\n  only a station's may be; give the access point another, such as \"ath9k\" or \"dcf\""
    );
}

#[test]
fn only_a_radio_on_no_bus_has_queues_of_receivers() {
    assert_eq!(
        with("delay = \"0.25 ms\"", "delay = \"0.25 ms\", queue = { discipline = \"mac80211\" }"),
        "test.toml:23:56: `mac80211` is the queue of an access point's or a station's radio\n  there are `fifo`, `codel`, `sfq`, `fq_codel`, `pie` and `tbf` for a wire"
    );
    let bus = [
        ("station.0.host", "{ profile = \"linux-3.13\", queue = { discipline = \"mac80211\" } }"),
        ("station.0.adapter", "{ profile = \"ath9k\", usb = {} }"),
    ];
    assert_eq!(
        error_of(GOOD, &bus),
        "--set:1:16: the driver of `sta1`'s adapter on USB does not pull from `mac80211` (--set station.0.host={ profile = \"linux-3.13\",…)\n  give its host another `queue`, or the adapter no `usb`"
    );
}

#[test]
fn words_are_checked() {
    assert_eq!(
        with("\"802.11n\"", "\"802.11ax\""),
        "test.toml:5:12: `standard = \"802.11ax\"` is not supported yet\n  there are `802.11a`, `802.11b`, `802.11g` and `802.11n`"
    );
    assert_eq!(
        with("\"802.11n\"", "\"802.11nn\""),
        "test.toml:5:12: `standard` cannot be \"802.11nn\"\n  did you mean `802.11n`?"
    );
    assert_eq!(
        with("\"5 GHz\"", "\"6 GHz\""),
        "test.toml:6:8: `band = \"6 GHz\"` is not supported yet\n  there are `2.4 GHz` and `5 GHz`"
    );
    assert_eq!(
        with("\"40 MHz\"", "\"80 MHz\""),
        "test.toml:7:9: `width = \"80 MHz\"` is not supported yet\n  there are `20 MHz` and `40 MHz`"
    );
    assert_eq!(
        with("\"40 MHz\"", "\"40 mhz\""),
        "test.toml:7:9: `width` cannot be \"40 mhz\"\n  did you mean `40 MHz`?"
    );
    assert_eq!(
        with("\"cubic\"", "\"cubik\""),
        "test.toml:28:22: `congestion` cannot be \"cubik\"\n  did you mean `cubic`?"
    );
    assert_eq!(
        with("\"cubic\"", "\"bbr3\""),
        "test.toml:28:22: `congestion = \"bbr3\"` is not supported yet\n  there are `newreno`, `cubic` and `bbr`"
    );
    assert_eq!(
        with("channels = 26", "channels = 26, remedy = \"skip\""),
        "test.toml:18:63: `remedy` cannot be \"skip\"\n  there are `none` and `skip-if-moved`"
    );
    assert_eq!(
        with("channels = 26", "channels = 26, remedy = \"skip_if_moved\""),
        "test.toml:18:63: `remedy` cannot be \"skip_if_moved\"\n  did you mean `skip-if-moved`?"
    );
    assert_eq!(
        with("channels = 26", "channels = 26, remedy = { threshold = \"1 MiB\" }"),
        "test.toml:18:63: `station.scan.remedy` needs `policy`"
    );
}

#[test]
fn profiles_are_listed() {
    assert_eq!(
        with("host = \"linux-3.13\"\nadapter", "host = \"linux-3.12\"\nadapter"),
        format!(
            "test.toml:15:8: there is no host profile \"linux-3.12\"\n  did you mean `linux-3.2`? {}",
            listed(ProfileKind::Host)
        )
    );
    assert_eq!(
        with("host = \"linux-3.13\"\nadapter", "host = \"windows\"\nadapter"),
        format!("test.toml:15:8: there is no host profile \"windows\"\n  {}", listed(ProfileKind::Host))
    );
    assert_eq!(
        with("host = \"linux-3.13\"\nadapter", "host = { profile = \"windows\", small_queue = 3 }\nadapter"),
        format!("test.toml:15:20: there is no host profile \"windows\"\n  {}", listed(ProfileKind::Host))
    );
    assert_eq!(
        with("host = \"linux-3.13\"\nadapter", "host = 3\nadapter"),
        format!(
            "test.toml:15:8: `host` must be the name of a host profile or a table with `profile`, not a number\n  {}",
            listed(ProfileKind::Host)
        )
    );
    assert_eq!(
        with("adapter = \"ath9k\"\nsnr", "adapter = \"ath10k\"\nsnr"),
        format!(
            "test.toml:16:11: there is no adapter profile \"ath10k\"\n  did you mean `ath9k`? {}",
            listed(ProfileKind::Adapter)
        )
    );
    assert_eq!(
        with("by = \"networkmanager-0.9.8\"", "by = \"networkmanager\""),
        "test.toml:18:15: there is no scanner profile \"networkmanager\"\n  there is `networkmanager-0.9.8`"
    );
}

/// The good scenario in another air and with these lines for its station, after line 12.
fn air(air: &str, station: &str) -> String {
    let text = GOOD
        .replace("standard = \"802.11n\"\nband = \"5 GHz\"\nwidth = \"40 MHz\"\n", air)
        .replace("adapter = \"ath9k\"\n\n", "adapter = \"dcf\"\n\n")
        .replace("adapter = \"ath9k\"\nsnr", &format!("{station}\nsnr"));
    error_of(&text, &[])
}

const B: &str = "standard = \"802.11b\"\nband = \"2.4 GHz\"\nwidth = \"20 MHz\"\n";
const G: &str = "standard = \"802.11g\"\nband = \"2.4 GHz\"\nwidth = \"20 MHz\"\n";

#[test]
fn the_air_is_possible() {
    let dcf = "adapter = \"dcf\"";
    for good in [B, G, "standard = \"802.11a\"\nband = \"5 GHz\"\nwidth = \"20 MHz\"\n"] {
        assert_eq!(air(good, dcf), "no error");
    }
    let of = |standard, band, width| {
        air(&format!("standard = \"{standard}\"\nband = \"{band}\"\nwidth = \"{width}\"\n"), dcf)
    };
    assert_eq!(
        of("802.11b", "5 GHz", "20 MHz"),
        "test.toml:6:8: there is no 802.11b at 5 GHz\n  write band = \"2.4 GHz\""
    );
    assert_eq!(
        of("802.11a", "2.4 GHz", "20 MHz"),
        "test.toml:6:8: there is no 802.11a at 2.4 GHz\n  write band = \"5 GHz\""
    );
    assert_eq!(
        of("802.11g", "2.4 GHz", "40 MHz"),
        "test.toml:7:9: 802.11g has no channels of 40 MHz\n  write width = \"20 MHz\""
    );
    assert_eq!(
        with("width = \"40 MHz\"", "width = \"40 MHz\"\npreamble = \"short\""),
        "test.toml:8:12: there are no DSSS frames at 5 GHz\n  leave it out"
    );
    assert_eq!(
        air(&format!("{B}protection = \"rts-cts\"\n"), dcf),
        "test.toml:8:14: `protection` is a matter of 802.11g, and 802.11n at 2.4 GHz\n  leave it out"
    );
    assert_eq!(
        with("width = \"40 MHz\"", "width = \"40 MHz\"\nslot = \"long\""),
        "test.toml:8:8: `slot` is a matter of 802.11g, and 802.11n at 2.4 GHz\n  leave it out"
    );
}

#[test]
fn basic_rates_are_had_by_everybody() {
    let dcf = "adapter = \"dcf\"";
    let old = "adapter = { profile = \"dcf\", standard = \"802.11b\" }";
    assert_eq!(
        air(&format!("{B}basic_rates = [\"1 Mbit/s\", \"6 Mbit/s\"]\n"), dcf),
        "test.toml:8:15: 6 Mbit/s cannot be a basic rate: it is none of 802.11b\n  802.11b has 1, 2, 5.5 and 11 Mbit/s"
    );
    assert_eq!(
        air(&format!("{G}basic_rates = [\"1 Mbit/s\", \"6 Mbit/s\"]\n"), old),
        "test.toml:8:15: no station has the basic rate 6 Mbit/s\n  802.11b has 1, 2, 5.5 and 11 Mbit/s"
    );
    let second =
        format!("{old}\nsnr = \"30 dB\"\n[[station]]\nname = \"sta2\"\nhost = \"linux-3.13\"\n{dcf}");
    assert_eq!(
        air(&format!("{G}basic_rates = [\"6 Mbit/s\"]\n"), &second),
        "test.toml:8:15: station `sta1` does not have the basic rate 6 Mbit/s\n  802.11b has 1, 2, 5.5 and 11 Mbit/s"
    );
    assert_eq!(air(&format!("{G}basic_rates = []\n"), dcf), "test.toml:8:15: `basic_rates` is empty");
}

#[test]
fn adapters_speak_the_airs_standard() {
    assert_eq!(
        air(B, "adapter = \"ath9k\""),
        "test.toml:16:11: `control_rate` is 24 Mbit/s, which is no rate here\n  write control_rate = \"basic\"; this adapter has 1, 2, 5.5 and 11 Mbit/s"
    );
    assert_eq!(
        air(B, "adapter = { profile = \"dcf\", standard = \"802.11a\" }"),
        "test.toml:16:41: the adapter speaks 802.11a, which cannot take part in 802.11b"
    );
    assert_eq!(
        with("adapter = \"ath9k\"\nsnr", "adapter = { profile = \"dcf\", standard = \"802.11g\" }\nsnr"),
        "test.toml:16:41: the adapter speaks 802.11g, which cannot take part in 802.11n"
    );
    assert_eq!(
        with("adapter = \"ath9k\"\n\n", "adapter = { profile = \"dcf\", standard = \"802.11a\" }\n\n"),
        "test.toml:11:41: the access point's adapter speaks 802.11a, but the air is 802.11n"
    );
}

#[test]
fn rates_fit_the_air() {
    let rate = |in_air, rate: &str| air(in_air, &format!("adapter = \"dcf\"\nrate = {rate}"));
    for good in ["\"11 Mbit/s\"", "\"5.5 Mbit/s\"", "\"arf\"", "\"aarf\"", "\"minstrel\""] {
        assert_eq!(rate(B, good), "no error");
    }
    assert_eq!(
        rate(B, "\"7 Mbit/s\""),
        "test.toml:17:8: 7 Mbit/s is no rate of 802.11b\n  802.11b has 1, 2, 5.5 and 11 Mbit/s"
    );
    assert_eq!(
        rate(B, "\"54 Mbit/s\""),
        "test.toml:17:8: 54 Mbit/s is no rate of 802.11b\n  802.11b has 1, 2, 5.5 and 11 Mbit/s"
    );
    assert_eq!(
        rate(B, "\"MCS 7\""),
        "test.toml:17:8: MCS 7 is a rate of 802.11n, but the air is 802.11b\n  the station has 1, 2, 5.5 and 11 Mbit/s"
    );
    assert_eq!(
        with("adapter = \"ath9k\"\nsnr", "adapter = \"dcf\"\nrate = \"MCS 7\"\nsnr"),
        "test.toml:17:8: MCS 7 is a rate of 802.11n, but an adapter has `qos = false`, and nothing aggregates without\n  the station has 6, 9, 12, 18, 24, 36, 48 and 54 Mbit/s"
    );
    assert_eq!(
        air(G, "adapter = { profile = \"dcf\", standard = \"802.11b\" }\nrate = \"54 Mbit/s\""),
        "test.toml:17:8: the adapter speaks 802.11b, which has no 54 Mbit/s\n  802.11b has 1, 2, 5.5 and 11 Mbit/s"
    );
}

#[test]
fn scripts_of_rates_begin_at_zero_and_are_in_order() {
    let script = |steps: &str| air(B, &format!("adapter = \"dcf\"\nrate = [{steps}]"));
    let fast = "{ at = \"0 s\", rate = \"11 Mbit/s\" }";
    assert_eq!(script(&format!("{fast}, {{ at = \"20 s\", rate = \"1 Mbit/s\" }}")), "no error");
    assert_eq!(
        script(&format!("{fast}, {{ at = \"-20 s\", rate = \"1 Mbit/s\" }}")),
        "test.toml:17:52: `at` must not be negative, but is \"-20 s\""
    );
    assert_eq!(
        script("{ at = \"1 s\", rate = \"11 Mbit/s\" }"),
        "test.toml:17:9: nothing says at which rate the script begins\n  begin with { at = \"0 s\", rate = ... }"
    );
    assert_eq!(
        script(&format!(
            "{fast}, {{ at = \"9 s\", rate = \"1 Mbit/s\" }}, {{ at = \"3 s\", rate = \"2 Mbit/s\" }}"
        )),
        "test.toml:17:80: a step at 3 s after one at 9 s\n  the steps of a script are in order of time"
    );
    assert_eq!(
        script(&format!("{fast}, {{ at = \"9 s\", rate = \"arf\" }}")),
        "test.toml:17:66: `rate` cannot be \"arf\"\n  write \"54 Mbit/s\", \"MCS 15\" or { mcs = 15, guard_interval = \"short\" }"
    );
    assert_eq!(
        script(&format!("{fast}, {{ at = \"9 s\", rate = \"3 Mbit/s\" }}")),
        "test.toml:17:66: 3 Mbit/s is no rate of 802.11b\n  802.11b has 1, 2, 5.5 and 11 Mbit/s"
    );
    assert!(script("").starts_with("test.toml:17:8: `rate` is empty"));
}

#[test]
fn rates_fit_the_adapter() {
    assert_eq!(
        with("snr", "rate = \"MCS 16\"\nsnr"),
        format!("test.toml:17:8: `rate` must be from MCS 0 to MCS 15, not \"MCS 16\"\n  {}", rate_hint())
    );
    assert_eq!(
        with("snr", "rate = \"fast\"\nsnr"),
        format!("test.toml:17:8: `rate` cannot be \"fast\"\n  {}", rate_hint())
    );
    assert_eq!(
        with("snr", "rate = 15\nsnr"),
        format!(
            "test.toml:17:8: `rate` must be text in quotes, a table or an array, not a number\n  {}",
            rate_hint()
        )
    );
    assert_eq!(with("snr", "rate = { control = \"arf\", failures = 3 }\nsnr"), "no error");
    assert_eq!(
        with("snr", "rate = { control = \"arv\" }\nsnr"),
        "test.toml:17:20: `control` cannot be \"arv\"\n  did you mean `arf`?"
    );
    assert_eq!(
        with("snr", "rate = { control = \"arf\", most_successes = 20 }\nsnr"),
        "test.toml:17:27: unknown key `most_successes` in `station.rate`\n  there are `control`, `successes` and `failures`"
    );
    assert_eq!(
        with("snr", "rate = { control = \"arf\", successes = 0 }\nsnr"),
        "test.toml:17:39: `successes` must be above zero"
    );
    assert_eq!(with("snr", "rate = { mcs = 16 }\nsnr"), "test.toml:17:16: `mcs` must be from 0 to 15");
    assert_eq!(
        with("snr", "rate = { mcs = 7, guard_interval = \"shrt\" }\nsnr"),
        "test.toml:17:36: `guard_interval` cannot be \"shrt\"\n  did you mean `short`?"
    );
    assert_eq!(
        with(
            "adapter = \"ath9k\"\nsnr",
            "adapter = { profile = \"ath9k\", streams = 1 }\nrate = \"MCS 8\"\nsnr"
        ),
        "test.toml:17:8: MCS 8 is beyond the adapter's 1 stream\n  its highest is MCS 7"
    );
    assert_eq!(
        with(
            "adapter = \"ath9k\"\nsnr",
            "adapter = { profile = \"ath9k\", short_gi = false }\nrate = { mcs = 7, guard_interval = \"short\" }\nsnr"
        ),
        "test.toml:17:8: the adapter cannot send with the short guard interval\n  the adapter has `short_gi = false`"
    );
}

#[test]
fn signal_is_said_once() {
    assert_eq!(
        with("snr = \"35 dB\"", "snr = \"35 dB\"\ndistance = \"3 m\""),
        "test.toml:18:12: station `sta1` has both `snr` and `distance`\n  keep one"
    );
    assert_eq!(
        with("snr = \"35 dB\"", "distance = \"0 m\""),
        "test.toml:17:12: `distance` must be from 0.1 m to 10000 m, not \"0 m\""
    );
    assert_eq!(
        with("snr = \"35 dB\"", "distance = \"3 km\""),
        "test.toml:17:12: `distance` has an unknown unit in \"3 km\"\n  the unit is `m`"
    );
}

#[test]
fn flows_have_two_ends_that_exist() {
    assert_eq!(
        with("from = \"sta1\"", "from = \"sta2\""),
        "test.toml:26:8: `from` is `sta2`, but no station or server has this name\n  did you mean `sta1`? there are `sta1` and `server`"
    );
    assert_eq!(
        with("from = \"sta1\"", "from = \"laptop\""),
        "test.toml:26:8: `from` is `laptop`, but no station or server has this name\n  there are `sta1` and `server`"
    );
    assert_eq!(
        with("from = \"sta1\"", "from = \"ap\""),
        "test.toml:26:8: `from` is the access point `ap`, which is no host\n  there are `sta1` and `server`"
    );
    assert_eq!(
        with("from = \"sta1\"", "from = \"server\""),
        "test.toml:27:6: the flow goes from `server` to itself\n  let it run to or from a server"
    );
    assert_eq!(
        with("to = \"server\"", "to = \"sta1\""),
        "test.toml:27:6: the flow goes from `sta1` to itself\n  let it run to or from a server"
    );
    assert_eq!(
        with("to = \"server\"\n", "to = \"server\"\nstart = \"5 s\"\nstop = \"3 s\"\n"),
        "test.toml:29:8: the flow stops before it starts\n  `stop` is an instant of the run, like `start`"
    );
    assert_eq!(
        with(
            "[[flow]]",
            "[[station]]\nname = \"sta2\"\nhost = \"linux-3.2\"\nadapter = \"ath9k\"\nsnr = \"20 dB\"\n[[flow]]\nfrom = \"sta1\"\nto = \"sta2\"\n[[flow]]"
        ),
        "test.toml:32:6: a flow from station to station is not supported yet\n  let it run to or from a server"
    );
}

#[test]
fn a_key_belongs_to_the_kind_of_its_flow() {
    let kind = |rest: &str| with("tcp = { congestion = \"cubic\" }\n", rest);
    assert_eq!(
        kind("kind = \"udp\"\nrate = \"saturated\"\nbytes = \"1 MiB\"\n"),
        "test.toml:30:9: `bytes` means nothing to a flow of kind `udp`\n  it belongs to flows of kind `tcp`"
    );
    assert_eq!(
        kind("payload = \"100 B\"\n"),
        "test.toml:28:11: `payload` means nothing to a flow of kind `tcp`\n  it belongs to flows of kind `udp` and `ping`"
    );
    assert_eq!(
        kind("kind = \"ping\"\nrate = \"1 Mbit/s\"\n"),
        "test.toml:29:8: `rate` means nothing to a flow of kind `ping`\n  it belongs to flows of kind `udp`"
    );
    assert_eq!(kind("kind = \"upd\"\n"), "test.toml:28:8: `kind` cannot be \"upd\"\n  did you mean `udp`?");
    assert_eq!(
        kind("kind = \"udp\"\n"),
        "test.toml:25:1: a flow of kind `udp` needs `rate`\n  write rate = \"20 Mbit/s\" or rate = \"saturated\""
    );
}

#[test]
fn only_radios_have_a_link_rate_to_know() {
    let link_rate =
        |rest: &str| with("tcp = { congestion = \"cubic\" }", &format!("tcp = {{ link_rate = {rest} }}"));
    assert_eq!(
        link_rate("\"tolled\""),
        "test.toml:28:21: `link_rate` cannot be \"tolled\"\n  did you mean `told`?"
    );
    assert_eq!(
        link_rate("{ pol = \"1 s\" }"),
        "test.toml:28:23: unknown key `pol` in `flow.tcp.link_rate`\n  did you mean `poll`?"
    );
    let down = "from = \"sta1\"\nto = \"server\"\ntcp = { congestion = \"cubic\" }";
    assert_eq!(
        with(down, "from = \"server\"\nto = \"sta1\"\ntcp = { link_rate = \"told\" }"),
        "test.toml:28:7: `link_rate` is that of the sender's radio, but a server has none\n  let it run from a station, or leave it out"
    );
}

#[test]
fn datagrams_have_rates_that_can_be_kept() {
    let udp = |rest: &str| with("tcp = { congestion = \"cubic\" }\n", &format!("kind = \"udp\"\n{rest}"));
    assert_eq!(
        udp("rate = \"400 Gbit/s\"\n"),
        "test.toml:29:8: the flow would send more than 1,000,000 datagrams per second\n  ask for a lower `rate` or a larger `payload`"
    );
    assert_eq!(
        udp("rate = \"1 Mbit/s\"\npayload = \"0 B\"\n"),
        "test.toml:30:11: `payload` must be above zero in a flow with `rate`"
    );
    assert_eq!(
        udp("rate = \"saturated\"\nspacing = \"poisson\"\n"),
        "test.toml:30:11: a flow with rate = \"saturated\" sends when there is room, at no `spacing`"
    );
    assert_eq!(
        udp("rate = \"fast\"\n"),
        "test.toml:29:8: `rate` must be a data rate, not \"fast\"\n  write for example \"300 Mbit/s\""
    );
}

#[test]
fn names_are_different_and_there_is_one_access_point() {
    assert_eq!(with("name = \"server\"", "name = \"sta1\""), "test.toml:21:8: the name `sta1` is taken");
    assert_eq!(
        with("[[flow]]", "[[flow]]\nname = \"f\"\nfrom = \"server\"\nto = \"sta1\"\n[[flow]]\nname = \"f\""),
        "test.toml:30:8: the name `f` is taken"
    );
    assert_eq!(
        with("[[ap]]\nname = \"ap\"\nadapter = \"ath9k\"\n", ""),
        "test.toml:1:1: there is no access point\n  write [[ap]] with name = \"ap\" and adapter = \"ath9k\""
    );
    assert_eq!(
        with("[[station]]", "[[ap]]\nname = \"ap2\"\nadapter = \"ath9k\"\n[[station]]"),
        "test.toml:13:1: more than one access point is not supported yet\n  keep one [[ap]]"
    );
}

#[test]
fn what_is_not_toml_is_told_by_its_place() {
    assert_eq!(
        with("title = \"A test\"", "title = "),
        "test.toml:1:9: not TOML: string values must be quoted, expected literal string"
    );
    assert_eq!(
        with("title = \"A test\"", "title = \"A test"),
        "test.toml:1:16: not TOML: invalid basic string, expected `\"`"
    );
    assert_eq!(with("[air]", "[air"), "test.toml:4:5: not TOML: unclosed table, expected `]`");
    assert_eq!(with("duration", "title = \"B\"\nduration"), "test.toml:2:1: not TOML: duplicate key");
    assert_eq!(
        with("to = \"server\"", "to = \"server\"\nt-o = \"server\"\nt_o = \"x\""),
        "test.toml:28:1: unknown key `t_o` in `flow`\n  did you mean `to`?"
    );
    assert_eq!(
        with("\"A test\"", "\"Ä tést\" x"),
        "test.toml:1:18: not TOML: unexpected key or value, expected newline, `#`"
    );
}

#[test]
fn the_first_mistake_by_position_is_the_one_told() {
    assert_eq!(
        with("[air]", "seeds = 3\n[air]\nwidht = 3"),
        "test.toml:4:1: unknown key `seeds`\n  did you mean `seed`?"
    );
    assert_eq!(
        with("from = \"sta1\"\nto = \"server\"", "to = \"nobody\"\nfrom = 3"),
        "test.toml:27:8: `from` must be a name in quotes, not a number"
    );
}

#[test]
fn overrides_are_told_by_their_text() {
    assert_eq!(
        set("flow.0.tcp.congeston", "newreno"),
        "--set:1:12: unknown key `congeston` in `flow.tcp` (--set flow.0.tcp.congeston=newreno)\n  did you mean `congestion`?"
    );
    assert_eq!(
        set("flow.0.tcp.congestion", "newrenno"),
        "--set:1:23: `congestion` cannot be \"newrenno\" (--set flow.0.tcp.congestion=newrenno)\n  did you mean `newreno`?"
    );
    assert_eq!(
        set("flow.1.tcp.congestion", "newreno"),
        "--set:1:6: there is no `flow.1` (--set flow.1.tcp.congestion=newreno)\n  there is only 0"
    );
    assert_eq!(
        set("flow.sta1-server.tcp.congestion", "newreno"),
        "--set:1:6: there is no `flow.sta1-server` (--set flow.sta1-server.tcp.congestion=newreno)\n  there is only 0"
    );
    assert_eq!(
        set("station.sta2.snr", "3 dB"),
        "--set:1:9: there is no `station.sta2` (--set station.sta2.snr=3 dB)\n  did you mean `sta1`?"
    );
    assert_eq!(
        set("flw.0.tcp.congestion", "newreno"),
        "--set:1:1: unknown key `flw` (--set flw.0.tcp.congestion=newreno)\n  did you mean `flow`?"
    );
    assert_eq!(
        set("flow.0.from.x", "newreno"),
        "--set:1:13: `from` is text, which has no `x` (--set flow.0.from.x=newreno)"
    );
    assert_eq!(
        set("duration", "120"),
        "--set:1:10: `duration` has no unit (--set duration=120)\n  write for example \"120 s\"; the units are `us`, `ms`, `s`, `min` and `h`"
    );
    assert_eq!(
        set("duration", "120 MHz"),
        "--set:1:10: `duration` must be a time, but \"120 MHz\" is a frequency (--set duration=120 MHz)\n  write for example \"120 s\""
    );
    assert_eq!(
        set("", "3"),
        "--set:1:1: the path has an empty word (--set =3)\n  write for example flow.0.tcp.congestion=newreno"
    );
    assert_eq!(
        set("flow..from", "3"),
        "--set:1:6: the path has an empty word (--set flow..from=3)\n  write for example flow.0.tcp.congestion=newreno"
    );
    assert_eq!(
        set("station.0.host.smal_queue", "off"),
        "--set:1:16: unknown key `smal_queue` in `station.host` (--set station.0.host.smal_queue=off)\n  did you mean `small_queue`?"
    );
    assert_eq!(
        set("station.0.host", "beos"),
        format!(
            "--set:1:16: there is no host profile \"beos\" (--set station.0.host=beos)\n  {}",
            listed(ProfileKind::Host)
        )
    );
    assert_eq!(
        set("station.0.distance", "3"),
        "--set:1:20: `distance` has no unit (--set station.0.distance=3)\n  write for example \"3 m\"; the unit is `m`"
    );
    assert_eq!(
        set("flow", "x"),
        "--set:1:6: `flow` must be an array of tables, not text (--set flow=x)\n  write [[flow]], once for each"
    );
    assert_eq!(
        set("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r", "x"),
        "--set:1:1: a path of more than 16 words (--set a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r=x)"
    );
}

#[test]
fn stations_hear_their_access_point_and_hide_from_stations_there_are() {
    let hidden =
        |from: &str| with("snr = \"35 dB\"", &format!("snr = \"35 dB\"\nhidden_from = [\"{from}\"]"));
    assert_eq!(
        hidden("ap"),
        "test.toml:18:15: station `sta1` cannot hear its access point `ap`\n  a station may be hidden from other stations"
    );
    assert_eq!(
        hidden("sta2"),
        "test.toml:18:15: station `sta1` is hidden from `sta2`, which is no other station\n  did you mean `sta1`?"
    );
    assert_eq!(
        with("35 dB", "-20 dB"),
        "test.toml:17:7: station `sta1` cannot hear its access point: -20 dB is too little\n  move it closer, or give it a higher `snr`"
    );
}

#[test]
fn a_crowd_has_a_number_of_members_that_there_can_be() {
    let count = |n: &str| with("name = \"sta1\"", &format!("name = \"sta1\"\ncount = {n}"));
    assert_eq!(count("0"), "test.toml:15:9: `count` must be above zero");
    assert_eq!(count("4001"), "test.toml:13:1: more than 4000 of `station`");
    assert_eq!(count("99999999999999999999"), "test.toml:13:1: more than 4000 of `station`");
    assert_eq!(count("\"many\""), "test.toml:15:9: `count` must be a whole number, not text");
}

#[test]
fn spells_of_an_adapter_on_usb_are_in_order() {
    let hold = |hold: &str| {
        let adapter = format!("adapter = {{ profile = \"compaq-w200\", usb.hold = {hold} }}");
        air(B, &adapter)
    };
    assert_eq!(hold("{ at = [\"1 s\", \"2 s\"] }"), "no error");
    assert!(hold("{ at = [\"2 s\", \"1 s\"] }").contains("the times of `at` are not in order"));
    assert!(hold("{ shortest = \"2 s\", longest = \"1 s\" }").contains("`shortest` is above `longest`"));
}
