//! What other tools have and users look for: keys that belong elsewhere, or to what is not supported yet, each with what
//! serves today; and words for keys that are called otherwise here.

/// The key of a scenario that a user may mean by another word: for `bandwidth` it is `rate`.
pub(crate) fn synonym(key: &str) -> Option<&'static str> {
    Some(match key {
        "bandwidth" | "bitrate" | "throughput" => "rate",
        "latency" => "delay",
        "protocol" | "type" => "kind",
        "source" | "src" | "sender" => "from",
        "destination" | "dst" | "dest" | "receiver" => "to",
        "begin" => "start",
        "end" => "stop",
        "size" | "volume" => "bytes",
        "cc" | "congestion_control" => "congestion",
        "signal" | "rssi" => "snr",
        "driver" | "card" | "nic" | "radio" => "adapter",
        "os" | "kernel" => "host",
        "channel_width" => "width",
        "qdisc" => "queue",
        _ => return None,
    })
}

/// The way that there is for QUIC.
pub(crate) const QUIC: &str = "`airloom shell` runs real QUIC over the same air: kind = \"command\" with its `command`; here there are TCP, UDP and ping";

/// How radios have places and stations move.
const MOVING: &str = "every radio may have a `position`, as [\"2 m\", \"0 m\"], and a station that moves a `walk`, as { from = [\"2 m\", \
                      \"0 m\"], to = [\"9 m\", \"0 m\"], speed = \"1.4 m/s\" }, or a `path`; a signal that changes slowly is \
                      `slow_fading` of the air";

/// What serves in place of something that is not supported, by the keys that users look for.
const SERVES: &[(&[&str], &str)] = &[
    (
        &["ac", "dscp", "tos", "access_category", "priority"],
        "a flow has a category by its `dscp`, such as dscp = \"EF\" for voice",
    ),
    (
        &["edca", "wmm", "txop", "txop_limit"],
        "an access point says how categories contend: `edca` is its own way, `wmm` that of its stations, such as \
             wmm = { vo = { txop_limit = \"0 s\" } }",
    ),
    (&["mobility", "speed", "velocity", "x", "y", "trajectory", "waypoints"], MOVING),
    (
        &["trace", "snr_trace", "rssi_trace", "signal_trace", "csi"],
        "a recorded signal is the `snr` of a station, as in snr = { trace = \"walk.csv\" }; others follow from a `walk` or a `path` on a plan, where \
             every radio has a `position`, or from `slow_fading`, `fading` and `outages` of the air",
    ),
    (
        &[
            "roam",
            "roaming",
            "handover",
            "handoff",
            "bgscan",
            "ft",
            "ft_over_ds",
            "ieee80211r",
            "mobility_domain",
            "okc",
            "RoamThreshold",
            "RoamThreshold5G",
        ],
        "a station goes to another access point of its network by its `roam`, as roam = \"wpa_supplicant\"; access points of a network have \
             the same `ssid`, and those between which stations go by 802.11r ft = true",
    ),
    (
        &[
            "steering",
            "usteer",
            "dawn",
            "bss_transition",
            "btm",
            "ieee80211v",
            "min_snr",
            "mbo",
            "roam_scan_snr",
            "roam_trigger_snr",
            "signal_diff_threshold",
            "wnm",
        ],
        "an access point asks stations to go to a better one by its `steer`, such as steer = { below = \"-70 dBm\", better_by = \"8 dB\" }; \
             what a station makes of that is `steered` of its `roam`",
    ),
    (
        &[
            "ieee80211k",
            "rrm",
            "rrm_beacon_report",
            "neighbor_report",
            "neighbour_report",
            "neighbor_reports",
            "neighbour_reports",
        ],
        "an access point names the others of its network to stations that ask (802.11k) by rrm_neighbor_report = true; \
             stations are not asked for measurements",
    ),
    (
        &[
            "htmode",
            "hw_mode",
            "ieee80211n",
            "ieee80211ac",
            "ieee80211ax",
            "ieee80211be",
            "vht_oper_chwidth",
            "he_oper_chwidth",
            "eht_oper_chwidth",
        ],
        "the air, or an access point of its own, has a `standard` and a `width`, as standard = \"802.11ac\", width = \"80 MHz\"",
    ),
    (
        &["neighbour", "neighbor", "neighbours", "neighbors", "obss", "bss"],
        "a neighbour's network is a further [[ap]], each with a `channel`, with stations that name it (`ap`) and flows of their own; or \
             by itself an [[interferer]] of kind = \"neighbour\" with a `channel` and an `occupancy`",
    ),
    (
        &["interference", "jammer", "bluetooth", "microwave", "occupancy"],
        "what else is on the air is an [[interferer]] of kind = \"bluetooth\", \"microwave\" or \"neighbour\"; noise that comes and goes is \
             `outages` of the air",
    ),
    (
        &["ofdma", "mu_mimo", "mumimo", "mu", "ru", "beamforming", "sounding", "bss_color", "spatial_reuse"],
        "not supported yet: a PPDU is for one user and fills the channel, as docs/limitations.md says",
    ),
    (
        &["mlo", "mld", "mld_ap", "multilink", "emlsr", "mlsr", "str", "nstr"],
        "an access point of 802.11be has `links`, and a station that uses several of them `multi_link`, as docs/multi-link.md says",
    ),
    (
        &["punctured", "puncture", "puncturing", "static_puncture", "punct_bitmap", "ru_punct_bitmap"],
        "no channel is punctured yet; `airloom airtime --standard 802.11be --punctured 40` says what that does to a PPDU",
    ),
    (
        &["he_6ghz_max_ampdu_len_exp", "max_ampdu_len_exp", "ampdu_exponent", "ampdu_length_exponent"],
        "how long an A-MPDU an access point says it receives is `ampdu_receive_bytes` of its adapter, 2^(13 + n) - 1 octets for an exponent n: \
             \"8191 B\" for 0, \"65535 B\" for 3, \"1048575 B\" for 7",
    ),
    (
        &["twt", "target_wake_time"],
        "not supported yet; stations that doze by beacons, with U-APSD or without, are `power_save`",
    ),
    (
        &["l4s", "prague", "accecn", "accurate_ecn", "dualpi2", "dualq"],
        "L4S is not supported yet: TCP has ECN as RFC 3168 has it (`ecn` of a station's or a server's `host`), queues that mark have `ecn` too; `airloom shell` \
             gives programs what this machine's kernel has",
    ),
    (
        &["multicast", "broadcast", "igmp", "mdns"],
        "a flow of kind = \"publish\" sends each datagram once to all stations of a group; nothing else is sent to groups",
    ),
    (&["dtim"], "an access point has a `dtim_period`"),
    (
        &["antennas", "spatial_streams", "nss"],
        "an adapter has `streams`, such as adapter = { profile = \"edca-ax\", streams = 2 }",
    ),
    (
        &["axis", "sample", "scenario"],
        "it belongs to a grid, a file of its own that names its scenario: `airloom new sweep` writes one",
    ),
    (
        &["tx_power", "txpower", "TxPower", "power", "antenna_gain"],
        "an adapter has `tx_power`, `antenna_gain` and `noise_figure`, such as adapter = { profile = \"ath9k\", tx_power = \"20 dBm\" }",
    ),
    (
        &["amsdu", "a_msdu"],
        "an adapter puts up to `amsdu_frames` packets into an MPDU, of `mpdu_bytes` at most",
    ),
    (
        &["aql", "airtime_queue_limit", "airtime"],
        "airtime queue limits are `aql` of an adapter that pulls ahead, such as \"ath10k\", and \
             queue = { discipline = \"mac80211\" } shares air time",
    ),
    (
        &["channel", "frequency", "primary"],
        "an access point has a `channel`, such as 36; `band` and `width` of the air say which there are",
    ),
    (&["ssid"], "an access point has an `ssid`, by which its beacons go"),
    (&["bssid", "security", "mac", "ip", "address"], "nothing here depends on it: leave it out"),
    (
        &["window", "rwnd", "rwin", "receive_window", "receive_buffer", "rcvbuf", "tcp_rmem"],
        "a host takes as much as its buffers: `receive_buffer_initial` at first and `receive_buffer_max` at most, as host = { profile = \"linux-6.18\", \
             receive_buffer_initial = \"64 KiB\", receive_buffer_max = \"64 KiB\" }",
    ),
    (
        &["send_buffer", "sndbuf", "tcp_wmem"],
        "a host holds as much to be sent as its buffers: `send_buffer_initial` at first and `send_buffer_max` at most",
    ),
    (&["mtu"], "write `mss`, in a host or in `tcp` of a flow: the MTU less 40 bytes"),
    (
        &["loss", "packet_loss", "per", "ber", "jitter"],
        "losses happen: on the air by `snr` or `distance`, in queues by their limits; a server's `link` has its own, as loss = 0.01 and \
             late = { share = 0.01, by = \"20 ms\" }",
    ),
];

/// What to do about a key, such as `flow.ofdma`, that no table has: another key, or what serves today.
pub fn serves_for(path: &str) -> Option<String> {
    let (table, last) = path.rsplit_once('.').unwrap_or(("", path));
    let found = match table.rsplit('.').next() {
        Some("ap") => of_access_point(last),
        Some("station") => of_station(last),
        Some("flow") => of_flow(last),
        Some("link") => of_link(last),
        Some("wall") => of_wall(last),
        Some("air") => of_air(last),
        _ => serves(last),
    }?;
    Some(if found.contains(' ') { found.to_owned() } else { format!("did you mean `{table}.{found}`?") })
}

/// What serves in place of something that is not supported, by its key.
pub(crate) fn serves(key: &str) -> Option<&'static str> {
    SERVES.iter().find(|(keys, _)| keys.contains(&key)).map(|(_, hint)| *hint)
}

/// A key that is not known here: the key that is meant, or what serves today.
pub(crate) fn key(key: &str) -> Option<&'static str> {
    synonym(key).or_else(|| serves(key))
}

/// The same at the top of a file, where its tables have other names elsewhere.
pub(crate) fn of_file(key: &str) -> Option<&'static str> {
    match key {
        "access_point" | "access_points" | "accesspoint" | "router" => Some("ap"),
        "client" | "clients" | "sta" | "stas" => Some("station"),
        "sim_time" | "simulation_time" | "runtime" | "length" => Some("duration"),
        "walls" => Some(WALL),
        "link" | "wire" | "ethernet" => {
            Some("a [[server]] has a `link`, as link = { rate = \"1 Gbit/s\", delay = \"5 ms\" }")
        }
        _ => self::key(key),
    }
}

/// The same in the air, whose bandwidth is its width.
pub(crate) fn of_air(key: &str) -> Option<&'static str> {
    match key {
        "bandwidth" => Some("width"),
        _ => self::key(key),
    }
}

/// The same in an access point, which has a channel of its own.
pub(crate) fn of_access_point(key: &str) -> Option<&'static str> {
    match key {
        "frequency" | "primary" => Some("channel"),
        "bandwidth" => Some("width"),
        "count" => Some(
            "each access point is an [[ap]] of its own in the file, with a `name` and a `channel`; a station names its own by `ap`, as in \
             examples/two-networks.toml",
        ),
        "switches" | "channel_switch" | "chan_switch" | "switch_channel" | "csa" => Some("switch"),
        "late" => serves("loss"),
        "distance" => Some(
            "a station has the `distance` to its access point; where radios have places on a plan, each has a `position`, as [\"2 m\", \"0 m\"]",
        ),
        _ => of_what_stays(key),
    }
}

/// The same in a switch to another channel.
pub(crate) fn of_switch(key: &str) -> Option<&'static str> {
    match key {
        "from" | "time" | "start" => Some("at"),
        "to" => Some("channel"),
        "cs_count" | "beacons" | "bcn_count" => Some("count"),
        "band" | "width" | "standard" => Some(
            "not supported yet: an access point that goes to another channel keeps its band and its width",
        ),
        "mode" | "block_tx" | "blocktx" => Some(
            "not supported yet: the announcement has mode 0, by which stations may send until they go, as hostapd's without `blocktx`",
        ),
        _ => self::key(key),
    }
}

/// The same in what has one place.
pub(crate) fn of_what_stays(key: &str) -> Option<&'static str> {
    match key {
        "walk" | "path" => {
            Some("stations alone walk: what stays where it is has a `position`, as [\"2 m\", \"0 m\"]")
        }
        _ => self::key(key),
    }
}

/// How a wall is written.
const WALL: &str =
    "a wall is [[wall]] with from = [\"2 m\", \"0 m\"], to = [\"2 m\", \"5 m\"] and material = \"light\"";

/// The same in a wall.
pub(crate) fn of_wall(key: &str) -> Option<&'static str> {
    match key {
        "loss" | "attenuation" | "thickness" => Some(
            "a wall takes what its `material` takes: \"light\" 3.4 dB, \"heavy\" 6.9 dB, \"concrete\" 25.7 dB",
        ),
        "start" | "begin" => Some("from"),
        "end" | "stop" => Some("to"),
        _ => self::key(key),
    }
}

/// The same in a station.
pub(crate) fn of_station(key: &str) -> Option<&'static str> {
    match key {
        "wall_loss" | "wall" | "obstacle" | "obstacles" => Some(
            "beside a `distance`, `walls` counts the walls in between; where radios have a `position`, each wall is a [[wall]]",
        ),
        "late" => serves("loss"),
        _ => self::key(key),
    }
}

/// The same in a walk, which begins as the run does.
pub(crate) fn of_walk(key: &str) -> Option<&'static str> {
    match key {
        "start" | "begin" | "at" | "time" | "delay" | "stop" | "end" | "duration" => Some(
            "a `walk` begins with the run: in its place write a `path`, which has times, as path = [{ at = \"5 s\", position = [\"2 m\", \"0 m\"] }, \
             { at = \"10 s\", position = [\"9 m\", \"0 m\"] }]",
        ),
        _ => self::key(key),
    }
}

/// The same in a wired link.
pub(crate) fn of_link(key: &str) -> Option<&'static str> {
    Some(match key {
        "speed" => "rate",
        "packet_loss" | "per" => "loss",
        "jitter" | "reorder" | "reordering" => "late",
        "trace" | "rate_trace" | "mahimahi" => {
            "a rate that changes is `rate`, as in rate = { trace = \"lte.csv\" } (docs/traces.md)"
        }
        _ => return self::key(key),
    })
}

/// The same in a flow, whose changes of TCP are in a table of their own.
pub(crate) fn of_flow(key: &str) -> Option<&'static str> {
    match key {
        "congestion" | "cc" | "congestion_control" => {
            Some("write it into `tcp`, as in tcp = { congestion = \"cubic\" }")
        }
        "direction" | "uplink" | "downlink" => Some("a flow goes `from` one host `to` another"),
        "duration" => Some("a flow goes on until `stop`, an instant of the run, or until `bytes` are sent"),
        "speed" | "throughput" => Some("`rate` is that of kind = \"udp\"; TCP finds its own"),
        "ac" | "tos" | "access_category" | "category" | "priority" | "qos" | "voice" | "video" => {
            Some("write `dscp`, such as dscp = \"EF\" for voice")
        }
        "trace" | "pcap" | "replay" => Some(
            "what was recorded is `traffic`, as in traffic = { trace = \"game.csv\" } (docs/traces.md); under `airloom shell` any program sends over the same air",
        ),
        "protocol" | "transport" | "proto" => Some(
            "what a flow carries is its `kind`: \"tcp\", \"udp\" or \"ping\"; QUIC and all that is a program of its own goes over the same air under \
             `airloom shell`: kind = \"command\" with its `command`",
        ),
        "quic" | "http3" | "h3" => Some(QUIC),
        "mss" | "initial_window" => Some("write it into `tcp`, as in tcp = { mss = \"1000 B\" }"),
        _ => self::key(key),
    }
}
