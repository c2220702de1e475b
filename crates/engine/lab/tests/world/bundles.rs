//! Any obstacle to a bundle is reported in one line, and no half-written files are left.

use crate::scenarios::upload;
use crate::temporary::Temporary;
use airloom_lab::capture::Settings;
use airloom_lab::run::{Error, Options, run_to_bundle};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tries to leave a bundle at `out`, and expects to be refused with this in the message.
fn refused(out: &Path, options: &Options, words: &str) {
    let error = run_to_bundle(&upload(1), out, options, &mut |_| true).expect_err("something is in the way");
    let message = error.to_string();
    assert!(matches!(error, Error::Bundle(_)) && message.contains(words), "{message}");
    assert!(message.contains(&*out.to_string_lossy()) && !message.contains('\n'), "{message}");
    assert!(!message.contains("partial"), "it names what the caller named: {message}");
}

fn with_captures() -> Options {
    Options { capture: Some(Settings::default()), ..Options::default() }
}

#[test]
fn what_exists_is_replaced_only_when_told_and_only_if_it_is_a_bundle() {
    let folder = Temporary::new();
    let (run, file, photos) =
        (folder.path().join("run"), folder.path().join("file"), folder.path().join("photos"));
    fs::write(&file, "precious").expect("a file");
    fs::create_dir(&photos).expect("a folder");
    let force = Options { replace: true, ..Options::default() };
    for place in [&file, &photos] {
        // What `force` does not replace is not said to be replaced by it.
        refused(place, &Options::default(), "is no run bundle");
        refused(place, &force, "is no run bundle");
    }
    run_to_bundle(&upload(1), &run, &Options::default(), &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
    refused(&run, &Options::default(), "exists already");
    let before = fs::read(run.join("summary.json")).expect("a summary");
    run_to_bundle(&upload(2), &run, &force, &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
    assert_ne!(fs::read(run.join("summary.json")).expect("a summary"), before);
    assert_eq!(folder.names(), ["file", "photos", "run"]);
    assert_eq!(fs::read(&file).expect("a file"), b"precious");
}

#[test]
fn a_bundle_with_files_of_others_in_it_is_not_replaced() {
    let folder = Temporary::new();
    let run = folder.path().join("run");
    let force = Options { replace: true, ..Options::default() };
    run_to_bundle(&upload(1), &run, &Options::default(), &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
    fs::write(run.join("report.html"), "a report").expect("a file");
    run_to_bundle(&upload(1), &run, &force, &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
    assert!(!run.join("report.html").exists());
    fs::write(run.join("notes.txt"), "precious").expect("a file");
    refused(&run, &force, "holds notes.txt, which is not of the run");
    assert_eq!(fs::read(run.join("notes.txt")).expect("a file"), b"precious");
    assert_eq!(folder.names(), ["run"]);
}

#[test]
fn missing_folders_above_are_made_and_go_again_if_nothing_comes_of_the_run() {
    let folder = Temporary::new();
    let run = folder.path().join("no/where/run");
    run_to_bundle(&upload(1), &run, &Options::default(), &mut |_| false).expect_err("it was stopped");
    assert!(folder.names().is_empty());
    run_to_bundle(&upload(1), &run, &Options::default(), &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
    assert!(run.join("summary.json").is_file());
    let other = folder.path().join("no/other/run");
    run_to_bundle(&upload(1), &other, &Options::default(), &mut |_| false).expect_err("it was stopped");
    assert!(run.join("summary.json").is_file() && !folder.path().join("no/other").exists());
}

#[test]
fn a_file_as_parent_is_refused() {
    let folder = Temporary::new();
    fs::write(folder.path().join("file"), "").expect("a file");
    refused(&folder.path().join("file/run"), &Options::default(), "file/run");
    assert_eq!(folder.names(), ["file"]);
}

#[test]
fn a_parent_without_permission_is_refused() {
    let folder = Temporary::new();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).expect("its owner may");
    if fs::write(folder.path().join("probe"), "").is_err() {
        refused(&folder.path().join("run"), &Options::default(), "no permission");
        assert!(folder.names().is_empty());
    } else {
        // The superuser may write anywhere but where the kernel itself refuses.
        refused(Path::new("/sys/airloom-test"), &Options::default(), "no permission");
    }
}

#[test]
fn an_interrupted_run_leaves_nothing() {
    for options in [Options::default(), with_captures()] {
        let folder = Temporary::new();
        let mut reports = 0;
        let mut stop = |_| {
            reports += 1;
            reports < 3
        };
        let error = run_to_bundle(&upload(1), &folder.path().join("run"), &options, &mut stop);
        assert!(matches!(error, Err(Error::Interrupted)), "{error:?}");
        assert!(folder.names().is_empty(), "{:?}", folder.names());
    }
}

/// Two runs at once into one place, as threads of one process or containers on one volume make them.
#[test]
fn of_two_runs_into_one_place_the_first_to_end_stays_and_the_other_is_refused() {
    let folder = Temporary::new();
    let out = folder.path().join("run");
    let both_began = Barrier::new(2);
    let run = |seed| {
        let mut began = false;
        let mut progress = |_| {
            if !std::mem::replace(&mut began, true) {
                both_began.wait();
            }
            true
        };
        run_to_bundle(&upload(seed), &out, &with_captures(), &mut progress)
    };
    let (one, two) = std::thread::scope(|scope| {
        let one = scope.spawn(|| run(1));
        (run(2), one.join().expect("no panic"))
    });
    let ((Ok(summary), Err(error)) | (Err(error), Ok(summary))) = (one, two) else {
        panic!("one of them has the place");
    };
    assert!(error.to_string().contains("exists already"), "{error}");
    assert_eq!(fs::read_to_string(out.join("summary.json")).expect("a summary"), summary);
    assert_eq!(folder.names(), ["run"]);
}

#[test]
fn what_killed_runs_have_left_is_cleared_and_what_others_write_stays() {
    let folder = Temporary::new();
    let hidden = |name: &str| folder.path().join(format!(".{name}.airloom-partial"));
    for name in ["run.killed", "other.killed", "run.running"] {
        fs::create_dir(hidden(name)).expect("a folder");
        fs::write(hidden(name).join("series.parquet"), "half").expect("a file");
    }
    // Any user of a shared folder may place one, and opening it would wait for a writer without end.
    let pipe = hidden("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().is_ok_and(|done| done.success()));
    let running = fs::File::open(hidden("run.running")).expect("a folder");
    rustix::fs::flock(&running, rustix::fs::FlockOperation::LockExclusive).expect("not locked elsewhere");
    let out = folder.path().join("run");
    run_to_bundle(&upload(1), &out, &Options::default(), &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(folder.names(), [".pipe.airloom-partial", ".run.running.airloom-partial", "run"]);
    assert!(hidden("run.running").join("series.parquet").exists());
}

#[test]
fn a_bundle_is_there_at_every_moment_while_it_is_replaced() {
    let folder = Temporary::new();
    let out = folder.path().join("run");
    let replace = |seed| {
        let force = Options { replace: true, ..Options::default() };
        run_to_bundle(&upload(seed), &out, &force, &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
    };
    replace(1);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let looks = scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                assert!(out.join("manifest.json").exists(), "the bundle was gone for a moment");
            }
        });
        (2..5).for_each(replace);
        over.store(true, Ordering::Relaxed);
        looks.join().expect("it was there all the time");
    });
    assert_eq!(folder.names(), ["run"]);
}

#[test]
fn a_link_that_leads_nowhere_is_in_the_way() {
    let folder = Temporary::new();
    let out = folder.path().join("run");
    std::os::unix::fs::symlink("nowhere", &out).expect("a link");
    refused(&out, &Options::default(), "is no run bundle");
    refused(&out, &Options { replace: true, ..Options::default() }, "is no run bundle");
}

/// A file system of a few pages, mounted on a folder for as long as it lives.
struct Tiny<'a>(&'a Path);

impl<'a> Tiny<'a> {
    fn mount(place: &'a Path) -> Option<Self> {
        let mount =
            Command::new("mount").args(["-t", "tmpfs", "-o", "size=16k", "tmpfs"]).arg(place).output();
        mount.is_ok_and(|done| done.status.success()).then_some(Self(place))
    }
}

impl Drop for Tiny<'_> {
    fn drop(&mut self) {
        // A folder that stays mounted cannot be removed, and this test cannot help it.
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_leaves_nothing() {
    let folder = Temporary::new();
    let Some(_mounted) = Tiny::mount(folder.path()) else {
        println!("skipped: only the superuser can mount the tiny file system that this test fills");
        return;
    };
    for options in [Options::default(), with_captures()] {
        refused(&folder.path().join("run"), &options, "the disk is full");
        assert!(folder.names().is_empty(), "{:?}", folder.names());
    }
    // With captures the disk is full long before the end.
    let mut share = 0.0;
    let mut progress = |done| {
        share = done;
        true
    };
    run_to_bundle(&upload(1), &folder.path().join("run"), &with_captures(), &mut progress)
        .expect_err("no room");
    assert!(share < 0.5, "it went on to {share}");
}
