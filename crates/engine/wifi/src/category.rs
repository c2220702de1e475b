//! Access categories: which of a radio's four transmit queues a frame waits in, and how each contends.

use airloom_sim::{Duration, kinds};
use std::ops::{Index, IndexMut};

kinds! {
    /// An access category, the highest first (802.11-2020 10.2.3.2).
    pub enum Category {
        /// AC_VO.
        Voice = "voice",
        /// AC_VI.
        Video = "video",
        /// AC_BE.
        BestEffort = "best effort",
        /// AC_BK.
        Background = "background",
    }
}

/// Traffic identifiers of EDCA: user priorities 0 to 7 (802.11-2020 9.2.4.5.2).
pub const TIDS: usize = 8;

impl Category {
    /// The category of a user priority (802.11-2020 table 10-1); higher values than 7 count modulo 8.
    pub const fn of_tid(tid: u8) -> Self {
        match tid % TIDS as u8 {
            1 | 2 => Self::Background,
            0 | 3 => Self::BestEffort,
            4 | 5 => Self::Video,
            _ => Self::Voice,
        }
    }
}

/// How a category contends (802.11-2020 9.4.2.28).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Slots after SIFS before backoff begins.
    pub aifsn: u32,
    /// The smallest contention window, in slots.
    pub cw_min: u32,
    /// The largest contention window, in slots.
    pub cw_max: u32,
    /// How long it may keep the medium, if for more than one PPDU; at zero a TXOP is one PPDU with its response.
    pub txop: Duration,
}

impl Access {
    /// One that keeps the medium for one PPDU.
    pub const fn new(aifsn: u32, cw_min: u32, cw_max: u32) -> Self {
        Self { aifsn, cw_min, cw_max, txop: Duration::ZERO }
    }
}

/// A thing for each category.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerCategory<T>(pub [T; 4]);

/// How each category contends.
pub type Edca = PerCategory<Access>;

impl Edca {
    /// What an access point of hostapd tells its stations to use (`wmm_ac_*`, hostapd 2.11 src/ap/ap_config.c,
    /// `hostapd_config_defaults()`).
    pub const STATION: Self = Self([
        Access { aifsn: 2, cw_min: 3, cw_max: 7, txop: Duration::from_micros(1504) },
        Access { aifsn: 2, cw_min: 7, cw_max: 15, txop: Duration::from_micros(3008) },
        Access::new(3, 15, 1023),
        Access::new(7, 15, 1023),
    ]);

    /// What an access point of hostapd uses itself (`tx_queue_*`, the same function; bursts are in units of 100 us).
    pub const ACCESS_POINT: Self = Self([
        Access { aifsn: 1, cw_min: 3, cw_max: 7, txop: Duration::from_micros(1500) },
        Access { aifsn: 1, cw_min: 7, cw_max: 15, txop: Duration::from_micros(3000) },
        Access::new(3, 15, 63),
        Access::new(7, 15, 1023),
    ]);

    /// The same with another best effort.
    pub const fn with_best_effort(self, access: Access) -> Self {
        let Self([voice, video, _, background]) = self;
        Self([voice, video, access, background])
    }
}

impl<T> PerCategory<T> {
    /// What `make` makes for each.
    pub fn from_fn(make: impl FnMut(Category) -> T) -> Self {
        Self(Category::ALL.map(make))
    }
}

impl<T> Index<Category> for PerCategory<T> {
    type Output = T;

    fn index(&self, category: Category) -> &T {
        &self.0[category as usize]
    }
}

impl<T> IndexMut<Category> for PerCategory<T> {
    fn index_mut(&mut self, category: Category) -> &mut T {
        &mut self.0[category as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 802.11-2020 table 10-1.
    #[test]
    fn user_priorities_have_categories() {
        use Category::{Background, BestEffort, Video, Voice};
        let table = [BestEffort, Background, Background, BestEffort, Video, Video, Voice, Voice];
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(Category::of_tid), table);
    }
}
