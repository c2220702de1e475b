//! Values: their types, units, forms and bounds.

use crate::{GOOD, answer, set, with};

#[test]
fn wrong_types_are_told() {
    let answers = [
        with("\"A test\"", "3"),
        with("\"A test\"", "[\"A test\"]"),
        with("\"10 s\"", "true"),
        with("\"10 s\"", "1979-05-27"),
        with("26", "\"26\""),
        with("26", "26.5"),
        with("[[ap]]", "[ap]"),
        with("[air]", "[[air]]"),
        with("adapter = \"ath9k\"\n\n", "adapter = 3\n\n"),
        with("{ congestion = \"cubic\" }", "\"cubic\""),
        with("{ congestion = \"cubic\" }", "{ slow_start = true }"),
        with("\"linux-3.13\"\nadapter", "{ profile = \"linux-3.13\", sack = \"yes\" }\nadapter"),
        with("\"802.11n\"", "{}"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn units_are_asked_for() {
    let answers = [
        with("\"10 s\"", "10"),
        with("\"10 s\"", "\"120\""),
        with("\"10 s\"", "2.5"),
        with("\"10 s\"", "\"10 sec\""),
        with("\"10 s\"", "\"10 lightyears\""),
        with("\"10 s\"", "\"10 MHz\""),
        with("\"10 s\"", "\"ten seconds\""),
        with("\"10 s\"", "\"1. s\""),
        with("\"1 Gbit/s\"", "\"1 GiB\""),
        with("\"1 Gbit/s\"", "\"300 mbit/s\""),
        with("\"1 Gbit/s\"", "\"300 Mbps\""),
        with("\"35 dB\"", "35"),
        with("\"35 dB\"", "\"35 m\""),
        with("snr = \"35 dB\"", "distance = 3"),
        with("tcp = { congestion = \"cubic\" }", "bytes = \"1 Mbit/s\""),
        with("[[station]]", "power_save_buffer = 64\n[[station]]"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn numbers_as_others_write_them_are_answered_with_ours() {
    let distance = |text: &str| with("snr = \"35 dB\"", &format!("distance = {text}"));
    let rate = |text: &str| with("\"1 Gbit/s\"", &format!("\"{text}\""));
    let answers = [
        distance("\"12,5 m\""),
        distance("\"1,000 m\""),
        distance("\"1,000,000 m\""),
        distance("12,5 m"),
        distance("\"1.5 km\""),
        distance("\"20 ft\""),
        rate("10 MB/s"),
        rate("10 mb/s"),
        with("\"10 s\"", "\"500 ns\""),
        with("\"10 s\"", "\"1 day\""),
        with("\"35 dB\"", "\"-60 dBm\""),
        with(
            "snr = \"35 dB\"",
            "walk = { from = [\"1 m\", \"0 m\"], to = [\"9 m\", \"0 m\"], speed = \"5 km/h\" }",
        ),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn what_is_set_has_a_form() {
    let answers = [
        set("station.snr", "3 dB"),
        set("station.0.hidden_from", "[a, b]"),
        set("station.0.hidden_from", "sta2"),
        set("wall.0.material", "wood"),
        set("station.sta1.position.0", "3 m"),
        answer(
            &GOOD
                .replace("name = \"ap\"\n", "name = \"ap\"\nposition = [\"0 m\", \"0 m\"]\n")
                .replace("snr = \"35 dB\"", "position = [\"3 m\", \"0 m\"]"),
            &[("station.sta1.distance", "3 m")],
        ),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn values_beyond_sense_are_refused() {
    let answers = [
        with("\"10 s\"", "\"0 s\""),
        with("\"10 s\"", "\"-3 s\""),
        with("\"10 s\"", "\"25 h\""),
        with("\"10 s\"", "\"99999999999999999999999 h\""),
        with("\"10 s\"", "\"10000000000 h\""),
        with("\"10 s\"", "\"1.0000000001 s\""),
        with("\"10 s\"", "nan"),
        with("\"10 s\"", "inf"),
        with("\"35 dB\"", "nan"),
        with("\"35 dB\"", "\"nan dB\""),
        with("\"35 dB\"", "\"500 dB\""),
        with("26", "0"),
        with("26", "-1"),
        with("26", "201"),
        with("26", "99999999999999999999999999999999999999999999999999"),
        with("duration", "seed = -1\nduration"),
        with("\"sta1\"\nhost", "\"\"\nhost"),
        with("\"sta1\"\nhost", "\"../etc\"\nhost"),
        with("\"sta1\"\nhost", "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"\nhost"),
        with("adapter = \"ath9k\"\nsnr", "adapter = { profile = \"ath9k\", cw_min = 14 }\nsnr"),
        with("adapter = \"ath9k\"\nsnr", "adapter = { profile = \"ath9k\", cw_min = 2047 }\nsnr"),
        with("adapter = \"ath9k\"\nsnr", "adapter = { profile = \"ath9k\", aql = {} }\nsnr"),
        with(
            "adapter = \"ath9k\"\nsnr",
            "adapter = { profile = \"ath9k\", pull = \"report\", aql = { low = 5 } }\nsnr",
        ),
        with(
            "adapter = \"ath9k\"\nsnr",
            "adapter = { profile = \"ath9k\", null_frame = { rts_after = 1.5 } }\nsnr",
        ),
        with(
            "adapter = \"ath9k\"\nsnr",
            "adapter = { profile = \"ath9k\", control_rate = \"11 Mbit/s\" }\nsnr",
        ),
        with(
            "host = \"linux-3.13\"\nadapter",
            "host = { profile = \"linux-3.13\", send_buffer_max = \"8 KiB\" }\nadapter",
        ),
        with("channels = 26", "channels = 26, shortest = \"200 s\""),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn a_warm_up_ends_before_the_run() {
    let warm_up = |for_long: &str| with("duration", &format!("warm_up = \"{for_long}\"\nduration"));
    insta::assert_snapshot!([warm_up("10 s"), warm_up("9 s"), warm_up("5")].join("\n"));
}

#[test]
fn words_are_checked() {
    let answers = [
        with("\"802.11n\"", "\"802.11ax\""),
        with("\"802.11n\"", "\"802.11be\""),
        with("\"802.11n\"", "\"802.11nn\""),
        with("\"5 GHz\"", "\"6 GHz\""),
        with("\"40 MHz\"", "\"80 MHz\""),
        with("\"40 MHz\"", "\"320 MHz\""),
        with("\"40 MHz\"", "\"40 mhz\""),
        with("\"cubic\"", "\"cubik\""),
        with("\"802.11n\"", "\"wifi6\""),
        with("\"802.11n\"", "\"ac\""),
        with("\"802.11n\"", "\"Wi-Fi 7\""),
        with("channels = 26", "channels = 26, remedy = \"skip\""),
        with("channels = 26", "channels = 26, remedy = \"skip_if_moved\""),
        with("channels = 26", "channels = 26, remedy = { threshold = \"1 MiB\" }"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn profiles_are_listed() {
    let answers = [
        with("host = \"linux-3.13\"\nadapter", "host = \"linux-3.12\"\nadapter"),
        with("host = \"linux-3.13\"\nadapter", "host = \"windows\"\nadapter"),
        with("host = \"linux-3.13\"\nadapter", "host = { profile = \"windows\", small_queue = 3 }\nadapter"),
        with("host = \"linux-3.13\"\nadapter", "host = 3\nadapter"),
        with("adapter = \"ath9k\"\nsnr", "adapter = \"ath12k\"\nsnr"),
        with("by = \"networkmanager-0.9.8\"", "by = \"networkmanager\""),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn what_is_on_the_way_at_once_is_bounded() {
    let link = |rate: &'static str, delay: &'static str| {
        [("server.0.link.rate", rate), ("server.0.link.delay", delay)]
    };
    let flow = |down: bool, entries: &str| {
        let ends = if down { "from = \"server\"\nto = \"sta1\"" } else { "from = \"sta1\"\nto = \"server\"" };
        GOOD.replace(
            "from = \"sta1\"\nto = \"server\"\ntcp = { congestion = \"cubic\" }",
            &format!("{ends}\n{entries}"),
        )
    };
    let saturated = "kind = \"udp\"\nrate = \"saturated\"\n";
    let small = format!("{saturated}payload = \"1 B\"\n");
    let paced = "kind = \"udp\"\nrate = \"400 Mbit/s\"\npayload = \"50 B\"\n";
    let fast = link("400 Gbit/s", "1 s");
    let answers = [
        answer(&flow(true, &small), &fast),
        answer(&flow(true, saturated), &link("100 Gbit/s", "1 s")),
        answer(&flow(false, &small), &link("400 Gbit/s", "5 s")),
        answer(&flow(false, paced), &link("1 Gbit/s", "60 s")),
        // Two halves, of which neither is too much.
        answer(
            &(flow(true, paced) + "[[flow]]\nfrom = \"sta1\"\nto = \"server\"\n" + paced),
            &link("40 Gbit/s", "3 s"),
        ),
        // What a link carries, however much is asked, and TCP.
        answer(&flow(true, saturated), &link("10 Gbit/s", "1 s")),
        answer(GOOD, &fast),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn overrides_are_told_by_their_text() {
    let answers = [
        set("flow.0.tcp.congeston", "newreno"),
        set("flow.0.tcp.congestion", "newrenno"),
        set("flow.1.tcp.congestion", "newreno"),
        set("ap.0.queue", "{ discipline = \"fifo\""),
        set("station.0.hidden_from", "[\"a\", \"b"),
        set("flow.sta1-server.tcp.congestion", "newrenno"),
        set("flow.sta1-serv.tcp.congestion", "newreno"),
        set("flow.sta1.tcp.congestion", "newrenno"),
        answer(
            &GOOD.replace("[[flow]]", "[[flow]]\nfrom = \"server\"\nto = \"sta1\"\n[[flow]]"),
            &[("flow.sta1.start", "1 s"), ("flow.server-sta1.start", "soon"), ("flow.sta-1.start", "1 s")],
        ),
        answer(&GOOD.replace("[[flow]]", "[[flow]]\nname = \"up\""), &[("flow.sta1-server.start", "soon")]),
        set("station.sta2.snr", "3 dB"),
        set("flw.0.tcp.congestion", "newreno"),
        set("flow.0.from.x", "newreno"),
        set("duration", "120"),
        set("duration", "120 MHz"),
        set("", "3"),
        set("flow..from", "3"),
        set("station.0.host.smal_queue", "off"),
        set("station.0.host", "beos"),
        set("station.0.distance", "3"),
        set("flow", "x"),
        set("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r", "x"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn shares_times_and_lists_as_people_write_them() {
    let link = |loss: &str| with("delay = \"0.25 ms\"", &format!("delay = \"0.25 ms\", loss = {loss}"));
    let hidden = |names: &str| {
        let two = GOOD.replace("[[server]]", "[[station]]\nname = \"sta2\"\nhost = \"linux-3.13\"\nadapter = \"ath9k\"\nsnr = \"35 dB\"\n\n[[server]]");
        answer(&two.replacen("snr = \"35 dB\"", &format!("snr = \"35 dB\"\nhidden_from = {names}"), 1), &[])
    };
    let channel = |number: u8| with("name = \"ap\"", &format!("name = \"ap\"\nchannel = {number}"));
    let answers = [
        link("\"1 %\""),
        link("\"0.5%\""),
        link("1.5"),
        link("-0.1"),
        link("500"),
        with("duration = \"10 s\"", "duration = \"10 m\""),
        hidden("[\"sta2\", \"sta2\"]"),
        with("width", "basic_rates = [\"6 Mbit/s\", \"12 Mbit/s\", \"6 Mbit/s\"]\nwidth"),
        channel(38),
        channel(6),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}
