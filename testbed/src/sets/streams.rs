//! Walks from one access point to another with a TCP connection: how long its receiver waits for data, in scans and roams and otherwise.

use super::roams::{Daemon, MANAGERS, OUT, Seen, WALKS, marks, points_down, points_up, steps, up, walk};
use crate::PROGRAM;
use crate::check::{expect, run, s, write};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread::{self, sleep};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The behind of the access points.
const SERVER: &str = "10.9.0.1:7";
/// Of both access points and the station what tells when it goes.
const FRAMES: &str = "type mgt and not type mgt subtype beacon";
/// What the daemons did on the same walks with datagrams: of each the second and the levels of its scans, after the last of which it goes.
const DONE: &str = include_str!("../../../tests/beside_daemons/daemons.txt");
/// The first walk, of the fastest three: what the others would add is the same, and as much work.
const FIRST: usize = 8;
/// So many seconds before that the connection begins: what it carries is work for the machine.
const BEFORE: u64 = 3;
/// The walk ends so many seconds behind that.
const AFTER: u64 = 10;
/// An application writes two segments each time: 5.5 Mbit/s.
const WRITE: [u8; 2896] = [0; 2896];
const EVERY: Duration = Duration::from_micros(4200);
/// Shorter waits are not told.
const LEAST: Duration = Duration::from_millis(20);
pub(crate) fn checks() {
    up();
    thread::spawn(|| run(&format!("ip netns exec ap {PROGRAM} streams")));
    for (daemon, fast) in MANAGERS {
        points_up(fast);
        let name = daemon.called(fast);
        for way in ["down", "up"] {
            walks(&daemon, fast, way, &format!("{name}.{way}"));
        }
        points_down();
    }
    super::hand_out(OUT);
}

/// All walks of a daemon, with connections this way; what is seen of them is in files of this name.
fn walks(daemon: &Daemon, fast: bool, way: &'static str, name: &str) {
    let waits = format!("{OUT}/{name}.waits");
    write(&waits, "");
    let called = daemon.called(fast);
    let seen = Seen::begin(name, FRAMES);
    let began = WALKS.lines().zip(goes(&called)).skip(FIRST - 1).map(|(line, goes)| {
        let (mut steps, waits) = (steps(line), waits.clone());
        steps.truncate((goes + AFTER) as usize);
        walk(daemon, fast, &steps, || Later::begin(goes - BEFORE, way, waits))
    });
    write(&format!("{OUT}/{name}.began"), &marks(began));
    seen.end();
}

/// In which second of each walk a daemon begins the scan after which it goes.
fn goes(daemon: &str) -> impl Iterator<Item = u64> {
    let rows = DONE.lines().filter(move |row| row.split('\t').next() == Some(daemon));
    rows.map(|row| {
        let last = row.split('\t').nth(2).and_then(|scans| scans.rsplit(' ').next());
        let second = last.and_then(|scan| scan.split(':').next()?.parse().ok());
        second.expect("a row has scans")
    })
}

/// A connection that begins in so many seconds, until this is dropped.
struct Later(Option<thread::JoinHandle<Stream>>);

impl Later {
    fn begin(seconds: u64, way: &'static str, waits: String) -> Self {
        Self(Some(thread::spawn(move || {
            sleep(s(seconds));
            Stream::begin(way, &waits)
        })))
    }
}

impl Drop for Later {
    fn drop(&mut self) {
        let _ = self.0.take().map(thread::JoinHandle::join);
    }
}

/// A connection of the station, until it is dropped.
struct Stream(TcpStream);

impl Stream {
    /// Begins one on which the station receives (`down`) or sends (`up`); its receiver notes what it waits in a file.
    fn begin(way: &str, waits: &str) -> Self {
        let mut found = None;
        expect("the station reaches the server", s(20), || {
            found = TcpStream::connect(SERVER).ok();
            found.is_some()
        });
        let mut stream = found.expect("it was waited for");
        let _ = writeln!(stream, "{way} {waits}");
        let (own, waits) = (stream.try_clone().expect("a socket may be shared"), waits.to_owned());
        if way == "down" {
            thread::spawn(move || take_in(own, &waits));
        } else {
            thread::spawn(move || pour(own));
        }
        Self(stream)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

/// Serves connections; the first line of each says who sends, and where its receiver notes what it waits.
pub(crate) fn serve() {
    let listener = TcpListener::bind(SERVER).expect("the access point has its address");
    for stream in listener.incoming().flatten() {
        thread::spawn(move || {
            let mut line = String::new();
            let mut reader = BufReader::with_capacity(1, &stream);
            if reader.read_line(&mut line).is_err() {
                return;
            }
            match line.trim().split_once(' ') {
                Some(("down", _)) => pour(stream),
                Some((_, waits)) => take_in(stream, waits),
                None => {}
            }
        });
    }
}

/// Writes until nobody reads any more.
fn pour(mut stream: TcpStream) {
    let _ = stream.set_nodelay(true);
    while stream.write_all(&WRITE).is_ok() {
        sleep(EVERY);
    }
}

/// Reads, and appends each wait to a file: when it began, since the epoch, and how long it was, in ms.
fn take_in(mut stream: TcpStream, waits: &str) {
    let Ok(mut file) = File::options().append(true).open(waits) else { return };
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (mut octets, mut last) = (vec![0; 65_536], now());
    while stream.read(&mut octets).is_ok_and(|n| n > 0) {
        let wait = now() - last;
        if wait >= LEAST {
            let ms = wait.as_secs_f64() * 1e3;
            let _ = writeln!(file, "{}.{:06} {ms:.1}", last.as_secs(), last.subsec_micros());
        }
        last = now();
    }
}
