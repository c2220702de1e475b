//! A call: small packets between the station and the access point, as a codec sends them, and how they arrive.

use crate::PROGRAM;
use rustix::net::sockopt;
use serde_json::{Value, json};
use std::io::Read;
use std::net::UdpSocket;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Fifty packets a second.
pub(crate) const SPEECH: Duration = Duration::from_millis(20);
/// Octets of a packet: 20 ms of speech at 24 kbit/s. Both ways, and with their headers, that is less than the guard's threshold for a
/// transfer.
const OCTETS: usize = 60;
/// Nobody who talks notices less.
const LATE: u128 = 60;
const NOBODY: u32 = 65534;
/// The DSCP of telephony, EF, in its octet.
const EXPEDITED: u8 = 46 << 2;
const STATION: &str = "10.9.0.2:4000";
const ACCESS_POINT: &str = "10.9.0.1:4000";

/// A call, until [`Call::end`].
pub(crate) struct Call([Child; 2]);

/// How the packets of a call arrived: of both directions the worse, and the sum of what is counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Arrivals {
    pub(crate) packets: u64,
    pub(crate) lost: u64,
    /// The longest time between two arrivals, in ms.
    pub(crate) longest: f64,
    /// Packets that came more than 60 ms after they were sent.
    pub(crate) late: u64,
    /// Times of more than 60 ms and of more than 100 ms between two arrivals.
    pub(crate) gaps: u64,
    pub(crate) long_gaps: u64,
}

impl Call {
    /// A packet each way each `each`.
    pub(crate) fn begin(each: Duration) -> Self {
        Self::with(Command::new(PROGRAM), each, 0)
    }

    /// The same by an ordinary user, who has so many other sockets open and then one that is marked as a call's.
    pub(crate) fn crowded(each: Duration, sockets: usize) -> Self {
        let mut station = Command::new("prlimit");
        station.args([&format!("--nofile={}", 2 * sockets), PROGRAM]).uid(NOBODY).gid(NOBODY);
        Self::with(station, each, sockets)
    }

    fn with(mut station: Command, each: Duration, sockets: usize) -> Self {
        let mut access_point = Command::new("ip");
        access_point.args(["netns", "exec", "ap", PROGRAM]);
        let begin = |command: &mut Command, ends: [&str; 2], sockets: usize| {
            command.arg("call").args(ends).args([each.as_millis().to_string(), sockets.to_string()]);
            let end = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
            end.expect("the guest has what it needs")
        };
        Self([
            begin(&mut station, [STATION, ACCESS_POINT], sockets),
            begin(&mut access_point, [ACCESS_POINT, STATION], 0),
        ])
    }

    /// Hangs up.
    pub(crate) fn end(mut self) -> Arrivals {
        self.0.iter_mut().for_each(|end| drop(end.stdin.take()));
        let mut all = Arrivals::default();
        for end in self.0 {
            let said = end.wait_with_output().map(|output| output.stdout).unwrap_or_default();
            let one: Value = serde_json::from_slice(&said).expect("both ends report");
            let count = |key: &str| one[key].as_u64().expect("a number");
            all.packets += count("packets");
            all.lost += count("lost");
            all.longest = all.longest.max(one["longest"].as_f64().expect("a number"));
            all.late += count("late");
            all.gaps += count("gaps");
            all.long_gaps += count("long_gaps");
        }
        all
    }
}

impl std::fmt::Display for Arrivals {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { packets, lost, longest, late, gaps, long_gaps } = self;
        write!(
            to,
            "of {packets} packets {late} late by more than {LATE} ms, {lost} lost; {gaps} gaps over {LATE} ms, {long_gaps} over 100 ms, \
             the longest of {longest:.0} ms"
        )
    }
}

/// One end of the call, until its standard input ends.
pub(crate) fn perform(local: &str, remote: &str, each: &str, sockets: &str) -> ExitCode {
    let each = Duration::from_millis(each.parse().expect("a number"));
    let others: Vec<_> =
        (0..sockets.parse().expect("a number")).map(|_| UdpSocket::bind("0.0.0.0:0")).collect();
    let socket = UdpSocket::bind(local).expect("the address is this host's");
    if !others.is_empty() {
        check_all(&others);
        sockopt::set_ip_tos(&socket, EXPEDITED).expect("anybody may");
    }
    socket.connect(remote).expect("it is an address");
    socket.set_read_timeout(Some(SPEECH * 5)).expect("it is not zero");
    let ended = Arc::new(AtomicBool::new(false));
    let (ends, sender) = (Arc::clone(&ended), socket.try_clone().expect("it is a socket"));
    thread::spawn(move || {
        drop((std::io::stdin().read_to_end(&mut Vec::new()), ends.store(true, Ordering::Relaxed)))
    });
    let hung_up = Arc::clone(&ended);
    let sending = thread::spawn(move || send(&sender, each, &hung_up));
    println!("{}", receive(&socket, &ended));
    let _ = sending.join();
    ExitCode::SUCCESS
}

fn check_all(sockets: &[std::io::Result<UdpSocket>]) {
    assert!(sockets.iter().all(Result::is_ok), "anybody may open so many");
}

fn send(socket: &UdpSocket, each: Duration, ended: &AtomicBool) {
    let began = Instant::now();
    for number in 0_u64.. {
        if ended.load(Ordering::Relaxed) {
            return;
        }
        let mut octets = [0; OCTETS];
        octets[..8].copy_from_slice(&number.to_le_bytes());
        octets[8..24].copy_from_slice(&now().as_nanos().to_le_bytes());
        // Until the other end listens there is nobody to hear it.
        let _ = socket.send(&octets);
        let due = each * u32::try_from(number + 1).expect("a call is no longer than two years");
        sleep(due.saturating_sub(began.elapsed()));
    }
}

/// Until half a second after the end: what is on its way arrives.
fn receive(socket: &UdpSocket, ended: &AtomicBool) -> Value {
    let (mut packets, mut first, mut next, mut late, mut gaps, mut long_gaps) = (0, 0, 0, 0, 0, 0);
    let (mut longest, mut last, mut over) = (0_u128, None, None);
    while over.is_none_or(|over: Instant| over.elapsed() < Duration::from_millis(500)) {
        if ended.load(Ordering::Relaxed) {
            over.get_or_insert_with(Instant::now);
        }
        let mut octets = [0; OCTETS];
        if socket.recv(&mut octets).ok() != Some(OCTETS) {
            continue;
        }
        let at = now();
        let number = u64::from_le_bytes(octets[..8].try_into().expect("eight octets"));
        let sent = u128::from_le_bytes(octets[8..24].try_into().expect("sixteen octets"));
        if packets == 0 {
            first = number;
        }
        packets += 1;
        next = next.max(number + 1);
        late += u64::from(at.as_nanos().saturating_sub(sent) > LATE * 1_000_000);
        if let Some(gap) = last.replace(at).map(|last| at.saturating_sub(last).as_micros()) {
            longest = longest.max(gap);
            gaps += u64::from(gap > LATE * 1000);
            long_gaps += u64::from(gap > 100_000);
        }
    }
    let longest =
        Duration::from_micros(u64::try_from(longest).expect("a call is shorter")).as_secs_f64() * 1e3;
    let lost = next - first - packets;
    json!({ "packets": packets, "lost": lost, "longest": longest, "late": late, "gaps": gaps, "long_gaps": long_gaps })
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
