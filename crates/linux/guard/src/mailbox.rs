//! A mailbox that does not grow: putting news in changes what lies there, and all of it is taken out at once.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// News of one kind, from many threads to one.
#[derive(Debug, Default)]
pub(crate) struct Mailbox<News> {
    news: Mutex<Option<News>>,
    bell: Condvar,
}

impl<News: Default> Mailbox<News> {
    /// Adds to the news.
    pub(crate) fn put(&self, add: impl FnOnce(&mut News)) {
        add(self.news.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default());
        self.bell.notify_one();
    }

    /// Takes the news, as soon as there are some; `None` after `limit`.
    pub(crate) fn wait(&self, limit: Duration) -> Option<News> {
        let news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut news, _) = self
            .bell
            .wait_timeout_while(news, limit, |news| news.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        news.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::thread;

    #[test]
    fn a_flood_is_taken_out_at_once() {
        let mailbox = Mailbox::<u64>::default();
        for _ in 0..100_000 {
            mailbox.put(|n| *n += 1);
        }
        assert_eq!(mailbox.wait(Duration::ZERO), Some(100_000));
        assert_eq!(mailbox.wait(Duration::from_millis(1)), None);
    }

    #[test]
    fn news_end_the_wait() {
        let mailbox = Arc::new(Mailbox::<bool>::default());
        let waiting = Arc::clone(&mailbox);
        let thread = thread::spawn(move || waiting.wait(Duration::from_secs(60)));
        mailbox.put(|news| *news = true);
        assert_eq!(thread.join().unwrap(), Some(true));
    }
}
