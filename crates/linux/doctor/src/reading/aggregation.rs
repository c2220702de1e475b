//! What goes together in a PPDU to each station, from mac80211's debugfs: files that only root may read.

use crate::debugfs;
use crate::snapshot::Aggregation;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

/// Reads what debugfs has of a station.
///
/// # Errors
///
/// In words, if there is nothing of it.
pub(super) fn of(radio: &str, interface: &str, mac: &str) -> Result<Aggregation, String> {
    let folder = PathBuf::from(debugfs::of_station(radio, interface, mac));
    if let Err(error) = fs::read_dir(&folder) {
        return Err(match error.kind() {
            ErrorKind::PermissionDenied => "only root may read debugfs".to_owned(),
            _ => "the kernel has no stations in debugfs (CONFIG_MAC80211_DEBUGFS), or the driver has its own 802.11".to_owned(),
        });
    }
    let text = |file: &str| fs::read_to_string(folder.join(file)).ok();
    let rates = text("rc_stats");
    Ok(Aggregation {
        by_mac80211: rates.is_some(),
        sessions: text("agg_status")
            .and_then(|text| of_sessions(&text))
            .or_else(|| text("aqm").and_then(|text| of_queues(&text))),
        mpdus: rates.and_then(|text| of_rates(&text)),
    })
}

/// TIDs with a BlockAck session for sending, of `agg_status` (`sta_agg_status_read` in net/mac80211/debugfs_sta.c, Linux 6.12): a
/// line for each TID with its number, whether there is a session to receive, its token and first sequence number, whether there is one to
/// send, its token, and what waits for it. None where no such line is whole, as of kernels that cut the file at a few octets.
fn of_sessions(text: &str) -> Option<Vec<u32>> {
    let rows: Vec<(u32, bool)> = text
        .lines()
        .filter_map(|line| match line.split_whitespace().collect::<Vec<_>>()[..] {
            [tid, _, _, _, sends, _, _] => Some((tid.parse().ok()?, sends == "1")),
            _ => None,
        })
        .collect();
    (!rows.is_empty()).then(|| rows.into_iter().filter(|row| row.1).map(|row| row.0).collect())
}

/// The same of `aqm` (`sta_aqm_read` there), which drivers have that take packets from mac80211's queues: a line for each TID, with
/// `AMPDU` among its last words.
fn of_queues(text: &str) -> Option<Vec<u32>> {
    let rows = text.lines().filter_map(|line| {
        let (numbers, flags) = line.split_once('(')?;
        Some((numbers.split_whitespace().next()?.parse().ok()?, flags.contains(" AMPDU")))
    });
    let rows: Vec<(u32, bool)> = rows.collect();
    (!rows.is_empty()).then(|| rows.into_iter().filter(|row| row.1).map(|row| row.0).collect())
}

/// MPDUs in an A-MPDU on average, of `rc_stats` (`minstrel_ht_stats_open` in net/mac80211/rc80211_minstrel_ht_debugfs.c, Linux 6.12).
fn of_rates(text: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.starts_with("Average # of aggregated frames per A-MPDU:"))?;
    line.rsplit_once(' ')?.1.trim().parse().ok().filter(|mpdus: &f64| mpdus.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_those_to_send() {
        let text = "next dialog_token: 0x03\nTID\t\tRX\tDTKN\tSSN\t\tTX\tDTKN\tpending\n\
                    00\t\t1\t0x01\t0x1f0\t\t1\t0x01\t000\n01\t\t1\t0x01\t0x000\t\t0\t00\t000\n\
                    06\t\t0\t00\t000\t\t1\t0x02\t003\n";
        assert_eq!(of_sessions(text), Some(vec![0, 6]));
        assert_eq!(of_sessions("next di"), None);
        assert_eq!(
            of_sessions("TID\t\tRX\tDTKN\tSSN\t\tTX\tDTKN\tpending\n00 0 00 000 0 00 000\n"),
            Some(vec![])
        );
    }

    #[test]
    fn queues_say_whether_theirs_are_a_mpdus() {
        let text = "target 19999us interval 99999us ecn yes\n\
                    tid ac backlog-bytes backlog-packets new-flows drops marks overlimit collisions tx-bytes tx-packets flags\n\
                    0 2 0 0 12 0 0 0 0 153000 120 0x0(RUN AMPDU NO-AMSDU)\n1 3 0 0 0 0 0 0 0 0 0 0x0(RUN)\n";
        assert_eq!(of_queues(text), Some(vec![0]));
        assert_eq!(of_queues("target 19999us\n"), None);
    }

    #[test]
    fn rate_control_tells_a_mean_length() {
        let text = "\nTotal packet count::    ideal 16582      lookaround 885\nAverage # of aggregated frames per A-MPDU: 4.2\n";
        assert_eq!(of_rates(text), Some(4.2));
        assert_eq!(of_rates("Average # of aggregated frames per A-MPDU: inf\n"), None);
        assert_eq!(of_rates(""), None);
    }
}
