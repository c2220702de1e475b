//! Access points, stations, and where they are.

use crate::{GOOD, answer, with};
use airloom_scenario::load;

#[test]
fn an_access_point_is_on_no_bus() {
    let answers = [with(
        "name = \"ap\"\nadapter = \"ath9k\"",
        "name = \"ap\"\nadapter = { profile = \"ath9k\", usb = {} }",
    )];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn another_access_point_is_written_into_the_file() {
    let counted = with("name = \"ap\"\n", "name = \"ap\"\ncount = 2\n");
    assert!(
        counted.contains("an [[ap]] of its own") && counted.contains("examples/two-networks.toml"),
        "{counted}"
    );
}

#[test]
fn all_radios_have_a_place_or_none() {
    let placed = GOOD
        .replace("name = \"ap\"\n", "name = \"ap\"\nposition = [\"0 m\", \"0 m\"]\n")
        .replace("snr = \"35 dB\"", "position = [\"3 m\", \"0 m\"]");
    let place = |place: &str| answer(&placed.replace("position = [\"3 m\", \"0 m\"]", place), &[]);
    let beside = |text: &str| answer(&format!("{placed}\n{text}\n"), &[]);
    let answers = [
        place("position = [\"3 m\", \"0 m\", \"1 m\"]"),
        place("snr = \"35 dB\""),
        with("snr = \"35 dB\"", "position = [\"3 m\", \"0 m\"]"),
        place("position = [\"3 m\"]"),
        place("position = [3, 0]"),
        place("position = \"3 m\""),
        place("position = [\"3 m\", \"0 m\"]\ndistance = \"3 m\""),
        place("position = [\"3 m\", \"0 m\"]\nwalls = 1"),
        place("position = [\"3 m\", \"0 m\"]\nsnr = \"35 dB\""),
        place(
            "position = [\"3 m\", \"0 m\"]\nwalk = { from = [\"1 m\", \"0 m\"], to = [\"2 m\", \"0 m\"], speed = \"1 m/s\" }",
        ),
        place("walk = { from = [\"1 m\", \"0 m\"], to = [\"1 m\", \"0 m\"], speed = \"1 m/s\" }"),
        place("walk = { from = [\"1 m\", \"0 m\"], to = [\"2 m\", \"0 m\"], speed = \"0 m/s\" }"),
        place("walk = { from = [\"1 m\", \"0 m\"], to = [\"2 m\", \"0 m\"] }"),
        place(
            "path = [{ at = \"5 s\", position = [\"1 m\", \"0 m\"] }, { at = \"3 s\", position = [\"2 m\", \"0 m\"] }]",
        ),
        place(
            "path = [{ at = \"1 s\", position = [\"1 m\", \"0 m\"] }, { at = \"1.2 s\", position = [\"41 m\", \"0 m\"] }]",
        ),
        place("path = [{ at = \"5 s\" }]"),
        answer(&placed.replace("width", "capture = \"10 dB\"\nwidth"), &[]),
        beside("[[wall]]\nfrom = [\"1 m\", \"0 m\"]\nto = [\"1 m\", \"0 m\"]\nmaterial = \"heavy\""),
        beside("[[wall]]\nfrom = [\"1 m\", \"0 m\", \"2 m\"]\nto = [\"1 m\", \"1 m\"]\nmaterial = \"brick\""),
        answer(
            &format!(
                "{GOOD}\n[[wall]]\nfrom = [\"1 m\", \"0 m\"]\nto = [\"1 m\", \"1 m\"]\nmaterial = \"heavy\"\n"
            ),
            &[],
        ),
        answer(&format!("{GOOD}\n[[floor]]\nheight = \"2.8 m\"\n"), &[]),
        place("distance = \"3 m\""),
        answer(&placed.replace("name = \"ap\"\n", "name = \"ap\"\ndistance = \"3 m\"\n"), &[]),
        place("path = [{ at = \"0 s\", position = [\"20 km\", \"0 m\"] }]"),
        place("position = [\"20000 m\", \"0 m\"]"),
        // The access point's place is not known as its queue cannot be read: nothing is said of walls.
        answer(
            &format!(
                "{}\n[[wall]]\nfrom = [\"1 m\", \"0 m\"]\nto = [\"1 m\", \"1 m\"]\nmaterial = \"heavy\"\n",
                placed.replace("position = [\"3 m\", \"0 m\"]", "distance = \"3 m\"").replace(
                    "position = [\"0 m\", \"0 m\"]\n",
                    "position = [\"0 m\", \"0 m\"]\nqueue = { discipline = \"fq_codl\" }\n"
                )
            ),
            &[],
        ),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn names_are_different_and_there_is_an_access_point() {
    let answers = [
        with("name = \"server\"", "name = \"sta1\""),
        with("[[flow]]", "[[flow]]\nname = \"f\"\nfrom = \"server\"\nto = \"sta1\"\n[[flow]]\nname = \"f\""),
        with("[[ap]]\nname = \"ap\"\nadapter = \"ath9k\"\n", ""),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn several_access_points_have_channels_apart_or_the_same_and_stations_name_theirs() {
    let keys = |keys: &str| with("adapter = \"ath9k\"\n\n", &format!("adapter = \"ath9k\"\n{keys}\n\n"));
    let two = |first: &str, second: &str, station: &str| {
        let ap = "[[ap]]\nname = \"ap\"\n";
        let aps = format!("{ap}{first}\nadapter = \"ath9k\"\n[[ap]]\nname = \"other\"\n{second}\n");
        let text = GOOD.replace(ap, &aps).replace("snr = \"35 dB\"", &format!("snr = \"35 dB\"\n{station}"));
        answer(&text, &[])
    };
    let at = "ap = \"other\"";
    let answers = [
        keys("channel = 37"),
        keys("channel = 0"),
        keys("channel = \"36\""),
        keys("width = \"20 MHz\""),
        keys("frequency = 5180"),
        keys("ssid = \"home\""),
        keys("ssid = \"\""),
        keys("ssid = \"a name that is longer than thirty-two octets\""),
        two("channel = 36", "", at),
        two("", "", ""),
        two("channel = 36", "channel = 44", "ap = \"othr\""),
        two("channel = 36\nwidth = \"20 MHz\"", "channel = 40", at),
        two("channel = 6\nband = \"2.4 GHz\"", "channel = 7\nband = \"2.4 GHz\"", at),
        two("channel = 1\nband = \"2.4 GHz\"", "channel = 3\nband = \"2.4 GHz\"\nwidth = \"20 MHz\"", at),
        two("channel = 1\nband = \"2.4 GHz\"", "channel = 5\nband = \"2.4 GHz\"\nwidth = \"20 MHz\"", at),
        two("channel = 36", "channel = 165", at),
        two("channel = 36", "channel = 36", &format!("{at}\nhidden_from = [\"ap\"]")),
        two("channel = 36", "channel = 36", &format!("{at}\nhidden_from = [\"other\"]")),
        two("channel = 36", "channel = 44\nwmm = { be = { cw_min = 2047 } }", at),
        two("channel = 36", "channel = 44", at),
    ];
    insta::assert_snapshot!(answers.join("\n"));
    let mut many: String =
        (0..65).map(|n| format!("[[ap]]\nname = \"ap{n}\"\nadapter = \"ath9k\"\n")).collect();
    many += "[air]\nstandard = \"802.11n\"\nband = \"5 GHz\"\nwidth = \"40 MHz\"\n";
    let mistakes = load(&many, "test.toml", &[], None).expect_err("too many");
    assert!(mistakes.to_string().contains("more than 64 access points"), "{mistakes}");
}

/// A second one's adapter is looked at as the first one's is.
#[test]
fn every_access_point_is_checked() {
    let second = |adapter: &str| {
        let text = GOOD.replace("name = \"ap\"\n", "name = \"ap\"\nchannel = 36\n");
        let ap =
            format!("[[ap]]\nname = \"other\"\nchannel = 44\nadapter = {adapter}\n[[station]]\nap = \"ap\"");
        answer(&text.replace("[[station]]", &ap), &[])
    };
    let answers = [
        second("{ profile = \"ath9k\", control_rate = \"11 Mbit/s\" }"),
        second("{ profile = \"ath9k\", standard = \"802.11a\" }"),
        second("{ profile = \"ath9k\", standard = \"802.11g\" }"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn stations_hear_their_access_point_and_hide_from_stations_there_are() {
    let hidden =
        |from: &str| with("snr = \"35 dB\"", &format!("snr = \"35 dB\"\nhidden_from = [\"{from}\"]"));
    let beside = |from: &str| {
        let two = GOOD.replace("[[server]]", "[[station]]\nname = \"other\"\nhost = \"linux-3.13\"\nadapter = \"ath9k\"\nsnr = \"30 dB\"\n\n[[server]]");
        answer(&two.replace("snr = \"30 dB\"", &format!("snr = \"30 dB\"\nhidden_from = [\"{from}\"]")), &[])
    };
    let answers = [
        hidden("ap"),
        hidden("sta2"),
        with("35 dB", "-20 dB"),
        beside("stal"),
        beside("other"),
        beside("sta1"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn a_crowd_has_a_number_of_members_that_there_can_be() {
    let count = |n: &str| with("name = \"sta1\"", &format!("name = \"sta1\"\ncount = {n}"));
    let answers = [count("0"), count("4001"), count("99999999999999999999"), count("\"many\"")];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn a_station_that_roams_has_somewhere_to_go() {
    let placed = GOOD
        .replace(
            "name = \"ap\"",
            "name = \"ap\"\nssid = \"home\"\nchannel = 36\nposition = [\"0 m\", \"0 m\"]",
        )
        .replace("snr = \"35 dB\"", "ap = \"ap\"\nposition = [\"5 m\", \"0 m\"]");
    let other = |ssid: &str| {
        format!(
            "[[ap]]\nname = \"other\"\n{ssid}channel = 52\nadapter = \"ath9k\"\nposition = [\"9 m\", \"0 m\"]\n\n[[station]]"
        )
    };
    let two = placed.replace("[[station]]", &other("ssid = \"home\"\n"));
    let roams = |text: &str, roam: &str| {
        answer(&text.replacen("scan = {", &format!("roam = {roam}\nscan = {{"), 1), &[])
    };
    let answers = [
        roams(GOOD, "\"iwd\""),
        roams(&placed, "\"iwd\""),
        roams(&placed.replace("[[station]]", &other("")), "\"iwd\""),
        roams(&two, "\"iwd\""),
        roams(&two, "\"networkmanager\""),
        roams(&two, "\"wpa-supplicant\""),
        roams(&two, "3"),
        roams(&two, "{ by = \"iwd\", long = \"5 s\" }"),
        roams(&two, "{ by = \"sticky\", short = \"5 s\" }"),
        roams(&two, "{ by = \"wpa_supplicant\", short = \"50 s\", long = \"5 s\" }"),
        roams(&two, "{ by = \"wpa_supplicant\", threshold = \"-70 dB\" }"),
        roams(&two, "{ threshold = \"-70 dBm\" }"),
        // The other access point cannot be read, and may be of its network.
        roams(&two.replace("name = \"other\"", "name = \"other\"\nhost = \"linux-6.18\""), "\"iwd\""),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn an_access_point_that_asks_stations_to_go_has_one_to_name() {
    let steer = |steer: &str| with("name = \"ap\"", &format!("name = \"ap\"\nsteer = {steer}"));
    let answers = [
        steer("{ below = \"-70 dBm\", better_by = \"8 dB\" }"),
        steer("{ below = \"-70 dBm\" }"),
        steer("{ below = \"-70 dB\", better_by = \"0 dB\" }"),
        steer("\"usteer\""),
        with("name = \"ap\"", "name = \"ap\"\nbtm = true"),
        with("snr = \"35 dB\"", "snr = \"35 dB\"\nroam = { by = \"iwd\", steered = \"follows\" }"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn an_access_point_has_no_power_in_times_that_follow_each_other() {
    let off = |times: &str| with("name = \"ap\"", &format!("name = \"ap\"\noff = {times}"));
    let answers = [
        off("[{ from = \"5 s\", to = \"4 s\" }]"),
        off("[{ from = \"1 s\", to = \"4 s\" }, { from = \"3 s\", to = \"5 s\" }]"),
        off("[{ from = \"1 s\" }]"),
        off("[{ from = \"1\", to = \"4 s\" }]"),
        off("[\"1 s\"]"),
        off("{ from = \"1 s\", to = \"4 s\" }"),
        off("true"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn an_access_point_goes_to_channels_that_there_are() {
    let switch = |all: &str| with("name = \"ap\"", &format!("name = \"ap\"\nswitch = {all}"));
    let answers = [
        switch("[{ at = \"5 s\", channel = 100 }, { at = \"4 s\", channel = 108 }]"),
        switch("[{ at = \"5 s\", channel = 100 }, { at = \"5.5 s\", channel = 108 }]"),
        switch("[{ at = \"5 s\", channel = 36 }]"),
        switch("[{ at = \"5 s\", channel = 40 }]"),
        switch("[{ at = \"5 s\", channel = 38 }]"),
        switch("[{ at = \"5 s\", channel = 6 }]"),
        switch("[{ at = \"5 s\", channel = 100, width = \"20 MHz\" }]"),
        switch("[{ at = \"5 s\", channel = 100, block_tx = true }]"),
        switch("[{ from = \"5 s\", channel = 100 }]"),
        switch("[{ at = \"5 s\" }]"),
        switch("[{ at = \"5 s\", channel = 100 }]\noff = [{ from = \"8 s\", to = \"9 s\" }]"),
        switch("100"),
        with("name = \"ap\"", "name = \"ap\"\ncsa = 100"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn a_monitor_is_at_a_place_and_on_a_channel_of_an_access_point() {
    let named = |name: &str, keys: &str, placed: bool| {
        let text = format!("{GOOD}\n[[monitor]]\nname = \"{name}\"\nposition = [\"1 m\", \"1 m\"]\n{keys}\n");
        let text = if placed {
            let text = text.replace("snr = \"35 dB\"", "position = [\"5 m\", \"0 m\"]");
            text.replacen("[[ap]]", "[[ap]]\nposition = [\"0 m\", \"0 m\"]", 1)
        } else {
            text
        };
        answer(&text, &[])
    };
    let monitor = |keys: &str, placed: bool| named("desk", keys, placed);
    for (answer, told) in [
        (named("air", "", true), "no monitor can be called `air`"),
        (monitor("", false), "monitor `desk` has a `position`, but no radio has one"),
        (monitor("channel = 149", true), "is on channel 36 at 5 GHz"),
        (
            monitor("channel = 36\nband = \"6 GHz\"", true),
            "monitor `desk` is on a channel that no access point has",
        ),
        (monitor("walk = 1", true), "stations alone walk"),
        (monitor("[[monitor]]\nname = \"desk\"", true), "the name `desk` is taken"),
    ] {
        assert!(answer.contains(told), "{answer}");
    }
}
