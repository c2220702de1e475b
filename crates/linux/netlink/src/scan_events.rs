//! Scans as they start and end.

use crate::family::nl80211;
use crate::message::{IFINDEX, Message, SCAN_FREQUENCIES};
use crate::say;
use neli::consts::nl::NlmF;
use neli::consts::nl80211::Nl80211Command as Command;
use neli::consts::socket::NlFamily;
use neli::err::SocketError;
use neli::nl::{NlPayload, NlmsghdrBuilder};
use neli::socket::synchronous::NlSocketHandle;
use neli::utils::Groups;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// `NLMSG_NOOP`.
const NOOP: u16 = 1;

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
pub struct ScanEvents(NlSocketHandle);

impl ScanEvents {
    /// Joins nl80211's multicast group `scan`, which needs no privilege.
    pub fn open() -> Result<Self, String> {
        let scan = nl80211()?.group("scan").ok_or("nl80211 has no group for scans")?;
        let groups = Groups::new_groups(&[scan]);
        Ok(Self(NlSocketHandle::connect(NlFamily::Generic, None, groups).map_err(say)?))
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
    fn next(&self) -> Result<Batch, SocketError> {
        let (messages, _) = self.0.recv::<u16, Message>()?;
        Ok(messages.flatten().filter_map(|message| news(message.get_payload()?)).collect())
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
        let nothing = NlmsghdrBuilder::<u16, u16>::default()
            .nl_type(NOOP)
            .nl_flags(NlmF::REQUEST | NlmF::ACK)
            .nl_payload(NlPayload::Empty)
            .build();
        let _ = nothing.map(|nothing| self.events.0.send(&nothing));
    }
}

/// Hands on what comes, until it is ended or `take` wants no more; an error if nothing more can come.
fn pump(
    ended: &AtomicBool,
    mut next: impl FnMut() -> Result<Batch, SocketError>,
    mut take: impl FnMut(u32, ScanNews) -> bool,
) -> Result<(), SocketError> {
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
fn passes(error: &SocketError) -> bool {
    let SocketError::Io(e) = error else { return false };
    let errno = rustix::io::Errno::from_io_error(e);
    matches!(errno, Some(rustix::io::Errno::NOBUFS | rustix::io::Errno::INTR))
}

fn news(message: &Message) -> Option<(u32, ScanNews)> {
    let attributes = message.attrs().get_attr_handle();
    let link = attributes.get_attr_payload_as(IFINDEX).ok()?;
    let channels =
        || attributes.get_nested_attributes::<u16>(SCAN_FREQUENCIES).map_or(0, |list| list.iter().count());
    match message.cmd() {
        Command::TriggerScan => Some((link, ScanNews::Started { channels: channels() })),
        Command::NewScanResults => Some((link, ScanNews::Done)),
        Command::ScanAborted => Some((link, ScanNews::Aborted)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_feed_ends_with_what_it_was_given_to() {
        let socket = NlSocketHandle::connect(NlFamily::Generic, None, Groups::empty()).unwrap();
        let (alive, ended) = std::sync::mpsc::channel::<()>();
        let lost = alive.clone();
        let take = move |_, _| alive.send(()).is_ok();
        let feed = ScanEvents(socket).feed(take, move |_| lost.send(()).unwrap());
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
        use rustix::io::Errno;
        let error = |errno: Errno| Err(SocketError::from(std::io::Error::from(errno)));
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
