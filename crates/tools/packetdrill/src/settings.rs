//! The host under test: a host profile, with what a script sets otherwise.

use airloom_tcp::Config;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A scenario whose laptop is the host under test.
const SCENARIO: &str = include_str!("host.toml");

/// Where the settings of a script are.
#[derive(Default)]
pub(crate) struct Settings {
    path: Option<PathBuf>,
}

/// The settings in force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Host {
    pub(crate) tcp: Config,
    /// ECN is agreed to if the peer offers it (`tcp_ecn` 2).
    pub(crate) ecn_if_asked: bool,
    /// Unsent bytes up to which a socket is writable (`tcp_notsent_lowat`).
    pub(crate) unsent_limit: u32,
    /// The least segments of a burst that a device divides (`tcp_min_tso_segs`).
    pub(crate) least_burst: u32,
}

impl Settings {
    /// Settings from the flags that packetdrill was given for the library: the path of a file, or nothing.
    pub(crate) fn new(flags: &str) -> Self {
        Self { path: (!flags.is_empty()).then(|| PathBuf::from(flags)) }
    }

    /// The settings as the file holds them now; a script may change them as it runs.
    ///
    /// # Errors
    ///
    /// What is wrong with the file, in a line.
    pub(crate) fn read(&self) -> Result<Host, String> {
        let text = match &self.path {
            None => String::new(),
            Some(path) => {
                std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?
            }
        };
        host(&text)
    }
}

/// The host that lines of `key = value` describe: keys of a host's TCP as scenarios have them (docs/tcp.md), and those of a
/// socket and a device. A later line counts.
fn host(text: &str) -> Result<Host, String> {
    let (mut ecn_if_asked, mut unsent_limit, mut least_burst, mut tcp) = (true, u32::MAX, 2, BTreeMap::new());
    for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = || format!("settings, line {}: `{line}` is not a key and its value", n + 1);
        let (key, value) = line.split_once('=').ok_or_else(wrong)?;
        let (key, value) = (key.trim(), value.trim());
        match key {
            "ecn_if_asked" => ecn_if_asked = value.parse().map_err(|_| wrong())?,
            "unsent_limit" => unsent_limit = value.parse().map_err(|_| wrong())?,
            "least_burst" => least_burst = value.parse().map_err(|_| wrong())?,
            _ => {
                tcp.insert(format!("station.laptop.host.{key}"), value.to_owned());
            }
        }
    }
    let tcp: Vec<_> = tcp.into_iter().collect();
    let scenario =
        airloom_scenario::load(SCENARIO, "host.toml", &tcp, None).map_err(|mistakes| mistakes.to_string())?;
    let host = scenario.station.first().ok_or("host.toml has no station")?;
    Ok(Host { tcp: host.host.tcp, ecn_if_asked, unsent_limit, least_burst })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_the_profile_with_the_later_of_its_settings() {
        let plain = host("").expect("the profile");
        assert!(plain.tcp.offer.sack && plain.tcp.recovery.tail_loss_probe);
        let set = host("sack = false\nrecovery.tail_loss_probe = false\nunsent_limit = 4000\nsack = true\n")
            .expect("settings");
        assert!(set.tcp.offer.sack && !set.tcp.recovery.tail_loss_probe);
        assert_eq!((plain.unsent_limit, set.unsent_limit), (u32::MAX, 4000));
    }

    #[test]
    fn what_is_no_setting_is_named() {
        assert!(host("sack").expect_err("no value").contains("line 1"));
        assert!(host("sakc = true").expect_err("no such key").contains("sakc"));
        let missing = Settings::new("/nowhere/settings").read().expect_err("no file");
        assert!(missing.starts_with("/nowhere/settings: "), "{missing}");
    }
}
