//! Scans as they start and end.

use crate::message::{ACK, DATAGRAM, Message, Messages, REQUEST, message};
use crate::nl80211::{GENERIC_HEADER, IFINDEX, Nl80211};
use crate::protocol::{receive, socket};
use crate::{Attributes, say};
use netlink_sys::Socket;
use netlink_sys::protocols::NETLINK_GENERIC;
use rustix::io::Errno;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// `NLMSG_NOOP`.
const NOOP: u16 = 1;
/// `NL80211_CMD_TRIGGER_SCAN`, `NL80211_CMD_NEW_SCAN_RESULTS` and `NL80211_CMD_SCAN_ABORTED`.
const TRIGGER_SCAN: u8 = 33;
const NEW_SCAN_RESULTS: u8 = 34;
const SCAN_ABORTED: u8 = 35;
/// `NL80211_ATTR_SCAN_FREQUENCIES`: the channels of a scan, one nested attribute each.
const SCAN_FREQUENCIES: u16 = 44;

/// What the kernel reports about scans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanNews {
    /// A scan of so many channels has begun.
    Started {
        /// Zero when the kernel does not say.
        channels: usize,
    },
    /// It has come to its end.
    Done,
    /// It was broken off.
    Aborted,
}

/// The stream of scan events of all interfaces.
pub struct ScanEvents(Socket);

impl ScanEvents {
    /// Joins nl80211's multicast group `scan`, which needs no privilege.
    pub fn open() -> Result<Self, String> {
        let scan = Nl80211::open()?.group("scan").ok_or("nl80211 has no group for scans")?;
        Self::hearing(&[scan]).map_err(say)
    }

    fn hearing(groups: &[u32]) -> io::Result<Self> {
        let socket = socket(NETLINK_GENERIC, groups)?;
        socket.set_non_blocking(false)?;
        Ok(Self(socket))
    }

    /// Gives `take` the index of every interface that has news, and the news, from a thread of its own: until `take` returns
    /// false, or the feed is dropped, or there can be no more news and `lost` hears why.
    pub fn feed(
        self,
        take: impl FnMut(u32, ScanNews) -> bool + Send + 'static,
        lost: impl FnOnce(String) + Send + 'static,
    ) -> Feed {
        let feed = Feed { events: Arc::new(self), ended: Arc::default() };
        let (events, ended) = (Arc::clone(&feed.events), Arc::clone(&feed.ended));
        thread::spawn(move || {
            if let Err(e) = pump(&ended, || events.next(), take) {
                lost(format!("scans are not seen: {}", say(e)));
            }
        });
        feed
    }

    /// Waits for what comes next: interface index and news, in a batch.
    fn next(&self) -> io::Result<Batch> {
        let mut datagram = vec![0; DATAGRAM];
        let length = receive(&self.0, &mut datagram)?;
        Ok(Messages(&datagram[..length]).filter_map(news).collect())
    }
}

/// Interface index and news.
type Batch = Vec<(u32, ScanNews)>;

/// A stream of scan events, until it is dropped.
pub struct Feed {
    events: Arc<ScanEvents>,
    ended: Arc<AtomicBool>,
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        // The thread waits for the kernel: it answers a request for nothing. If that cannot be sent, the thread gets an error.
        let _ = self.events.0.send(&message(NOOP, REQUEST | ACK, 0, &[]), 0);
    }
}

/// Hands on what comes, until it is ended or `take` wants no more; an error if nothing more can come.
fn pump(
    ended: &AtomicBool,
    mut next: impl FnMut() -> io::Result<Batch>,
    mut take: impl FnMut(u32, ScanNews) -> bool,
) -> io::Result<()> {
    loop {
        let batch = match next() {
            Err(e) if !passes(&e) => return Err(e),
            other => other.unwrap_or_default(),
        };
        if ended.load(Ordering::Relaxed) || !batch.into_iter().all(|(link, news)| take(link, news)) {
            return Ok(());
        }
    }
}

/// Whether a socket goes on after an error: after an overrun events are lost, and the next says how things stand.
fn passes(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::NOBUFS | Errno::INTR))
}

fn news(message: Message<'_>) -> Option<(u32, ScanNews)> {
    let (header, attributes) = message.payload.split_at_checked(GENERIC_HEADER)?;
    let attributes = Attributes(attributes);
    let link = u32::try_from(attributes.number(IFINDEX)?).ok()?;
    let news = match header[0] {
        TRIGGER_SCAN => ScanNews::Started { channels: attributes.within(SCAN_FREQUENCIES).count() },
        NEW_SCAN_RESULTS => ScanNews::Done,
        SCAN_ABORTED => ScanNews::Aborted,
        _ => return None,
    };
    Some((link, news))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_feed_ends_with_what_it_was_given_to() {
        let (alive, ended) = std::sync::mpsc::channel::<()>();
        let lost = alive.clone();
        let take = move |_, _| alive.send(()).is_ok();
        let feed = ScanEvents::hearing(&[]).unwrap().feed(take, move |_| lost.send(()).unwrap());
        let wait = Duration::from_millis(100);
        assert_eq!(ended.recv_timeout(wait).unwrap_err(), std::sync::mpsc::RecvTimeoutError::Timeout);
        drop(feed);
        let end = ended.recv_timeout(Duration::from_secs(10)).unwrap_err();
        assert_eq!(
            end,
            std::sync::mpsc::RecvTimeoutError::Disconnected,
            "the thread has ended, and lost nothing"
        );
    }

    #[test]
    fn an_overrun_passes_and_other_errors_end_the_feed() {
        let error = |errno: Errno| Err(io::Error::from(errno));
        let comes =
            [error(Errno::NOBUFS), error(Errno::INTR), Ok(vec![(3, ScanNews::Done)]), error(Errno::BADF)];
        let (mut comes, mut taken) = (comes.into_iter(), Vec::new());
        let take = |link, news| {
            taken.push((link, news));
            true
        };
        pump(&AtomicBool::new(false), || comes.next().unwrap(), take).unwrap_err();
        assert_eq!(taken, [(3, ScanNews::Done)]);
    }
}
