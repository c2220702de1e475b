//! The lever: a network's background scanning, switched off and put back exactly.
//!
//! What it was is written down before it is changed, in a file that outlives the daemon but not the boot. A daemon that
//! finds such a file has a predecessor that was killed while it held, and puts things back first. wpa_supplicant's unique
//! name on the bus goes with it: another process knows nothing of that network, and has NetworkManager's own settings.
//!
//! A call that failed may have been heard all the same. So the record goes when the value is known to be back, or the process
//! that had it is known to be gone, and never because a question had no answer.

use crate::supplicant::{Network, Supplicant};
use rustix::fs::FlockOperation;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};
use std::path::{Path, PathBuf};

/// What was before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Held {
    owner: String,
    network: String,
    bgscan: String,
}

/// The lever, pulled or not. There is one at a time for each record.
pub(crate) struct Lever {
    record: PathBuf,
    /// Written down.
    held: Option<Held>,
    /// Background scanning is known to be off. A call without an answer leaves that open.
    off: bool,
    /// Locked, as long as this lives.
    _lock: File,
}

impl Lever {
    /// Takes over what a predecessor left behind in `record`, unless another process has it in hand.
    pub(crate) fn take(record: &Path) -> Result<Self, String> {
        let lock = record.with_extension("lock");
        let say = |path: &Path, e: io::Error| format!("{}: {e}", path.display());
        let locked = create(&lock).map_err(|e| say(&lock, e))?;
        match rustix::fs::flock(&locked, FlockOperation::NonBlockingLockExclusive) {
            Err(rustix::io::Errno::WOULDBLOCK) => return Err("another guard is running".into()),
            other => other.map_err(|e| say(&lock, e.into()))?,
        }
        let held = match fs::read(record) {
            // A record that cannot be read was never this daemon's: it writes them whole or not at all.
            Ok(octets) => toml::from_slice(&octets).ok(),
            Err(e) if e.kind() == ErrorKind::NotFound => None,
            Err(e) => return Err(say(record, e)),
        };
        Ok(Self { record: record.to_owned(), held, off: false, _lock: locked })
    }

    /// Whether there is something to put back.
    pub(crate) fn is_pulled(&self) -> bool {
        self.held.is_some()
    }

    /// Whether this network's background scanning is known to be switched off.
    pub(crate) fn is_off(&self, network: &Network) -> bool {
        let is_held = |held: &Held| (&held.owner, &held.network) == (&network.owner, &network.path);
        self.off && self.held.as_ref().is_some_and(is_held)
    }

    /// Switches a network's background scanning off, unless there is none. What is known to be off is not looked at again.
    /// Another network, and what an earlier call may have left half done, are put back first.
    pub(crate) fn pull(&mut self, supplicant: &impl Supplicant, network: &Network) -> Result<(), String> {
        if self.is_off(network) {
            return Ok(());
        }
        self.restore(supplicant)?;
        let Network { owner, path } = network.clone();
        let bgscan = supplicant.bgscan(&owner, &path)?.filter(|bgscan| !bgscan.is_empty());
        let Some(bgscan) = bgscan else { return Ok(()) };
        let held = Held { owner, network: path, bgscan };
        write_down(&self.record, &held).map_err(|e| format!("{}: {e}", self.record.display()))?;
        let pulled = supplicant.set_bgscan(&held.owner, &held.network, "");
        self.held = Some(held);
        self.off = pulled.is_ok();
        if !self.off {
            // It may have been done all the same.
            self.restore(supplicant)?;
        }
        pulled
    }

    /// Puts back what was before. If it fails, it can be tried again.
    pub(crate) fn restore(&mut self, supplicant: &impl Supplicant) -> Result<(), String> {
        let Some(held) = &self.held else { return Ok(()) };
        self.off = false;
        if supplicant.owner(&held.network)?.is_some_and(|owner| owner == held.owner) {
            // A network that is gone needs nothing, and one that has been given a value since keeps that.
            if supplicant.bgscan(&held.owner, &held.network)?.as_deref() == Some("") {
                supplicant.set_bgscan(&held.owner, &held.network, &held.bgscan)?;
            }
        }
        self.held = None;
        // Should it stay, it says what is true already: the next start would put back the same.
        let _ = fs::remove_file(&self.record);
        Ok(())
    }
}

/// Writes the record so that it is there whole or not at all.
fn write_down(path: &Path, held: &Held) -> io::Result<()> {
    let text = toml::to_string(held).map_err(io::Error::other)?;
    let draft = path.with_extension("new");
    let mut file = create(&draft)?;
    file.set_len(0)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&draft, path)
}

/// Opens a file for this user alone, and makes it if there is none. What root makes belongs to the folder's owner, so that the
/// daemon can go on with it; links, which that owner could place, are not followed.
fn create(path: &Path) -> io::Result<File> {
    let no_follow = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
    let mut options = OpenOptions::new();
    let file =
        options.write(true).create(true).truncate(false).mode(0o600).custom_flags(no_follow).open(path)?;
    let folder = fs::metadata(path.parent().unwrap_or(Path::new("/")))?;
    if file.metadata()?.uid() != folder.uid() {
        // Only root may do this, and only root needs it.
        let _ = fchown(&file, Some(folder.uid()), Some(folder.gid()));
    }
    Ok(file)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    pub(crate) const BGSCAN: &str = "simple:30:-70:86400";

    /// A wpa_supplicant with two networks, that can be made to fail.
    pub(crate) struct Fake {
        owner: RefCell<Option<String>>,
        bgscan: RefCell<Option<String>>,
        /// That of the other network.
        pub(crate) other: RefCell<Option<String>>,
        refuses: Cell<bool>,
        /// After so many answers there are no more, though what is set is set.
        pub(crate) answers: Cell<Option<u32>>,
        /// What is not answered is not done either.
        deaf: Cell<bool>,
    }

    impl Fake {
        fn new() -> Self {
            let some = |text: &str| RefCell::new(Some(text.to_owned()));
            Self {
                owner: some(":1.5"),
                bgscan: some(BGSCAN),
                other: some("other"),
                refuses: Cell::new(false),
                answers: Cell::new(None),
                deaf: Cell::new(false),
            }
        }

        pub(crate) fn network(path: &str) -> Network {
            Network { owner: ":1.5".into(), path: path.into() }
        }

        pub(crate) fn value(&self) -> Option<String> {
            self.bgscan.borrow().clone()
        }

        fn of(&self, network: &str) -> &RefCell<Option<String>> {
            if network == "/net/0" { &self.bgscan } else { &self.other }
        }

        fn heard(&self) -> Result<(), String> {
            match self.answers.get() {
                Some(0) => return Err("no answer".into()),
                Some(n) => self.answers.set(Some(n - 1)),
                None => {}
            }
            Ok(())
        }

        fn called(&self, owner: &str) -> Result<(), String> {
            self.heard()?;
            if self.owner.borrow().as_deref() == Some(owner) { Ok(()) } else { Err("gone".into()) }
        }
    }

    impl Supplicant for Fake {
        fn owner(&self, _: &str) -> Result<Option<String>, String> {
            self.heard()?;
            Ok(self.owner.borrow().clone())
        }
        fn bgscan(&self, owner: &str, network: &str) -> Result<Option<String>, String> {
            self.called(owner).map(|()| self.of(network).borrow().clone())
        }
        fn set_bgscan(&self, owner: &str, network: &str, value: &str) -> Result<(), String> {
            if self.refuses.get() {
                return Err("access denied".into());
            }
            let heard = self.called(owner);
            if heard.is_ok() || (self.answers.get() == Some(0) && !self.deaf.get()) {
                *self.of(network).borrow_mut() = Some(value.to_owned());
            }
            heard
        }
    }

    pub(crate) fn in_a_folder(test: impl Fn(&Path, &Fake)) {
        let folder = tempfile::tempdir().unwrap();
        test(&folder.path().join("held"), &Fake::new());
        let left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["held.lock"], "nothing is left behind");
    }

    #[test]
    fn it_puts_back_to_the_byte() {
        for value in [BGSCAN, "learn:30:-45:300:/var/lib/x y", "\u{fc}:'\"\\"] {
            in_a_folder(|record, fake| {
                *fake.bgscan.borrow_mut() = Some(value.to_owned());
                let mut lever = Lever::take(record).unwrap();
                lever.pull(fake, &Fake::network("/net/0")).unwrap();
                assert_eq!(fake.value().unwrap(), "");
                lever.pull(fake, &Fake::network("/net/0")).unwrap();
                lever.restore(fake).unwrap();
                assert_eq!(fake.value().unwrap(), value);
            });
        }
    }

    #[test]
    fn a_successor_puts_back_what_a_killed_daemon_held() {
        in_a_folder(|record, fake| {
            let mut killed = Lever::take(record).unwrap();
            killed.pull(fake, &Fake::network("/net/0")).unwrap();
            drop(killed);
            let mut next = Lever::take(record).unwrap();
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
            Lever::take(record).unwrap().restore(fake).unwrap();
            assert_eq!(fake.value().unwrap(), BGSCAN);
        });
    }

    #[test]
    fn a_network_without_background_scans_is_left_alone() {
        for none in [None, Some(String::new())] {
            in_a_folder(|record, fake| {
                *fake.bgscan.borrow_mut() = none.clone();
                let mut lever = Lever::take(record).unwrap();
                lever.pull(fake, &Fake::network("/net/0")).unwrap();
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
            let mut lever = Lever::take(record).unwrap();
            assert_eq!(lever.pull(fake, &Fake::network("/net/0")).unwrap_err(), "access denied");
            assert!(!lever.is_pulled());
        });
    }

    #[test]
    fn a_restoration_that_is_refused_is_tried_again() {
        in_a_folder(|record, fake| {
            let mut lever = Lever::take(record).unwrap();
            lever.pull(fake, &Fake::network("/net/0")).unwrap();
            fake.refuses.set(true);
            lever.restore(fake).unwrap_err();
            assert!(lever.is_pulled() && record.exists());
            fake.refuses.set(false);
            lever.restore(fake).unwrap();
            assert_eq!(fake.value().unwrap(), BGSCAN);
        });
    }

    #[test]
    fn a_question_without_answer_is_no_reason_to_let_go() {
        // The calls of a restoration: the owner, the value, setting it.
        for answers in 0..3 {
            in_a_folder(|record, fake| {
                let mut lever = Lever::take(record).unwrap();
                lever.pull(fake, &Fake::network("/net/0")).unwrap();
                fake.answers.set(Some(answers));
                lever.restore(fake).unwrap_err();
                assert!(lever.is_pulled() && record.exists());
                fake.answers.set(None);
                lever.restore(fake).unwrap();
                assert_eq!(fake.value().unwrap(), BGSCAN);
            });
        }
    }

    #[test]
    fn a_pull_that_may_have_been_heard_is_taken_back() {
        // The calls of a pull: the value, switching it off.
        in_a_folder(|record, fake| {
            let mut lever = Lever::take(record).unwrap();
            fake.answers.set(Some(1));
            assert_eq!(lever.pull(fake, &Fake::network("/net/0")).unwrap_err(), "no answer");
            assert_eq!(fake.value().unwrap(), "");
            assert!(lever.is_pulled() && record.exists());
            fake.answers.set(None);
            lever.restore(fake).unwrap();
            assert_eq!(fake.value().unwrap(), BGSCAN);
        });
    }

    #[test]
    fn what_is_not_known_to_be_off_is_switched_off_again() {
        // The call fails, and so does taking it back; whether it was heard makes no difference.
        for deaf in [true, false] {
            in_a_folder(|record, fake| {
                let mut lever = Lever::take(record).unwrap();
                fake.deaf.set(deaf);
                fake.answers.set(Some(1));
                lever.pull(fake, &Fake::network("/net/0")).unwrap_err();
                assert!(lever.is_pulled() && !lever.is_off(&Fake::network("/net/0")));
                fake.answers.set(None);
                lever.pull(fake, &Fake::network("/net/0")).unwrap();
                assert!(lever.is_off(&Fake::network("/net/0")));
                assert_eq!(fake.value().unwrap(), "");
                lever.restore(fake).unwrap();
                assert_eq!(fake.value().unwrap(), BGSCAN);
            });
        }
    }

    #[test]
    fn a_hold_after_a_restoration_without_answer_switches_off_again() {
        in_a_folder(|record, fake| {
            let mut lever = Lever::take(record).unwrap();
            lever.pull(fake, &Fake::network("/net/0")).unwrap();
            fake.answers.set(Some(2));
            lever.restore(fake).unwrap_err();
            assert_eq!(fake.value().unwrap(), BGSCAN, "it was heard");
            fake.answers.set(None);
            lever.pull(fake, &Fake::network("/net/0")).unwrap();
            assert_eq!(fake.value().unwrap(), "");
            lever.restore(fake).unwrap();
            assert_eq!(fake.value().unwrap(), BGSCAN);
        });
    }

    #[test]
    fn there_is_one_at_a_time() {
        in_a_folder(|record, fake| {
            let mut first = Lever::take(record).unwrap();
            first.pull(fake, &Fake::network("/net/0")).unwrap();
            assert_eq!(Lever::take(record).err().unwrap(), "another guard is running");
            first.restore(fake).unwrap();
        });
    }

    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let victim = folder.path().join("victim");
        fs::write(&victim, "precious").unwrap();
        for link in ["held.lock", "held.new"] {
            let link = folder.path().join(link);
            std::os::unix::fs::symlink(&victim, &link).unwrap();
            assert!(create(&link).is_err());
        }
        assert_eq!(fs::read_to_string(victim).unwrap(), "precious");
    }

    #[test]
    fn a_wpa_supplicant_that_restarted_or_is_gone_needs_nothing() {
        for owner in [Some(":1.99".to_owned()), None] {
            in_a_folder(|record, fake| {
                let mut lever = Lever::take(record).unwrap();
                lever.pull(fake, &Fake::network("/net/0")).unwrap();
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
            let mut lever = Lever::take(record).unwrap();
            lever.pull(fake, &Fake::network("/net/0")).unwrap();
            *fake.bgscan.borrow_mut() = Some("theirs".to_owned());
            lever.restore(fake).unwrap();
            assert_eq!(fake.value().unwrap(), "theirs");
        });
    }

    #[test]
    fn a_record_that_is_no_record_is_no_reason_to_fail() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("held");
        for octets in [&b""[..], b"\0", b"\xff", b"owner = 1", b"owner = \":1.5\"\n"] {
            fs::write(&record, octets).unwrap();
            assert!(!Lever::take(&record).unwrap().is_pulled());
        }
    }
}
