//! The folder of a bundle: hidden until it is complete, and locked by its run.
//!
//! A hidden folder has a random name, and a lock that the kernel releases when the process ends in any way. So several
//! processes, threads or containers may write into one place, and a hidden folder without a lock is left over from a
//! run that was killed.

use super::{Error, TAKEN, check_replaceable, failed};
use rustix::fs::{CWD, FlockOperation, Mode, OFlags, RenameFlags, flock, fstat, renameat_with};
use rustix::io::Errno;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The suffix of a hidden folder's name.
const HIDDEN: &str = ".airloom-partial";

/// The place of a bundle to be.
#[derive(Debug)]
pub(super) struct Folder {
    out: PathBuf,
    // In this order: the folder is removed before its lock is released.
    hidden: TempDir,
    _lock: Lock,
    /// Parent folders that were created, the innermost first.
    parents: Parents,
    replace: bool,
}

impl Folder {
    /// Makes sure that a bundle can be written at `out`. Creates missing parent folders, and removes leftovers of
    /// killed runs.
    ///
    /// # Errors
    /// If something is there already and is not to be replaced, or is more than a bundle, or the place cannot be written.
    pub(super) fn prepare(out: &Path, replace: bool) -> Result<Self, Error> {
        check_place(out, replace)?;
        let complain = |message: &str| Error { path: out.to_owned(), message: message.to_owned() };
        if out.file_name().is_none() {
            return Err(complain("is no name for a folder"));
        }
        let parent = parent_of(out);
        let missing = out.ancestors().skip(1).take_while(|a| !a.as_os_str().is_empty() && !a.exists());
        let parents = Parents(missing.map(Path::to_owned).collect());
        fs::create_dir_all(parent).map_err(failed(out))?;
        clear_leftovers(parent);
        let (hidden, lock) = create_hidden(parent).map_err(failed(out))?;
        Ok(Self { out: out.to_owned(), hidden, _lock: lock, parents, replace })
    }

    /// Where files are to be written until the bundle is whole.
    pub(super) fn path(&self) -> &Path {
        self.hidden.path()
    }

    /// Puts the finished folder in its place in one step. An old bundle there trades places with it and is then removed.
    ///
    /// # Errors
    /// If the disk fails, or `out` exists by now; then nothing is left. Only if the disk fails while it stores the new
    /// name is the bundle in its place nevertheless.
    pub(super) fn publish(self) -> Result<(), Error> {
        let fail = failed(&self.out);
        check_place(&self.out, self.replace)?;
        sync(self.path()).map_err(&fail)?;
        if self.replace && self.out.exists() {
            exchange(self.path(), &self.out).map_err(&fail)?;
        } else {
            rename_to_free(self.path(), &self.out).map_err(&fail)?;
        }
        for changed in [parent_of(&self.out)].into_iter().chain(self.parents.0.iter().map(|p| parent_of(p))) {
            sync(changed).map_err(&fail)?;
        }
        Ok(())
    }
}

/// Folders that are removed again if they stay empty.
#[derive(Debug)]
struct Parents(Vec<PathBuf>);

impl Drop for Parents {
    fn drop(&mut self) {
        for parent in &self.0 {
            // The system refuses if it is not empty.
            let _ = fs::remove_dir(parent);
        }
    }
}

fn parent_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes sure that `out` does not exist, or holds a bundle and nothing else if that may be replaced.
fn check_place(out: &Path, replace: bool) -> Result<(), Error> {
    // A dangling link counts as existing.
    match out.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        there => there.map_err(failed(out))?,
    };
    // What cannot be replaced is not said to be replaced by `--force`.
    let checked = check_replaceable(out).and_then(|()| if replace { Ok(()) } else { Err(TAKEN.to_owned()) });
    checked.map_err(|message| Error { path: out.to_owned(), message })
}

/// A fresh hidden folder beside the place of a bundle, and the lock on it.
fn create_hidden(parent: &Path) -> io::Result<(TempDir, Lock)> {
    loop {
        let hidden = tempfile::Builder::new()
            .prefix(".")
            .suffix(HIDDEN)
            .permissions(Permissions::from_mode(0o777))
            .tempdir_in(parent)?;
        match lock(hidden.path())? {
            // Another run that clears leftovers found it before it was locked, and removes it.
            Lock::Taken => {}
            lock => return Ok((hidden, lock)),
        }
    }
}

/// The result of locking a hidden folder.
#[derive(Debug)]
enum Lock {
    /// It is locked as long as this is open.
    Ours { _open: OwnedFd },
    /// Another run has it, or has removed it.
    Taken,
    /// The file system has no locks. Leftovers stay there, since they cannot be recognised.
    Impossible,
}

fn lock(folder: &Path) -> io::Result<Lock> {
    // A link, or a pipe that would block, is not one of ours.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let open = match rustix::fs::open(folder, flags, Mode::empty()) {
        Err(Errno::NOENT) => return Ok(Lock::Taken),
        opened => opened?,
    };
    match flock(&open, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => return Ok(Lock::Taken),
        Err(_) => return Ok(Lock::Impossible),
        Ok(()) => {}
    }
    let locked = fstat(&open)?.st_ino;
    let same = fs::symlink_metadata(folder).is_ok_and(|there| there.ino() == locked);
    Ok(if same { Lock::Ours { _open: open } } else { Lock::Taken })
}

/// Removes hidden folders whose runs were killed.
fn clear_leftovers(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.')
            && name.ends_with(HIDDEN)
            && let Ok(Lock::Ours { _open }) = lock(&entry.path())
        {
            // Leftovers that cannot be removed do not hinder this run.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Exchanges two folders in one step, where the file system can.
///
/// # Errors
/// If one of them is not there or the disk fails.
pub fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    match renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => exchange_in_steps(new, old),
        done => Ok(done?),
    }
}

/// Exchanges two folders where the file system cannot do so in one step. If the process is killed in between, the old
/// one stays beside its place as `.RANDOM.old`.
fn exchange_in_steps(new: &Path, old: &Path) -> io::Result<()> {
    let aside = new.with_extension("old");
    fs::rename(old, &aside)?;
    fs::rename(new, old).or_else(|error| fs::rename(&aside, old).and(Err(error)))?;
    fs::rename(&aside, new)
}

/// Renames to an unused name.
fn rename_to_free(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // Without such an option, the system still refuses to replace a folder that is not empty.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => fs::rename(from, to),
        done => Ok(done?),
    }
}

/// Syncs a folder's entries to disk, where the system can.
fn sync(folder: &Path) -> io::Result<()> {
    // A folder may be written to and not be read; some network file systems sync no folders.
    let Ok(folder) = File::open(folder) else { return Ok(()) };
    folder.sync_all().or_else(|error| match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
        _ => Err(error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_trade_places_in_one_step_or_in_three() {
        for exchange in [exchange, exchange_in_steps] {
            let place = tempfile::tempdir().expect("a folder");
            let (new, old) = (place.path().join(".new.airloom-partial"), place.path().join("old"));
            fs::create_dir(&new).expect("a folder");
            fs::create_dir(&old).expect("a folder");
            fs::write(new.join("new"), "").expect("a file");
            fs::write(old.join("old"), "").expect("a file");
            exchange(&new, &old).expect("nothing is in the way");
            assert!(old.join("new").exists() && new.join("old").exists());
            assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 2);
        }
    }

    #[test]
    fn nothing_is_renamed_over_what_has_come_to_lie_there() {
        let place = tempfile::tempdir().expect("a folder");
        let (new, taken) = (place.path().join("new"), place.path().join("taken"));
        fs::create_dir(&new).expect("a folder");
        fs::create_dir(&taken).expect("a folder");
        assert_eq!(rename_to_free(&new, &taken).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert!(new.exists());
    }
}
