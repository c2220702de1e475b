//! Messages of nl80211, and the attributes that are read of them (Linux: include/uapi/linux/nl80211.h).

use neli::consts::nl80211::Nl80211Command as Command;
use neli::genl::Genlmsghdr;

/// A message with its attributes.
pub(crate) type Message = Genlmsghdr<Command, u16>;

/// `NL80211_ATTR_IFINDEX`.
pub(crate) const IFINDEX: u16 = 3;
/// `NL80211_ATTR_STA_INFO`: what is known of the peer.
pub(crate) const STA_INFO: u16 = 21;
/// `NL80211_ATTR_SCAN_FREQUENCIES`: the channels of a scan, one nested attribute each.
pub(crate) const SCAN_FREQUENCIES: u16 = 44;
/// `NL80211_STA_INFO_SIGNAL` and `NL80211_STA_INFO_SIGNAL_AVG`, both in dBm as one signed octet.
pub(crate) const SIGNAL: u16 = 7;
pub(crate) const SIGNAL_AVG: u16 = 13;
/// `NL80211_STA_INFO_TX_BITRATE`: the rate at which the peer is sent to, with its parts.
pub(crate) const TX_BITRATE: u16 = 8;
/// `NL80211_RATE_INFO_BITRATE` in 16 bits, and `NL80211_RATE_INFO_BITRATE32`, both in 100 kbit/s.
pub(crate) const BITRATE: u16 = 1;
pub(crate) const BITRATE_32: u16 = 5;
