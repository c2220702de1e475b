//! When the radio was away: mac80211 stops its queues before it announces that it leaves the channel, and wakes them after
//! it has announced its return (net/mac80211/offchannel.c). Both are trace points, so the times are the kernel's own, and
//! so is the start of a scan: its first trip may be over before a program has heard of the scan, for a station with
//! something to send returns at once (`ieee80211_scan_state_decision`).
//!
//! The trace is an instance of its own, which changes nothing for others and is taken down at the end. It is root's, and
//! drivers whose firmware scans do not show in it.

use airloom_sim::Duration;
use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

const INSTANCES: &str = "/sys/kernel/tracing/instances";
/// What an instance's name begins with; the process that made it follows.
const PREFIX: &str = "airloom-guard-";
/// `IEEE80211_QUEUE_STOP_REASON_OFFCHANNEL` (net/mac80211/ieee80211_i.h).
const OFFCHANNEL: u32 = 6;
/// `O_NONBLOCK` on Linux, wherever this runs.
const NONBLOCK: i32 = 0o4000;

/// The trace.
pub(crate) struct Trips {
    instance: PathBuf,
    pipe: Option<File>,
    /// What has been read of a line.
    rest: String,
    left_at: Option<f64>,
    /// Those of the last scan that began, as far as they are completed and not yet given away.
    complete: Vec<Duration>,
}

impl Trips {
    /// Begins to trace the radio of this interface.
    pub(crate) fn open(interface: &str) -> Result<Self, String> {
        let radio = fs::read_to_string(format!("/sys/class/net/{interface}/phy80211/name"))
            .map_err(|_| format!("`{interface}` is no Wi-Fi interface"))?;
        clear(Path::new(INSTANCES), Path::new("/proc"));
        let instance = Path::new(INSTANCES).join(format!("{PREFIX}{}", std::process::id()));
        let refused = |e| {
            format!(
                "time away from the channel cannot be measured ({}: {e}); run it as root",
                instance.display()
            )
        };
        fs::create_dir(&instance).map_err(refused)?;
        let mut trips = Self {
            instance: instance.clone(),
            pipe: None,
            rest: String::new(),
            left_at: None,
            complete: Vec::new(),
        };
        trips.begin(radio.trim_end()).map_err(refused)?;
        Ok(trips)
    }

    fn begin(&mut self, radio: &str) -> std::io::Result<()> {
        fs::write(self.instance.join("trace_clock"), "mono")?;
        let radio = format!("wiphy_name == \"{radio}\"");
        let queue = format!("{radio} && queue == 0 && reason == {OFFCHANNEL}");
        for (event, filter) in [("drv_sw_scan_start", &radio), ("stop_queue", &queue), ("wake_queue", &queue)]
        {
            let event = self.instance.join("events/mac80211").join(event);
            fs::write(event.join("filter"), filter)?;
            fs::write(event.join("enable"), "1")?;
        }
        let mut options = OpenOptions::new();
        let options = options.read(true).custom_flags(NONBLOCK);
        self.pipe = Some(options.open(self.instance.join("trace_pipe"))?);
        Ok(())
    }

    /// How long each trip took that was completed since the last call, or since the last scan began if that is later.
    pub(crate) fn complete(&mut self) -> Vec<Duration> {
        let mut octets = [0; 4096];
        while let Some(n) = self.pipe.as_mut().and_then(|pipe| pipe.read(&mut octets).ok()).filter(|n| *n > 0)
        {
            self.rest.push_str(&String::from_utf8_lossy(&octets[..n]));
        }
        let whole = self.rest.rfind('\n').map_or(0, |at| at + 1);
        let lines: String = self.rest.drain(..whole).collect();
        for line in lines.lines() {
            self.line(line);
        }
        std::mem::take(&mut self.complete)
    }

    /// A line such as `kworker/u2:1-26 [000] ..... 12.345678: stop_queue: phy0 queue:0, reason:6`.
    fn line(&mut self, line: &str) -> Option<()> {
        let (head, event) = line.split_once(": ").filter(|(head, _)| head.contains('.'))?;
        let at: f64 = head.rsplit(' ').next()?.parse().ok()?;
        match event.split_once(':')?.0 {
            "drv_sw_scan_start" => (self.left_at, self.complete) = (None, Vec::new()),
            "stop_queue" => _ = self.left_at.get_or_insert(at),
            "wake_queue" => {
                let took = at - self.left_at.take()?;
                self.complete.push(Duration::from_secs_f64(took.max(0.0)));
            }
            _ => {}
        }
        Some(())
    }
}

/// Takes down what predecessors left that were killed: a trace goes on without a reader.
fn clear(instances: &Path, processes: &Path) {
    for entry in fs::read_dir(instances).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(process) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
        let own = process == std::process::id().to_string();
        let maker = fs::read_to_string(processes.join(process).join("comm")).unwrap_or_default();
        if own || maker.trim_end() != "airloom-guard" {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

impl Drop for Trips {
    fn drop(&mut self) {
        // The kernel keeps an instance that is being read.
        drop(self.pipe.take());
        let _ = fs::remove_dir(&self.instance);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trace of these lines.
    fn trace(lines: &str) -> Trips {
        let (instance, rest) = (PathBuf::from("/nonexistent"), lines.to_owned());
        Trips { instance, pipe: None, rest, left_at: None, complete: Vec::new() }
    }

    #[test]
    fn a_trip_lasts_from_the_stopped_queue_to_the_woken_one() {
        let mut trips = trace(
            "\
   kworker/u2:1-26      [000] ..... 12.000000: wake_queue: phy0 queue:0, reason:6
   kworker/u2:1-26      [000] ..... 12.500000: stop_queue: phy0 queue:0, reason:6
   kworker/u2:1-26      [000] ..... 12.562000: wake_queue: phy0 queue:0, reason:6
CPU:0 [LOST 3 EVENTS]
   kworker/u2:1-26      [000] ..... 13.000000: stop_queue: phy0 queue:0, reason:6
   kworker/u2:1-26      [000] ..... 13.128000: wake_q",
        );
        assert_eq!(trips.complete(), [Duration::from_millis(62)]);
        trips.rest.push_str("ueue: phy0 queue:0, reason:6\n");
        let trip = trips.complete()[0];
        assert_eq!((trip.as_micros() + 500) / 1000, 128);
    }

    #[test]
    fn a_scan_has_the_trips_since_its_start_however_short_and_no_others() {
        let mut trips = trace(
            "\
   kworker/u2:1-26      [000] ..... 12.500000: stop_queue: phy0 queue:0, reason:6
   kworker/u2:1-26      [000] ..... 12.562000: wake_queue: phy0 queue:0, reason:6
   wpa_supplicant-412   [000] ..... 35.960500: drv_sw_scan_start: phy0 vif:wlan0(2), addr:02:00:00:00:00:00
   wpa_supplicant-412   [000] ..... 35.960600: stop_queue: phy0 queue:0, reason:6
   kworker/u2:1-26      [000] ..... 35.961100: wake_queue: phy0 queue:0, reason:6
   kworker/u2:1-26      [000] ..... 36.162900: stop_queue: phy0 queue:0, reason:6
   kworker/u2:1-26      [000] ..... 36.226900: wake_queue: phy0 queue:0, reason:6
",
        );
        let took: Vec<_> = trips.complete().iter().map(|trip| (trip.as_micros() + 50) / 100).collect();
        assert_eq!(took, [5, 640]);
        assert_eq!(trips.complete(), []);
    }

    #[test]
    fn what_the_killed_left_is_taken_down_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let (instances, processes) = (folder.path().join("instances"), folder.path().join("proc"));
        let own = format!("{PREFIX}{}", std::process::id());
        for name in ["airloom-guard-7", "airloom-guard-8", "airloom-guard-9", &own, "perf"] {
            fs::create_dir_all(instances.join(name)).unwrap();
        }
        for (process, name) in [("8", "airloom-guard\n"), ("9", "bash\n")] {
            fs::create_dir_all(processes.join(process)).unwrap();
            fs::write(processes.join(process).join("comm"), name).unwrap();
        }
        clear(&instances, &processes);
        let mut left: Vec<_> =
            fs::read_dir(&instances).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["airloom-guard-8", "perf"]);
    }
}
