//! Whether TCP's buffers are large enough.

use super::{Check, Judgement, Of, unconnected, usb_bus};
use crate::finding::{Wrong, evidence};
use crate::snapshot::Snapshot;

/// Buffers that are too small for the link.
pub(super) const CHECK: Check = Check {
    code: "D402",
    name: "TCP's buffers are smaller than the link",
    finds: "three fifths of the third number of tcp_rmem, or two thirds of that of tcp_wmem, are less than seven tenths of the link's rate, \
            or all that a USB bus carries, bring in 50 ms; the rest of a buffer goes to the kernel's own needs. The page says how much that costs, also where the number \
            is Linux's own: 6 MiB are enough for 604 Mbit/s down, and 4 MiB for 447 up.",
    source: "net/ipv4/tcp_input.c, tcp_win_from_space: half of a buffer is window with tcp_adv_win_scale 1, and since Linux 6.6 what data \
             took of it lately, three fifths as measured over 50 ms with 6.18; net/core/stream.c, sk_stream_write_space: a writer goes on \
             once a third is free, and was measured to have two thirds in flight. net/ipv4/tcp.c, tcp_init sets 6 MiB (32 MiB since Linux \
             6.16) and 4 MiB, less where memory is short",
    of: Of::Machine,
    judge,
};

/// A round trip to a server of another country, in s.
const ROUND_TRIP_S: f64 = 0.05;
/// What TCP gets of a rate on the air at best.
const OF_THE_AIR: f64 = 0.7;
/// The fastest rate that 802.11be has, of 16 streams in 320 MHz, in Mbit/s.
const FASTEST_MBPS: f64 = 46_120.0;

/// A buffer of TCP's.
struct Buffer {
    name: &'static str,
    /// What Linux sets where there is memory enough: at least, at first, at most.
    kernels: [u64; 3],
    /// What it holds back.
    way: &'static str,
    /// What a connection has in flight of it.
    part: f64,
}

const BUFFERS: [Buffer; 2] = [
    Buffer { name: "tcp_rmem", kernels: [4096, 131_072, 6 << 20], way: "download", part: 0.6 },
    Buffer { name: "tcp_wmem", kernels: [4096, 16_384, 4 << 20], way: "upload", part: 2.0 / 3.0 },
];

/// A station's way to its access point, in Mbit/s.
struct Link {
    /// The rate on the air.
    air: f64,
    /// What a USB bus carries, where the radio is behind one that may bound it.
    bus: Option<f64>,
}

impl Link {
    /// What TCP could have of it.
    fn of_tcp(&self) -> f64 {
        self.of_the_air().min(self.bus.unwrap_or(f64::INFINITY))
    }

    fn of_the_air(&self) -> f64 {
        OF_THE_AIR * self.air.min(FASTEST_MBPS)
    }

    fn bus_bounds(&self) -> bool {
        self.of_tcp() < self.of_the_air()
    }
}

fn judge(snapshot: &Snapshot, said: &mut Judgement) {
    let links = snapshot.stations().map(|(interface, peer)| Link {
        air: [&peer.sends_at, &peer.receives_at]
            .into_iter()
            .flatten()
            .fold(0.0, |most, speed| speed.mbps.max(most)),
        bus: snapshot.radio_of(interface).and_then(usb_bus::most),
    });
    let fastest = links.max_by(|one, other| one.of_tcp().total_cmp(&other.of_tcp()));
    let Some(link) = fastest.filter(|link| link.air > 0.0) else {
        if let Some(because) = unconnected(snapshot) {
            said.cannot(because);
        } else if snapshot.stations().next().is_some() {
            said.cannot(snapshot.unread("the rate of the link"));
        }
        return;
    };
    for buffer in BUFFERS {
        let name = buffer.name;
        let value = snapshot.settings.get(&format!("ipv4/{name}")).map_or("", String::as_str);
        let now: Vec<u64> = value.split_whitespace().map_while(|word| word.parse().ok()).collect();
        let [least, first, most] = now[..] else {
            said.cannot(if value.is_empty() {
                snapshot.unread(name)
            } else {
                format!("{name} = {value:?} is not three numbers")
            });
            continue;
        };
        let has = buffer.part * most as f64 * 8.0 / ROUND_TRIP_S / 1e6;
        if has < link.of_tcp() {
            said.finds(wrong(&buffer, [least, first, most], &link, has));
        }
    }
}

/// What is wrong with a buffer of these sizes in octets, with which TCP has this much in Mbit/s.
fn wrong(buffer: &Buffer, [least, first, most]: [u64; 3], link: &Link, has: f64) -> Wrong {
    let &Buffer { name, kernels, way, part } = buffer;
    let (could, way_on) = (link.of_tcp(), if link.bus_bounds() { "bus" } else { "air" });
    let of_bus = if link.bus_bounds() { " over its USB bus" } else { "" };
    let enough = could * 1e6 / 8.0 * ROUND_TRIP_S / part;
    let enough = (enough.ceil() as u64).next_power_of_two().max(kernels[2]);
    let set = format!("{} {} {enough}", least.max(kernels[0]), first.max(kernels[1]));
    let spared_ms = (ROUND_TRIP_S * 1e3 * has / could).floor();
    let spared = if spared_ms >= 1.0 {
        format!(" Round trips below {spared_ms:.0} ms lose nothing.")
    } else {
        String::new()
    };
    let own = if most >= kernels[2] {
        " It is as much as Linux sets by itself, which is for slower links."
    } else {
        ""
    };
    Wrong {
        subject: name.to_owned(),
        evidence: vec![
            evidence(format!("{name} = {least} {first} {most}"), format!("/proc/sys/net/ipv4/{name}")),
            evidence(
                format!("the link has {:.0} Mbit/s, of which TCP gets {could:.1} at best{of_bus}", link.air),
                "nl80211, GET_STATION",
            ),
        ],
        why: format!(
            "One {way} over a round trip of 50 ms has about {has:.1} Mbit/s, so {:.1} are lost where the rest of the way is as fast \
                 as the {way_on}, and more while the radio pauses.{spared}{own}",
            could - has
        ),
        command: format!("sudo sysctl net.ipv4.{name}=\"{set}\""),
        keep: Some(format!("echo 'net.ipv4.{name}={set}' | sudo tee /etc/sysctl.d/90-{name}.conf")),
        advice: Some(format!(
            "a busy connection may then take {} MiB of memory; if the old value comes back: grep -rl {name} /etc/sysctl.conf \
                 /etc/sysctl.d",
            enough >> 20
        )),
        ..Wrong::default()
    }
}
