//! Descriptors watched together, by levels or by edges (`epoll`).

use libc::c_int;

/// A descriptor that is watched.
struct Item {
    fd: c_int,
    /// The events wanted, with the flags of the watch.
    wanted: c_int,
    data: u64,
    /// How often it had been woken when it was last looked at.
    wakes: (u64, u64),
    /// It may have events that were not reported.
    stirred: bool,
}

/// Descriptors watched together.
#[derive(Default)]
pub(crate) struct Watch(Vec<Item>);

/// The state of a watched descriptor: its events, and how often its reader and its writer were woken.
pub(crate) type WatchedState = (c_int, (u64, u64));

impl Watch {
    /// Watches `fd`, or changes or ends the watch (`EPOLL_CTL_ADD`, `MOD`, `DEL`).
    pub(crate) fn control(
        &mut self,
        operation: c_int,
        fd: c_int,
        wanted: c_int,
        data: u64,
    ) -> Result<(), c_int> {
        let known = self.0.iter().position(|item| item.fd == fd);
        match (operation, known) {
            (libc::EPOLL_CTL_ADD, None) => {
                self.0.push(Item { fd, wanted, data, wakes: (0, 0), stirred: true });
                Ok(())
            }
            (libc::EPOLL_CTL_ADD, Some(_)) => Err(libc::EEXIST),
            (libc::EPOLL_CTL_MOD, Some(at)) => {
                let wakes = self.0[at].wakes;
                self.0[at] = Item { fd, wanted, data, wakes, stirred: true };
                Ok(())
            }
            (libc::EPOLL_CTL_DEL, Some(at)) => {
                self.0.remove(at);
                Ok(())
            }
            (libc::EPOLL_CTL_MOD | libc::EPOLL_CTL_DEL, None) => Err(libc::ENOENT),
            _ => Err(libc::EINVAL),
        }
    }

    /// At most `most` descriptors with events, each with those and its data; by an edge an event is reported once.
    pub(crate) fn ready(
        &mut self,
        most: usize,
        mut look: impl FnMut(c_int) -> Option<WatchedState>,
    ) -> Vec<(c_int, u64)> {
        let mut ready = Vec::new();
        for item in &mut self.0 {
            let Some((events, wakes)) = look(item.fd) else { continue };
            item.stirred |= wakes != item.wakes;
            item.wakes = wakes;
            let always = libc::EPOLLERR | libc::EPOLLHUP;
            let events = events & (item.wanted | always);
            let by_edge = item.wanted & libc::EPOLLET != 0;
            if events == 0 || (by_edge && !item.stirred) || ready.len() == most {
                item.stirred &= events != 0 || !by_edge;
                continue;
            }
            item.stirred = !by_edge;
            if item.wanted & libc::EPOLLONESHOT != 0 {
                item.wanted &= libc::EPOLLET | libc::EPOLLONESHOT;
                item.stirred = false;
            }
            ready.push((events, item.data));
        }
        ready
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUT: c_int = libc::EPOLLOUT;

    #[test]
    fn by_levels_an_event_is_reported_again_and_by_edges_once_for_each_wake() {
        let mut watch = Watch::default();
        watch.control(libc::EPOLL_CTL_ADD, 4, OUT, 40).expect("new");
        watch.control(libc::EPOLL_CTL_ADD, 5, OUT | libc::EPOLLET, 50).expect("new");
        assert_eq!(watch.ready(8, |_| Some((OUT, (0, 0)))), [(OUT, 40), (OUT, 50)]);
        assert_eq!(watch.ready(8, |_| Some((OUT, (0, 0)))), [(OUT, 40)]);
        assert_eq!(watch.ready(8, |_| Some((OUT, (0, 1)))), [(OUT, 40), (OUT, 50)]);
        assert_eq!(watch.ready(8, |_| Some((libc::EPOLLIN, (0, 1)))), []);
        assert_eq!(
            watch.ready(8, |_| Some((libc::EPOLLHUP, (0, 2)))),
            [(libc::EPOLLHUP, 40), (libc::EPOLLHUP, 50)]
        );
    }

    #[test]
    fn a_watch_is_made_once_changed_and_ended() {
        let mut watch = Watch::default();
        assert_eq!(watch.control(libc::EPOLL_CTL_MOD, 4, OUT, 0), Err(libc::ENOENT));
        watch.control(libc::EPOLL_CTL_ADD, 4, OUT, 0).expect("new");
        assert_eq!(watch.control(libc::EPOLL_CTL_ADD, 4, OUT, 0), Err(libc::EEXIST));
        watch.control(libc::EPOLL_CTL_MOD, 4, OUT | libc::EPOLLONESHOT, 7).expect("known");
        assert_eq!(watch.ready(8, |_| Some((OUT, (0, 0)))), [(OUT, 7)]);
        assert_eq!(watch.ready(8, |_| Some((OUT, (0, 1)))), [], "once");
        watch.control(libc::EPOLL_CTL_DEL, 4, 0, 0).expect("known");
        assert_eq!(watch.control(99, 4, 0, 0), Err(libc::EINVAL));
    }
}
