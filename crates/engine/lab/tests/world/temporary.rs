//! Folders that vanish again.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A fresh folder, removed with everything in it when the test is over.
pub(crate) struct Temporary(PathBuf);

impl Temporary {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("airloom-test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).expect("a folder for temporary files");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Names of what lies in it, hidden or not.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a readable folder");
        let mut names: Vec<String> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        names
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // A failed removal cannot be reported here.
        let _ = fs::remove_dir_all(&self.0);
    }
}
