//! Flows with a DSCP: their category on the air, above the driver and in captures.

use crate::scenarios::good;
use airloom_lab::capture::Settings;
use airloom_lab::run::{self, Options, run_to_bundle};
use std::process::Command;

/// A call each way beside a saturating upload, with this DSCP, above this queue.
fn scenario(seed: u64, dscp: &str, queue: &str, more: &str) -> String {
    let flow = |from: &str, to: &str| {
        format!(
            "[[flow]]\nname = \"to-{to}\"\nkind = \"udp\"\nfrom = \"{from}\"\nto = \"{to}\"\nrate = \"64 kbit/s\"\n\
             payload = \"160 B\"\ndscp = {dscp}\n"
        )
    };
    format!(
        r#"title = "A test"
seed = {seed}
duration = "3 s"
air = {{ standard = "802.11ac", band = "5 GHz", width = "20 MHz" }}
[[ap]]
name = "ap"
adapter = "edca-ac"
queue = {{ discipline = "{queue}" }}
{more}
[[station]]
name = "sta1"
host = {{ profile = "linux-6.18", queue = {{ discipline = "{queue}" }} }}
adapter = "edca-ac"
snr = "30 dB"
rate = "MCS 4"
[[server]]
name = "server"
host = "linux-6.18"
link = {{ rate = "1 Gbit/s", delay = "1 ms" }}
[[flow]]
name = "bulk"
from = "sta1"
to = "server"
{}{}"#,
        flow("sta1", "server"),
        flow("server", "sta1")
    )
}

/// The 95th percentile of the delay of the call towards the server, in ms: the mean of five runs.
fn delay(dscp: &str, queue: &str, more: &str) -> f64 {
    let seeds = 1..=5;
    let runs = seeds.clone().map(|seed| {
        let outcome =
            run::run(&good(&scenario(seed, dscp, queue, more)), &mut |_| true).expect("not interrupted");
        let summary = outcome.summary.to_value();
        let flow =
            summary["flows"].as_array().expect("flows").iter().find(|flow| flow["name"] == "to-server");
        flow.expect("it is there")["delay_p95_ms"].as_f64().expect("a delay")
    });
    runs.sum::<f64>() / seeds.count() as f64
}

/// In a FIFO for all traffic a call waits behind the upload. With a DSCP of voice it has a queue of its own above the driver, and the
/// driver's too.
#[test]
fn a_call_in_the_voice_category_overtakes_an_upload() {
    for queue in ["fifo", "fq_codel", "mac80211"] {
        let [voice, plain] = ["\"EF\"", "\"DF\""].map(|dscp| delay(dscp, queue, ""));
        assert!(voice < 8.0, "{queue}: {voice} ms");
        assert!(plain > 1.5 * voice, "{queue}: {voice} ms and {plain} ms");
    }
}

/// What stations are told they do: a voice category that contends like background waits longer.
#[test]
fn stations_contend_as_their_access_point_says() {
    let slow = "wmm = { vo = { aifsn = 7, cw_min = 15, cw_max = 1023, txop_limit = \"0 s\" } }";
    let [told, plain] = [slow, ""].map(|more| delay("46", "mac80211", more));
    assert!(told > 1.5 * plain, "{told} ms and {plain} ms");
}

/// Fields of frames of the air as tshark prints them; none without tshark.
fn tshark(file: &std::path::Path, filter: &str, fields: &[&str]) -> Option<Vec<String>> {
    let shown = fields.iter().flat_map(|field| ["-e", field]);
    let command = ["-Tfields", "-Eoccurrence=a", "-Y", filter];
    let Ok(output) = Command::new("tshark").arg("-nr").arg(file).args(command).args(shown).output() else {
        assert!(std::env::var_os("CI").is_none(), "tshark is not installed, and CI is set: install tshark");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// AIFSN and TXOP limit of each category of a beacon.
const PARAMETERS: [&str; 2] = ["wlan.wfa.ie.wme.acp.aifsn", "wlan.wfa.ie.wme.acp.txop_limit"];

#[test]
fn captures_have_the_tid_the_dscp_and_the_parameters_of_the_beacon() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("run");
    let options = Options { capture: Some(Settings::default()), ..Options::default() };
    let more = "wmm = { vi = { txop_limit = \"4096 us\" } }";
    let scenario = good(&scenario(1, "\"EF\"", "mac80211", more));
    run_to_bundle(&scenario, &out, &options, &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
    let air = out.join("air.pcapng");
    let Some(malformed) = tshark(&air, "_ws.malformed", &["frame.number"]) else {
        return;
    };
    assert!(malformed.is_empty(), "{} frames, the first {}", malformed.len(), malformed[0]);
    let tids = |filter: &str| {
        let mut tids = tshark(&air, filter, &["wlan.qos.tid", "ip.dsfield.dscp"]).unwrap_or_default();
        tids.sort();
        tids.dedup();
        tids
    };
    assert_eq!(tids("udp"), ["6\t46"]);
    assert_eq!(tids("tcp"), ["0\t0"]);
    // 802.11-2020 9.4.2.28: best effort, background, video with its limit in units of 32 us, voice.
    let beacons = tshark(&air, "wlan.fc.type_subtype == 8", &PARAMETERS);
    let beacons = beacons.unwrap_or_default();
    assert!(beacons.len() > 20 && beacons.iter().all(|told| told == "3,7,2,2\t0,0,128,47"), "{}", beacons[0]);
}
