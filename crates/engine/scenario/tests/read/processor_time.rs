//! How long this thread has worked: unlike a clock on the wall it does not count what else the machine does.

/// Ticks of a second in `/proc` (`USER_HZ`, the same on every architecture that Linux runs on today).
const TICKS: f64 = 100.0;

/// Seconds of processor time that this thread has taken, to a hundredth (proc(5): `utime` and `stime` of `stat`).
pub(crate) fn seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("Linux has /proc");
    // The name before it may have blanks.
    let (_, rest) = stat.rsplit_once(')').expect("a name in brackets");
    let ticks = |place: usize| rest.split_whitespace().nth(place)?.parse::<f64>().ok();
    (ticks(11).expect("utime") + ticks(12).expect("stime")) / TICKS
}
