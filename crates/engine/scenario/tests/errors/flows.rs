//! Flows, and the queues on their way.

use crate::{GOOD, answer, with};

#[test]
fn queues_have_a_discipline_and_a_limit_with_its_unit() {
    let answers = [
        with("[[station]]", "queue = { discipline = \"fifo\", limit = \"1000\" }\n[[station]]"),
        with("[[station]]", "queue = { disciplin = \"fifo\", limit = \"1000 packets\" }\n[[station]]"),
        with("[[station]]", "queue = { discipline = \"fifo\", limit = \"1000 pakets\" }\n[[station]]"),
        with("[[station]]", "queue = { discipline = \"fifo\", limit = \"0 packets\" }\n[[station]]"),
        with("[[station]]", "queue = { discipline = \"fifo\", limit = \"1000 Mbit/s\" }\n[[station]]"),
        with("[[station]]", "queue = { discipline = \"fifo\", limit = \"lots\" }\n[[station]]"),
        with("[[station]]", "queue = { discipline = \"fifo\", limit = 1000 }\n[[station]]"),
        with("[[station]]", "queue = { discipline = \"cake\", limit = \"1000 packets\" }\n[[station]]"),
        with("[[station]]", "queue = { discipline = \"codel\", limit = \"128 KiB\" }\n[[station]]"),
        with("[[station]]", "queue = { discipline = \"red\", min = \"20 packets\" }\n[[station]]"),
        with("[[station]]", "queue = { discipline = \"sfq\", target = \"5 ms\" }\n[[station]]"),
        with("[[station]]", "queue = { discipline = \"tbf\", burst = \"5 kB\" }\n[[station]]"),
        with("[[station]]", "queue = { discipline = \"fq_codel\", intervall = \"1 s\" }\n[[station]]"),
        with("[[station]]", "queue = { discipline = \"fifa\", limit = \"1000 packets\" }\n[[station]]"),
        with("[[station]]", "queue = \"fifo\"\n[[station]]"),
        with("[[station]]", "queue = \"red\"\n[[station]]"),
        with("[[station]]", "queue = \"fq-codel\"\n[[station]]"),
        with("[[station]]", "queue = \"100 packets\"\n[[station]]"),
        with("[[station]]", "queue = { discipline = \"codel\", target = \"5\" }\n[[station]]"),
        with("[[station]]", "queue = { discipline = \"fifo\", limit = \"1 packet\" }\n[[station]]"),
        with(
            "[[station]]",
            "queue = { discipline = \"fifo\", limit = [\"1 packets\", \"2 packets\"] }\n[[station]]",
        ),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn only_a_radio_on_no_bus_has_queues_of_receivers() {
    let bus = [
        ("station.0.host", "{ profile = \"linux-3.13\", queue = { discipline = \"mac80211\" } }"),
        ("station.0.adapter", "{ profile = \"ath9k\", usb = {} }"),
    ];
    let answers = [
        with("delay = \"0.25 ms\"", "delay = \"0.25 ms\", queue = { discipline = \"mac80211\" }"),
        answer(GOOD, &[("server.0.link.queue.limit", "50 packets")]),
        answer(GOOD, &bus),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn a_publication_has_a_pace_and_stations() {
    let flow = |text: &str| answer(&format!("{GOOD}\n[[flow]]\nkind = \"publish\"\n{text}\n"), &[]);
    let answers = [
        flow("from = \"server\"\nto = \"sta1\""),
        flow("from = \"server\"\nto = \"sta1\"\nrate = \"saturated\""),
        flow("from = \"sta1\"\nto = \"server\"\nrate = \"1 Mbit/s\""),
        flow("from = \"server\"\nto = \"sta1\"\nrate = \"1 Mbit/s\"\ndscp = \"EF\""),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn flows_have_two_ends_that_exist() {
    let answers = [
        with("from = \"sta1\"", "from = \"sta2\""),
        with("from = \"sta1\"", "from = \"laptop\""),
        with("from = \"sta1\"", "from = \"ap\""),
        with("from = \"sta1\"", "from = \"server\""),
        with("to = \"server\"", "to = \"sta1\""),
        with("to = \"server\"\n", "to = \"server\"\nstart = \"5 s\"\nstop = \"3 s\"\n"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn a_key_belongs_to_the_kind_of_its_flow() {
    let kind = |rest: &str| with("tcp = { congestion = \"cubic\" }\n", rest);
    let answers = [
        kind("kind = \"udp\"\nrate = \"saturated\"\nbytes = \"1 MiB\"\n"),
        kind("payload = \"100 B\"\n"),
        kind("kind = \"ping\"\nrate = \"1 Mbit/s\"\n"),
        kind("kind = \"upd\"\n"),
        kind("kind = \"udp\"\n"),
        kind("kind = \"command\"\n"),
        kind("kind = \"command\"\ncommand = \"true\"\ndscp = \"EF\"\n"),
        kind("command = \"iperf3 -c server\"\n"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn only_radios_have_a_link_rate_to_know() {
    let link_rate =
        |rest: &str| with("tcp = { congestion = \"cubic\" }", &format!("tcp = {{ link_rate = {rest} }}"));
    let down = "from = \"sta1\"\nto = \"server\"\ntcp = { congestion = \"cubic\" }";
    let answers = [
        link_rate("\"tolled\""),
        link_rate("{ pol = \"1 s\" }"),
        with(down, "from = \"server\"\nto = \"sta1\"\ntcp = { link_rate = \"told\" }"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn datagrams_have_rates_that_can_be_kept() {
    let udp = |rest: &str| with("tcp = { congestion = \"cubic\" }\n", &format!("kind = \"udp\"\n{rest}"));
    let answers = [
        udp("rate = \"400 Gbit/s\"\n"),
        udp("rate = \"1 Mbit/s\"\npayload = \"0 B\"\n"),
        udp("rate = \"saturated\"\nspacing = \"poisson\"\n"),
        udp("rate = \"saturated\"\njitter = \"1 ms\"\n"),
        udp("rate = \"1 Mbit/s\"\nspacing = \"poisson\"\njitter = \"1 ms\"\n"),
        udp("rate = \"1 Mbit/s\"\njitter = \"uniform\"\n"),
        udp("rate = \"fast\"\n"),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}
