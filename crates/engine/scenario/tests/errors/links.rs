//! Links of multi-link devices.

use crate::answer;

/// An access point with two links, a station with both, and a flow.
const TWO: &str = r#"title = "A test"
duration = "10 s"

[air]
standard = "802.11be"
band = "5 GHz"
width = "80 MHz"

[[ap]]
name = "ap"
adapter = "edca-be"
links = [{ channel = 36 }, { band = "6 GHz", channel = 5 }]

[[station]]
name = "sta1"
host = "linux-6.18"
adapter = "edca-be"
snr = "35 dB"
multi_link = "str"

[[server]]
name = "server"
host = "linux-6.18"
link = { rate = "1 Gbit/s", delay = "0.25 ms" }

[[flow]]
from = "sta1"
to = "server"
"#;

/// The answer to this with one part replaced, without what is the same.
fn with(old: &str, new: &str) -> String {
    assert_eq!(TWO.matches(old).count(), 1, "{old} is not there once");
    let text = TWO.replace(old, new);
    let said = answer(&text, &[]);
    let message: Vec<&str> = said.lines().filter(|line| !line.starts_with(['+', '-'])).collect();
    format!("- {old}\n+ {new}\n{}\n", message.join("\n"))
}

const LINKS: &str = "links = [{ channel = 36 }, { band = \"6 GHz\", channel = 5 }]";

#[test]
fn links_of_an_access_point_are_possible() {
    let sixteen: Vec<String> = (0..16).map(|n| format!("{{ channel = {} }}", 1 + n)).collect();
    let answers = [
        with("standard = \"802.11be\"", "standard = \"802.11ax\""),
        with(LINKS, "links = []"),
        with(LINKS, &format!("links = [{}]", sixteen.join(", "))),
        with(LINKS, "links = [{ channel = 36 }, { channel = 40 }]"),
        with(LINKS, "links = [{ channel = 36 }, { channel = 38 }]"),
        with(LINKS, "links = [{ channel = 36 }, { band = \"2.4 GHz\" }]"),
        with(LINKS, &format!("channel = 100\n{LINKS}")),
        with(LINKS, &format!("position = [\"0 m\", \"0 m\"]\n{LINKS}")),
        with(LINKS, &format!("off = [{{ from = \"1 s\", to = \"2 s\" }}]\n{LINKS}")),
        with(LINKS, &format!("pseudo_retry_out = true\n{LINKS}")),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn links_of_a_station_are_those_of_its_access_point() {
    let answers = [
        with(LINKS, "channel = 36"),
        with("\"str\"", "\"emlsr\""),
        with("\"str\"", "\"nstr\""),
        with("\"str\"", "\"both\""),
        with("multi_link = \"str\"", "links = [{ band = \"2.4 GHz\" }]"),
        with("multi_link = \"str\"", "links = [{ channel = 40 }]"),
        with("multi_link = \"str\"", "links = [{ channel = 36, width = \"40 MHz\" }]"),
        with("multi_link = \"str\"", "links = [{ channel = 36 }, { band = \"5 GHz\" }]"),
        with("multi_link = \"str\"", "links = [{ channel = 36 }]\nmulti_link = \"str\""),
        with("multi_link = \"str\"", "links = [{ channel = 36 }, { band = \"6 GHz\", snr = \"-30 dB\" }]"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn what_does_not_go_with_several_links_is_said() {
    let several = "multi_link = \"str\"";
    let beside = |keys: &str| with(several, &format!("{several}\n{keys}"));
    let answers = [
        with("adapter = \"edca-be\"\nsnr", "adapter = \"edca-ax\"\nsnr"),
        beside("roam = \"wpa_supplicant\""),
        beside("scan = { by = \"networkmanager-0.9.8\", channels = 26 }"),
        beside("power_save = {}"),
        beside("rate = \"6 Mbit/s\""),
        with(
            "snr = \"35 dB\"",
            "snr = [{ at = \"0 s\", snr = \"35 dB\" }, { at = \"5 s\", snr = \"20 dB\" }]",
        ),
        with(
            "host = \"linux-6.18\"\nadapter",
            "host = { profile = \"linux-6.18\", link_rate = \"told\" }\nadapter",
        ),
        with("to = \"server\"", "to = \"server\"\ntcp = { link_rate = \"told\" }"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}
