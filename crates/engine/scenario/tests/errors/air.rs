//! The air, and what adapters and rates must have of it.

use crate::{GOOD, answer, with};

#[test]
fn walls_need_a_distance() {
    let answers = [
        with("snr = \"35 dB\"", "snr = \"30 dB\"\nwalls = 2"),
        with("width = \"40 MHz\"", "width = \"40 MHz\"\npath_loss = { exponent = 0.5 }"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

/// The good scenario in another air and with these lines for its station, after line 12.
fn air(air: &str, station: &str) -> String {
    let text = GOOD
        .replace("standard = \"802.11n\"\nband = \"5 GHz\"\nwidth = \"40 MHz\"\n", air)
        .replace("adapter = \"ath9k\"\n\n", "adapter = \"dcf\"\n\n")
        .replace("adapter = \"ath9k\"\nsnr", &format!("{station}\nsnr"));
    answer(&text, &[])
}

const B: &str = "standard = \"802.11b\"\nband = \"2.4 GHz\"\nwidth = \"20 MHz\"\n";

const G: &str = "standard = \"802.11g\"\nband = \"2.4 GHz\"\nwidth = \"20 MHz\"\n";

#[test]
fn the_air_is_possible() {
    let dcf = "adapter = \"dcf\"";
    let of = |standard, band, width| {
        air(&format!("standard = \"{standard}\"\nband = \"{band}\"\nwidth = \"{width}\"\n"), dcf)
    };
    let answers = [
        air(B, dcf),
        air(G, dcf),
        air("standard = \"802.11a\"\nband = \"5 GHz\"\nwidth = \"20 MHz\"\n", dcf),
        of("802.11b", "5 GHz", "20 MHz"),
        of("802.11a", "2.4 GHz", "20 MHz"),
        of("802.11g", "2.4 GHz", "40 MHz"),
        with("width = \"40 MHz\"", "width = \"40 MHz\"\npreamble = \"short\""),
        air(&format!("{B}protection = \"rts-cts\"\n"), dcf),
        with("width = \"40 MHz\"", "width = \"40 MHz\"\nslot = \"long\""),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn basic_rates_are_had_by_everybody() {
    let dcf = "adapter = \"dcf\"";
    let old = "adapter = { profile = \"dcf\", standard = \"802.11b\" }";
    let second =
        format!("{old}\nsnr = \"30 dB\"\n[[station]]\nname = \"sta2\"\nhost = \"linux-3.13\"\n{dcf}");
    let answers = [
        air(&format!("{B}basic_rates = [\"1 Mbit/s\", \"6 Mbit/s\"]\n"), dcf),
        air(&format!("{G}basic_rates = [\"1 Mbit/s\", \"6 Mbit/s\"]\n"), old),
        air(&format!("{G}basic_rates = [\"6 Mbit/s\"]\n"), &second),
        air(&format!("{G}basic_rates = []\n"), dcf),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn adapters_speak_the_airs_standard() {
    let answers = [
        air(B, "adapter = { profile = \"ath9k\", control_rate = \"24 Mbit/s\" }"),
        air(B, "adapter = { profile = \"dcf\", standard = \"802.11a\" }"),
        with("adapter = \"ath9k\"\nsnr", "adapter = { profile = \"dcf\", standard = \"802.11g\" }\nsnr"),
        with("adapter = \"ath9k\"\n\n", "adapter = { profile = \"dcf\", standard = \"802.11a\" }\n\n"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn rates_fit_the_air() {
    let rate = |in_air, rate: &str| air(in_air, &format!("adapter = \"dcf\"\nrate = {rate}"));
    let answers = [
        rate(B, "\"11 Mbit/s\""),
        rate(B, "\"5.5 Mbit/s\""),
        rate(B, "\"arf\""),
        rate(B, "\"aarf\""),
        rate(B, "\"minstrel\""),
        rate(B, "\"7 Mbit/s\""),
        rate(B, "\"54 Mbit/s\""),
        rate(B, "\"MCS 7\""),
        with("adapter = \"ath9k\"\nsnr", "adapter = \"dcf\"\nrate = \"MCS 7\"\nsnr"),
        air(G, "adapter = { profile = \"dcf\", standard = \"802.11b\" }\nrate = \"54 Mbit/s\""),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn scripts_of_rates_begin_at_zero_and_are_in_order() {
    let script = |steps: &str| air(B, &format!("adapter = \"dcf\"\nrate = [{steps}]"));
    let fast = "{ at = \"0 s\", rate = \"11 Mbit/s\" }";
    let answers = [
        script(&format!("{fast}, {{ at = \"20 s\", rate = \"1 Mbit/s\" }}")),
        script(&format!("{fast}, {{ at = \"-20 s\", rate = \"1 Mbit/s\" }}")),
        script("{ at = \"1 s\", rate = \"11 Mbit/s\" }"),
        script(&format!(
            "{fast}, {{ at = \"9 s\", rate = \"1 Mbit/s\" }}, {{ at = \"3 s\", rate = \"2 Mbit/s\" }}"
        )),
        script(&format!("{fast}, {{ at = \"9 s\", rate = \"arf\" }}")),
        script(&format!("{fast}, {{ at = \"9 s\", rate = \"3 Mbit/s\" }}")),
        script(""),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn rates_fit_the_adapter() {
    let answers = [
        with("snr", "rate = \"MCS 16\"\nsnr"),
        with("snr", "rate = { mcs = 15, streams = 1 }\nsnr"),
        with("snr", "rate = \"fast\"\nsnr"),
        with("snr", "rate = \"300 Mbit/s\"\nsnr"),
        with("snr", "rate = \"120 Mbit/s\"\nsnr"),
        with("snr", "rate = \"301 Mbit/s\"\nsnr"),
        with("snr", "rate = \"144.4 Mbit/s\"\nsnr"),
        with("snr", "rate = \"minstrel_ht\"\nsnr"),
        with("snr", "rate = \"auto\"\nsnr"),
        with("snr", "rate = \"minstral\"\nsnr"),
        with("snr", "rate = \"ideal\"\nsnr"),
        with("snr", "rate = { successes = 5 }\nsnr"),
        with("adapter = \"ath9k\"\nsnr", "adapter = { profile = \"ath9k\", streams = 5 }\nsnr"),
        with("snr", "rate = 15\nsnr"),
        with("snr", "rate = { control = \"arf\", failures = 3 }\nsnr"),
        with("snr", "rate = { control = \"arv\" }\nsnr"),
        with("snr", "rate = { control = \"arf\", most_successes = 20 }\nsnr"),
        with("snr", "rate = { control = \"arf\", successes = 0 }\nsnr"),
        with("snr", "rate = { control = \"aarf\", successes = 20, most_successes = 10 }\nsnr"),
        with("snr", "rate = { mcs = 16 }\nsnr"),
        with("snr", "rate = { mcs = 7, guard_interval = \"shrt\" }\nsnr"),
        with(
            "adapter = \"ath9k\"\nsnr",
            "adapter = { profile = \"ath9k\", streams = 1 }\nrate = \"MCS 8\"\nsnr",
        ),
        with(
            "adapter = \"ath9k\"\nsnr",
            "adapter = { profile = \"ath9k\", short_gi = false }\nrate = { mcs = 7, guard_interval = \"short\" }\nsnr",
        ),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn what_802_11be_has_not_here_is_said() {
    let of = |standard: &str, band: &str, width: &str, station: &str| {
        let air = format!("standard = \"{standard}\"\nband = \"{band}\"\nwidth = \"{width}\"\n");
        let text = GOOD
            .replace("standard = \"802.11n\"\nband = \"5 GHz\"\nwidth = \"40 MHz\"\n", &air)
            .replace("adapter = \"ath9k\"", "adapter = \"edca-be\"")
            .replacen("snr =", &format!("{station}snr ="), 1);
        answer(&text, &[])
    };
    let answers = [
        of("eht", "6 GHz", "320 MHz", ""),
        of("wifi 7", "6 GHz", "320 MHz", ""),
        of("mlo", "6 GHz", "320 MHz", ""),
        of("Wi-Fi 8", "6 GHz", "320 MHz", ""),
        of("802.11be", "5 GHz", "320 MHz", ""),
        of("802.11be", "6 GHz", "320-2", ""),
        of("802.11be", "6 GHz", "320 MHz", "rate = \"MCS 14\"\n"),
        of("802.11be", "6 GHz", "320 MHz", "rate = \"MCS 15\"\n"),
        of("802.11be", "6 GHz", "320 MHz", "links = 2\n"),
        answer(
            &GOOD.replace("adapter = \"ath9k\"", "adapter = { profile = \"ath9k\", width = \"20 MHz\" }"),
            &[],
        ),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn signal_is_said_once() {
    let answers = [
        with("snr = \"35 dB\"", "snr = \"35 dB\"\ndistance = \"3 m\""),
        with("snr = \"35 dB\"", "distance = \"0 m\""),
        with("snr = \"35 dB\"", "distance = \"3 km\""),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn an_interferer_is_of_a_kind_and_has_a_level() {
    let beside = |text: &str| answer(&format!("{GOOD}\n[[interferer]]\nname = \"it\"\n{text}\n"), &[]);
    let answers = [
        beside("kind = \"radar\"\nlevel = \"-60 dBm\""),
        beside("kind = \"bluetooth\"\nlevel = \"-60 dBm\""),
        beside("kind = \"neighbour\"\nlevel = \"-60 dBm\""),
        beside("kind = \"neighbour\"\nlevel = \"-60 dBm\"\nchannel = 37\noccupancy = 0.4"),
        beside("kind = \"neighbour\"\nlevel = \"-60 dBm\"\nchannel = 36\noccupancy = 1.4"),
        beside("kind = \"neighbour\"\nlevel = \"-60 dB\"\nchannel = 36\noccupancy = 0.4"),
        beside("kind = \"neighbour\"\nchannel = 36\noccupancy = 0.4"),
        beside("kind = \"neighbour\"\nposition = [\"1 m\", \"0 m\"]\nchannel = 36\noccupancy = 0.4"),
        beside("kind = \"microwave\"\nlevel = \"-60 dBm\"\noccupancy = 0.4"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

/// What an access point has of its own is held against what there is in its band, its adapter, and its stations.
#[test]
fn an_access_point_has_an_air_that_there_is() {
    let other = |keys: &str, station: &str| {
        let ap = "name = \"ap\"\n";
        let first = GOOD.replace(ap, "name = \"ap\"\nchannel = 36\n");
        let second = format!("[[ap]]\nname = \"other\"\n{keys}\n[[station]]\nap = \"other\"");
        let text = first
            .replace("[[station]]", &second)
            .replace("snr = \"35 dB\"", &format!("snr = \"35 dB\"\n{station}"));
        answer(&text, &[])
    };
    let ath9k = "adapter = \"ath9k\"";
    let answers = [
        other(&format!("channel = 5\nband = \"6 GHz\"\n{ath9k}"), ""),
        other(&format!("channel = 6\nband = \"2.4 GHz\"\nstandard = \"802.11ac\"\n{ath9k}"), ""),
        other(&format!("channel = 44\nwidth = \"80 MHz\"\n{ath9k}"), ""),
        other(&format!("channel = 36\nband = \"2.4 GHz\"\n{ath9k}"), ""),
        other(&format!("channel = 44\nstandard = \"802.11ac\"\n{ath9k}"), ""),
        other(&format!("channel = 44\nslot = \"long\"\n{ath9k}"), ""),
        other(&format!("channel = 44\nbasic_rates = [\"1 Mbit/s\"]\n{ath9k}"), ""),
        other(&format!("channel = 6\nband = \"2.4 GHz\"\nbasic_rates = [\"6 Mbit/s\"]\n{ath9k}"), ""),
        other(&format!("channel = 6\nband = \"2.4 GHz\"\n{ath9k}"), "rate = \"1 Mbit/s\""),
        other(&format!("channel = 44\n{ath9k}"), "rate = \"1 Mbit/s\""),
        other(
            &format!("channel = 44\nstandard = \"802.11a\"\nwidth = \"20 MHz\"\n{ath9k}"),
            "rate = \"MCS 7\"",
        ),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn spells_of_an_adapter_on_usb_are_in_order() {
    let hold = |hold: &str| {
        let adapter = format!("adapter = {{ profile = \"compaq-w200\", usb.hold = {hold} }}");
        air(B, &adapter)
    };
    let answers = [
        hold("{ at = [\"1 s\", \"2 s\"] }"),
        hold("{ at = [\"2 s\", \"1 s\"] }"),
        hold("{ shortest = \"2 s\", longest = \"1 s\" }"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}
