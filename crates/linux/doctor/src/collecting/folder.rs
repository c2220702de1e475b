//! The folder that a recording goes into. It is written by root, often where another user may write too, and packets hold names
//! and first lines of pages: so it is root's alone until the end, and nothing in it is opened by a path that somebody could move.

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, chownat, fstat, mkdirat, openat, unlinkat};
use rustix::io::Errno;
use rustix::process::{Gid, Uid, geteuid};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

/// A folder that was made here, in one that stays the same.
pub(super) struct Folder {
    parent: OwnedFd,
    name: OsString,
    at: OwnedFd,
    within: String,
}

const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);

impl Folder {
    /// Makes the folder of this path, for this user alone.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(Errno::EXIST)?;
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        Self::made(openat(CWD, parent, FOLDER, Mode::empty())?, name, String::new())
    }

    /// Makes a folder in this one.
    pub(super) fn folder(&self, name: &str) -> io::Result<Self> {
        Self::made(self.at.try_clone()?, OsStr::new(name), format!("{}{name}/", self.within))
    }

    fn made(parent: OwnedFd, name: &OsStr, within: String) -> io::Result<Self> {
        mkdirat(&parent, name, Mode::RWXU)?;
        let at = openat(&parent, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?;
        // The owner of the folder above may have put another one in its place meanwhile.
        let found = fstat(&at)?;
        if found.st_uid != geteuid().as_raw() || found.st_mode & 0o077 != 0 {
            return Err(Errno::PERM.into());
        }
        Ok(Self { parent, name: name.to_owned(), at, within })
    }

    /// A new file in it, for this user alone.
    pub(super) fn file(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(&self.at, name, flags, Mode::RUSR | Mode::WUSR)?.into())
    }

    /// How a file in it is called from the folder of the recording.
    pub(super) fn called(&self, name: &str) -> String {
        format!("{}{name}", self.within)
    }

    /// Gives it to another user, what it holds first: as long as it is this user's, nobody can put anything else there.
    pub(super) fn give(&self, user: Uid, group: Gid) -> io::Result<()> {
        each(&self.at, &mut |folder, name| {
            chownat(folder, name, Some(user), Some(group), AtFlags::SYMLINK_NOFOLLOW)
        })?;
        Ok(rustix::fs::fchown(&self.at, Some(user), Some(group))?)
    }

    /// Removes it with what it holds.
    pub(super) fn remove(self) -> io::Result<()> {
        each(&self.at, &mut |folder, name| match unlinkat(folder, name, AtFlags::empty()) {
            Err(Errno::ISDIR) => unlinkat(folder, name, AtFlags::REMOVEDIR),
            other => other,
        })?;
        Ok(unlinkat(&self.parent, &self.name, AtFlags::REMOVEDIR)?)
    }
}

/// Does something to all that a folder holds, what lies deeper first.
fn each(folder: &OwnedFd, act: &mut impl FnMut(&OwnedFd, &OsStr) -> Result<(), Errno>) -> Result<(), Errno> {
    use std::os::unix::ffi::OsStrExt;
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        if entry.file_type() == FileType::Directory {
            each(&openat(folder, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?, act)?;
        }
        act(folder, name)?;
    }
    Ok(())
}

/// The user that began this by `sudo`, and its group (sudo(8)).
pub(super) fn asking() -> Option<(Uid, Gid)> {
    let number =
        |name: &str| std::env::var(name).ok()?.parse::<u32>().ok().filter(|number| *number != u32::MAX);
    Some((Uid::from_raw(number("SUDO_UID")?), Gid::from_raw(number("SUDO_GID")?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::{MetadataExt, symlink};
    use std::path::PathBuf;

    /// A folder for one test.
    fn place(name: &str) -> PathBuf {
        let place = std::env::temp_dir().join(format!("airloom-doctor-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&place);
        fs::create_dir(&place).unwrap();
        place
    }

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().mode() & 0o777
    }

    #[test]
    fn nobody_else_reads_what_is_recorded() {
        let place = place("modes");
        let out = place.join("out");
        let folder = Folder::create(&out).unwrap();
        let usb = folder.folder("usb").unwrap();
        folder.file("machine.json").unwrap().write_all(b"{}").unwrap();
        usb.file("bus1.pcap").unwrap();
        assert_eq!((mode(&out), mode(&out.join("usb"))), (0o700, 0o700));
        assert_eq!((mode(&out.join("machine.json")), mode(&out.join("usb/bus1.pcap"))), (0o600, 0o600));
        assert_eq!(
            (folder.called("a"), usb.called("bus1.pcap")),
            ("a".to_owned(), "usb/bus1.pcap".to_owned())
        );
        assert!(folder.file("machine.json").is_err(), "nothing is written over");
        fs::remove_dir_all(&place).unwrap();
    }

    #[test]
    fn what_is_there_already_is_no_new_folder() {
        let place = place("taken");
        symlink(&place, place.join("link")).unwrap();
        fs::create_dir(place.join("folder")).unwrap();
        for taken in ["link", "folder", ".", ".."] {
            let refused = Folder::create(&place.join(taken)).err().unwrap();
            assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists, "{taken}");
        }
        assert!(Folder::create(&place.join("none/out")).is_err());
        fs::remove_dir_all(&place).unwrap();
    }

    #[test]
    fn a_link_in_the_folders_place_leads_nowhere() {
        let place = place("moved");
        let (out, elsewhere) = (place.join("out"), place.join("elsewhere"));
        fs::create_dir(&elsewhere).unwrap();
        let folder = Folder::create(&out).unwrap();
        fs::rename(&out, place.join("moved")).unwrap();
        symlink(&elsewhere, &out).unwrap();
        folder.file("collected.json").unwrap();
        assert!(place.join("moved/collected.json").exists());
        symlink(&elsewhere, place.join("moved/planted.json")).unwrap();
        assert!(folder.file("planted.json").is_err());
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
        fs::remove_dir_all(&place).unwrap();
    }

    #[test]
    fn it_is_given_whole_and_removed_whole() {
        let place = place("given");
        let out = place.join("out");
        let folder = Folder::create(&out).unwrap();
        folder.file("a").unwrap();
        folder.folder("usb").unwrap().file("b").unwrap();
        let kept = place.join("kept");
        fs::write(&kept, "").unwrap();
        symlink(&kept, out.join("link")).unwrap();
        // Root gives it to anybody, others to themselves.
        let own = fs::metadata(&place).unwrap();
        let given = if geteuid().is_root() { (65_534, 65_533) } else { (own.uid(), own.gid()) };
        folder.give(Uid::from_raw(given.0), Gid::from_raw(given.1)).unwrap();
        for path in ["", "a", "usb", "usb/b", "link"] {
            let found = fs::symlink_metadata(out.join(path)).unwrap();
            assert_eq!((found.uid(), found.gid()), given, "{path}");
        }
        assert_eq!(fs::metadata(&kept).unwrap().uid(), own.uid(), "what a link leads to is not given");
        folder.remove().unwrap();
        assert!(!out.exists() && kept.exists());
        fs::remove_dir_all(&place).unwrap();
    }
}
