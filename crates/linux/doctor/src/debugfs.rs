//! Where the files of mac80211 are in debugfs, which only root may read.

/// The folder of a radio (`net/mac80211/debugfs.c`).
pub(crate) fn of_radio(radio: &str) -> String {
    format!("/sys/kernel/debug/ieee80211/{radio}")
}

/// The folder of a station that an interface of a radio talks to (`net/mac80211/debugfs_sta.c`).
pub(crate) fn of_station(radio: &str, interface: &str, mac: &str) -> String {
    format!("{}/netdev:{interface}/stations/{mac}", of_radio(radio))
}
