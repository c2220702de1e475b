//! A file as a whole: its form, and all its mistakes at once.

use crate::{GOOD, answer, with};

#[test]
fn what_is_not_toml_is_told_by_its_place() {
    let answers = [
        with("title = \"A test\"", "title = "),
        with("title = \"A test\"", "title = \"A test"),
        with("[air]", "[air"),
        with("duration", "title = \"B\"\nduration"),
        with("to = \"server\"", "to = \"server\"\nt-o = \"server\"\nt_o = \"x\""),
        with("\"A test\"", "\"Ä tést\" x"),
        with(
            "\"10 s\"\n\n[air]\nstandard = \"802.11n\"\nband = \"5 GHz\"",
            "10 s # or so\n\n[air\nstandard = 802.11n\nband = 5 GHz",
        ),
        with("tcp = { congestion = \"cubic\" }", "tcp = { congestion = \"cubic\"\nbytes = 1 MiB"),
        with("adapter = \"ath9k\"\nsnr", "hidden_from = [\"a]\", # ]\n']'\nsnr"),
        with("\"A test\"", "\"\"\"A test"),
        with("\"A test\"", "[[\"A test\"]"),
        with("[air]", "[[wall]]\n[wall]\n[air]"),
        with("[air]", "[wall]\n[[wall]]\n[air]"),
        with("[air]", "[[wall]]\n[wall]\n[wall]\n[air]"),
        with("[air]", "[wall]\n[wall]\n[air]"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn what_other_languages_write_is_told_with_toml() {
    let answers = [
        with("title = \"A test\"", "title: \"A test\""),
        with("title = \"A test\"", "title = “A test”"),
        with("title = \"A test\"", "title = \"A test\","),
        with("title = \"A test\"", "title = \"A test\";"),
        with("[air]", "// what all share\n[air]"),
        with("[air]", "; what all share\n[air]"),
        with("duration", "seed = 007\nduration"),
        with("snr = \"35 dB\"", "snr = \"35 dB\"\npower_save = True"),
        answer("{\n  \"title\": \"A test\",\n  \"duration\": \"10 s\"\n}\n", &[]),
        answer("title: A test\nduration: 10 s\n", &[]),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn all_mistakes_are_told_in_the_order_of_their_places() {
    let answers = [
        with("[air]", "seeds = 3\n[air]\nwidht = 3"),
        with("from = \"sta1\"\nto = \"server\"", "to = \"nobody\"\nfrom = 3"),
        answer(DRAFT, &[]),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

/// As a beginner writes it: nearly every line is wrong, and each by itself.
const DRAFT: &str = r#"title = "A test"
duration = "60"

[air]
standard = "802.11n"
band = "5GHz"
width = "40MHz"

[ap]
adapter = "ath12k"
queue = "fq_codel"

[[station]]
name = "alice"
host = "linux"
adapter = "intel"

[[station]]
name = "bob"
host = { profile = "ubuntu", small_queue = 3 }
adapter = "ath9k"
rate = "MCS 32"
distance = "3 m"
scan = { by = "wpa_supplicant", channels = "many" }

[server]
name = "server"
host = "linux"
link = "1 Gbit/s"

[[flow]]
from = "server"
to = "alice"
tcp = "cubic"

[[flow]]
from = "server"
to = "bobby"
tcp = { congestion = "cubic" }
kind = "udp"
"#;

#[test]
fn a_mistake_makes_no_noise_elsewhere() {
    let answers = [
        // The flows' receivers, and the stations that a station is hidden from, cannot be known.
        with("name = \"server\"", "name = 3"),
        with("[[server]]", "[[servers]]"),
        with("name = \"sta1\"\nhost", "hidden_from = [\"sta2\"]\nhost"),
        // The key that is missing is the one that is misspelt; another one is missing, too.
        with("standard = \"802.11n\"\nband = \"5 GHz\"", "standart = \"802.11n\""),
        with("band = \"5 GHz\"\n", "channel = 36\n"),
        // One line for a whole group, and two for what it lacks.
        with(
            "name = \"sta1\"\nhost = \"linux-3.13\"\nadapter = \"ath9k\"",
            "name = \"sta\"\ncount = 3\nhost = \"beos\"\nwalls = -1",
        ),
        with("snr = \"35 dB\"", "snr = \"-20 dB\"\ncount = 3"),
        // Some stations are in a table of another name.
        with(
            "[[station]]",
            "[[stations]]\nname = \"sta2\"\n\n[[flow]]\nfrom = \"sta2\"\nto = \"server\"\n\n[[station]]",
        ),
        // What is sound is checked against what is sound, beside a mistake elsewhere.
        with("duration = \"10 s\"", "duration = 10\nseed = -1"),
        answer(
            &GOOD
                .replace("\"10 s\"", "10")
                .replace("width", "basic_rates = [\"11 Mbit/s\"]\nwidth")
                .replace("35", "-20"),
            &[("flow.3.from", "x"), ("station.0.rate", "MCS 9"), ("flow.0.start", "soon")],
        ),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}
