//! The lever: a network's background scanning, switched off and put back exactly.
//!
//! What it was is written down before it is changed, in a file that outlives the daemon but not the boot. A daemon that
//! finds such a file has a predecessor that was killed while it held, and puts things back first. wpa_supplicant's unique
//! name on the bus goes with it: another process knows nothing of that network, and has NetworkManager's own settings.

use crate::supplicant::Supplicant;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What was before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Held {
    owner: String,
    network: String,
    bgscan: String,
}

/// The lever, pulled or not.
pub(crate) struct Lever {
    record: PathBuf,
    held: Option<Held>,
}

impl Lever {
    /// Takes over what a predecessor left behind in `record`.
    pub(crate) fn new(record: &Path) -> Result<Self, String> {
        let held = match fs::read_to_string(record) {
            // A record that cannot be read was never this daemon's: it writes them whole or not at all.
            Ok(text) => toml::from_str(&text).ok(),
            Err(e) if e.kind() == ErrorKind::NotFound => None,
            Err(e) => return Err(format!("{}: {e}", record.display())),
        };
        Ok(Self { record: record.to_owned(), held })
    }

    /// Whether there is something to put back.
    pub(crate) fn is_pulled(&self) -> bool {
        self.held.is_some()
    }

    /// Switches background scanning off, unless there is none. What is pulled already is not looked at again.
    pub(crate) fn pull(&mut self, supplicant: &impl Supplicant) -> Result<(), String> {
        if self.is_pulled() {
            return Ok(());
        }
        let (owner, network) = (supplicant.owner()?, supplicant.network()?);
        let Some(bgscan) = supplicant.bgscan(&network)?.filter(|bgscan| !bgscan.is_empty()) else {
            return Ok(());
        };
        let held = Held { owner, network, bgscan };
        write_down(&self.record, &held).map_err(|e| format!("{}: {e}", self.record.display()))?;
        supplicant.set_bgscan(&held.network, "").inspect_err(|_| self.forget())?;
        self.held = Some(held);
        Ok(())
    }

    /// Puts back what was before. If it fails, it can be tried again.
    pub(crate) fn restore(&mut self, supplicant: &impl Supplicant) -> Result<(), String> {
        let Some(held) = &self.held else { return Ok(()) };
        if supplicant.owner().is_ok_and(|owner| owner == held.owner) {
            // A network that is gone needs nothing, and one that has been given a value since keeps that.
            if supplicant.bgscan(&held.network)?.as_deref() == Some("") {
                supplicant.set_bgscan(&held.network, &held.bgscan)?;
            }
        }
        self.held = None;
        self.forget();
        Ok(())
    }

    fn forget(&self) {
        // Should it stay, it says what is true already: the next start would put back the same.
        let _ = fs::remove_file(&self.record);
    }
}

/// Writes the record so that it is there whole or not at all.
fn write_down(path: &Path, held: &Held) -> io::Result<()> {
    let text = toml::to_string(held).map_err(io::Error::other)?;
    let draft = path.with_extension("new");
    let mut file = File::create(&draft)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&draft, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    const BGSCAN: &str = "simple:30:-70:86400";

    /// A wpa_supplicant with one network, that can be made to fail.
    struct Fake {
        owner: RefCell<Option<String>>,
        bgscan: RefCell<Option<String>>,
        refuses: Cell<bool>,
    }

    impl Fake {
        fn new() -> Self {
            let some = |text: &str| RefCell::new(Some(text.to_owned()));
            Self { owner: some(":1.5"), bgscan: some(BGSCAN), refuses: Cell::new(false) }
        }

        fn value(&self) -> Option<String> {
            self.bgscan.borrow().clone()
        }
    }

    impl Supplicant for Fake {
        fn owner(&self) -> Result<String, String> {
            self.owner.borrow().clone().ok_or("gone".into())
        }
        fn network(&self) -> Result<String, String> {
            self.owner().map(|_| "/net/0".into())
        }
        fn bgscan(&self, _: &str) -> Result<Option<String>, String> {
            self.owner().map(|_| self.value())
        }
        fn set_bgscan(&self, _: &str, value: &str) -> Result<(), String> {
            if self.refuses.get() {
                return Err("access denied".into());
            }
            *self.bgscan.borrow_mut() = Some(value.to_owned());
            Ok(())
        }
    }

    fn in_a_folder(test: impl Fn(&Path, &Fake)) {
        let folder = tempfile::tempdir().unwrap();
        test(&folder.path().join("held"), &Fake::new());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
    }

    #[test]
    fn it_puts_back_to_the_byte() {
        for value in [BGSCAN, "learn:30:-45:300:/var/lib/x y", "\u{fc}:'\"\\"] {
            in_a_folder(|record, fake| {
                *fake.bgscan.borrow_mut() = Some(value.to_owned());
                let mut lever = Lever::new(record).unwrap();
                lever.pull(fake).unwrap();
                assert_eq!(fake.value().unwrap(), "");
                lever.pull(fake).unwrap();
                lever.restore(fake).unwrap();
                assert_eq!(fake.value().unwrap(), value);
            });
        }
    }

    #[test]
    fn a_successor_puts_back_what_a_killed_daemon_held() {
        in_a_folder(|record, fake| {
            let mut killed = Lever::new(record).unwrap();
            killed.pull(fake).unwrap();
            drop(killed);
            let mut next = Lever::new(record).unwrap();
            assert!(next.is_pulled());
            next.restore(fake).unwrap();
            assert_eq!(fake.value().unwrap(), BGSCAN);
        });
    }

    #[test]
    fn a_daemon_killed_between_writing_down_and_pulling_did_no_harm() {
        in_a_folder(|record, fake| {
            let held = Held { owner: ":1.5".into(), network: "/net/0".into(), bgscan: "other".into() };
            write_down(record, &held).unwrap();
            Lever::new(record).unwrap().restore(fake).unwrap();
            assert_eq!(fake.value().unwrap(), BGSCAN);
        });
    }

    #[test]
    fn a_network_without_background_scans_is_left_alone() {
        for none in [None, Some(String::new())] {
            in_a_folder(|record, fake| {
                *fake.bgscan.borrow_mut() = none.clone();
                let mut lever = Lever::new(record).unwrap();
                lever.pull(fake).unwrap();
                assert!(!lever.is_pulled());
                lever.restore(fake).unwrap();
                assert_eq!(fake.value(), none);
            });
        }
    }

    #[test]
    fn a_call_that_is_refused_leaves_nothing_held() {
        in_a_folder(|record, fake| {
            fake.refuses.set(true);
            let mut lever = Lever::new(record).unwrap();
            assert_eq!(lever.pull(fake).unwrap_err(), "access denied");
            assert!(!lever.is_pulled());
        });
    }

    #[test]
    fn a_restoration_that_is_refused_is_tried_again() {
        in_a_folder(|record, fake| {
            let mut lever = Lever::new(record).unwrap();
            lever.pull(fake).unwrap();
            fake.refuses.set(true);
            lever.restore(fake).unwrap_err();
            assert!(lever.is_pulled() && record.exists());
            fake.refuses.set(false);
            lever.restore(fake).unwrap();
            assert_eq!(fake.value().unwrap(), BGSCAN);
        });
    }

    #[test]
    fn a_wpa_supplicant_that_restarted_or_is_gone_needs_nothing() {
        for owner in [Some(":1.99".to_owned()), None] {
            in_a_folder(|record, fake| {
                let mut lever = Lever::new(record).unwrap();
                lever.pull(fake).unwrap();
                *fake.owner.borrow_mut() = owner.clone();
                *fake.bgscan.borrow_mut() = Some("new".to_owned());
                lever.restore(fake).unwrap();
                assert_eq!(fake.value().unwrap(), "new");
            });
        }
    }

    #[test]
    fn a_value_that_somebody_set_meanwhile_is_kept() {
        in_a_folder(|record, fake| {
            let mut lever = Lever::new(record).unwrap();
            lever.pull(fake).unwrap();
            *fake.bgscan.borrow_mut() = Some("theirs".to_owned());
            lever.restore(fake).unwrap();
            assert_eq!(fake.value().unwrap(), "theirs");
        });
    }

    #[test]
    fn a_record_that_is_no_record_is_no_reason_to_fail() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("held");
        for text in ["", "\u{0}", "owner = 1", "owner = \":1.5\"\n"] {
            fs::write(&record, text).unwrap();
            assert!(!Lever::new(&record).unwrap().is_pulled());
        }
    }
}
