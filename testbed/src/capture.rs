//! What the monitor interface hears, and of it the null frames of the station: when it announced sleep, and when it woke.

use airloom_wire::ieee80211::Frame;
use airloom_wire::radiotap::RadiotapRepr;
use std::io::Read;
use std::process::{ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// One trip off the channel: from the null frame with PM=1 to that with PM=0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trip {
    /// When it began, since the epoch.
    pub(crate) at: Duration,
    /// How long it took.
    pub(crate) took: Duration,
}

/// A capture that goes on.
#[derive(Clone)]
pub(crate) struct Capture(Arc<Mutex<Vec<Trip>>>);

impl Capture {
    /// Begins to capture what the station with this address sends.
    pub(crate) fn begin(station: &str) -> std::io::Result<Self> {
        let filter = format!("wlan addr2 {station} and (type data subtype null or type data subtype qos)");
        let mut heard = Heard::begin(&filter)?;
        let trips = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&trips);
        thread::spawn(move || {
            let mut left_at = None;
            while let Ok((at, power_management)) = null_frame(&mut heard) {
                if power_management {
                    left_at.get_or_insert(at);
                } else if let Some(left_at) = left_at.take() {
                    shared
                        .lock()
                        .expect("no panic")
                        .push(Trip { at: left_at, took: at.saturating_sub(left_at) });
                }
            }
        });
        Ok(Self(trips))
    }

    /// How many trips there were so far.
    pub(crate) fn count(&self) -> usize {
        self.0.lock().expect("no panic").len()
    }

    /// The trips from the `n`th on.
    pub(crate) fn since(&self, n: usize) -> Vec<Trip> {
        self.0.lock().expect("no panic")[n..].to_vec()
    }
}

/// The next null frame: its time, and its PM bit.
fn null_frame(heard: &mut Heard) -> std::io::Result<(Duration, bool)> {
    loop {
        let (at, octets) = heard.next()?;
        let frame = RadiotapRepr::parse(&octets).and_then(|(_, frame)| Frame::parse(frame));
        if let Ok(Frame::Data { header, .. }) = frame {
            return Ok((at, header.flags.power_management));
        }
    }
}

/// Packets of the monitor interface, as they come.
pub(crate) struct Heard(ChildStdout);

impl Heard {
    /// Begins to capture what a filter of libpcap lets through.
    pub(crate) fn begin(filter: &str) -> std::io::Result<Self> {
        let mut tcpdump = Command::new("tcpdump")
            .args(["-i", "hwsim0", "--immediate-mode", "-U", "-s", "512", "-w", "-", filter])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut pipe = tcpdump.stdout.take().ok_or(std::io::ErrorKind::BrokenPipe)?;
        // tcpdump writes the file's header when it is ready.
        let mut header = [0; 24];
        pipe.read_exact(&mut header)?;
        Ok(Self(pipe))
    }

    /// Waits for the next one: when it came, since the epoch, and its octets.
    pub(crate) fn next(&mut self) -> std::io::Result<(Duration, Vec<u8>)> {
        let mut header = [0; 16];
        self.0.read_exact(&mut header)?;
        let word = |n: usize| u32::from_le_bytes(header[4 * n..4 * n + 4].try_into().expect("four octets"));
        let mut octets = vec![0; word(2) as usize];
        self.0.read_exact(&mut octets)?;
        Ok((Duration::from_secs(u64::from(word(0))) + Duration::from_micros(u64::from(word(1))), octets))
    }
}

/// Trips in groups, one for each scan: within a scan they are closer than this.
pub(crate) fn scans(trips: &[Trip]) -> Vec<Vec<Trip>> {
    let close = Duration::from_millis(2500);
    let mut scans: Vec<Vec<Trip>> = Vec::new();
    for trip in trips {
        match scans.last_mut() {
            Some(scan)
                if scan.last().is_some_and(|last| trip.at.saturating_sub(last.at + last.took) < close) =>
            {
                scan.push(*trip);
            }
            _ => scans.push(vec![*trip]),
        }
    }
    scans
}
