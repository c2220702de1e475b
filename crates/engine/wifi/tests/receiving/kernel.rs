//! Pseudo retry-out as Linux would have it (`kernel/`), held against ours: the same 10,000 random scripts of good and
//! damaged MPDUs, of any number, at any rate.
//!
//! The kernel's state machine is compiled here and answers each step. What the kernel's own reorder buffer does with it
//! its KUnit test reduces to one number, which has to be the one that our buffer gives.

use airloom_sim::{BitRate, Duration, Handle, Time};
use airloom_wifi::reorder::{Arrival, HT_WINDOW, Reorder, distance, number};
use airloom_wifi::reordering::pseudo_retry_out::{PseudoRetryOut, Verdict};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io, thread};

const SCRIPTS: u32 = 10_000;

const TIMEOUT: Duration = Duration::from_millis(100);

/// A generator that C has in three lines too (Marsaglia's xorshift, 32 bits).
struct Chance(u32);

impl Chance {
    fn draw(&mut self, below: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 % below
    }
}

/// One thing that happens to a receiver.
enum Step {
    /// All that is held has been held for long enough.
    Timeout,
    /// An MPDU comes in well.
    Good { rate: BitRate, seq: u16 },
    /// An MPDU comes in damaged.
    Damaged { rate: BitRate, seq: u16, tcp: bool },
}

/// The random script of a number: `retry_out_test.c` draws the same.
struct Script {
    chance: Chance,
    window: u16,
    head: u16,
    rate: u32,
    steps: u32,
}

impl Script {
    fn new(script: u32) -> Self {
        let mut chance = Chance((script + 1).wrapping_mul(2_654_435_761));
        let window = [16, 64, 128, 256][chance.draw(4) as usize];
        let head = chance.draw(4096) as u16;
        let rate = chance.draw(8);
        let steps = 40 + chance.draw(160);
        Self { chance, window, head, rate, steps }
    }

    /// What happens next while `head` is awaited.
    fn step(&mut self, head: u16) -> Step {
        const RATES: [u64; 8] =
            [6_500_000, 13_000_000, 19_500_000, 26_000_000, 39_000_000, 52_000_000, 78_000_000, 130_000_000];
        let other = u32::from(self.chance.draw(4) == 0);
        let rate = BitRate::from_bps(RATES[(self.rate + other) as usize % RATES.len()]);
        let kind = self.chance.draw(16);
        let mut ahead = |below: u32| number(head, self.chance.draw(below) as u16);
        let window = u32::from(self.window);
        match kind {
            0 => Step::Timeout,
            1 => Step::Good { rate, seq: ahead(2 * window) },
            2 => {
                let forward = self.chance.draw(2) == 1;
                let far = self.chance.draw(if forward { 2048 } else { window }) as u16;
                Step::Good { rate, seq: if forward { number(head, far) } else { distance(far, head) } }
            }
            3..=8 => Step::Good { rate, seq: ahead(window / 8) },
            9 => {
                let seq = self.chance.draw(4096) as u16;
                Step::Damaged { rate, seq, tcp: self.chance.draw(8) > 0 }
            }
            _ => {
                let seq = ahead(4);
                Step::Damaged { rate, seq, tcp: self.chance.draw(8) > 0 }
            }
        }
    }
}

/// Our receiver, which writes down what it asks its remedy and what comes out.
struct Receiver {
    now: Time,
    window: u16,
    reorder: Reorder,
    remedy: PseudoRetryOut,
    held: BTreeSet<u16>,
    /// What the kernel's state machine is asked.
    asked: String,
    /// What it has to answer.
    answers: String,
    /// FNV-1a of all events.
    digest: u64,
}

impl Receiver {
    fn note(&mut self, event: u16) {
        for octet in event.to_le_bytes() {
            self.digest = (self.digest ^ u64::from(octet)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn ask(&mut self, question: std::fmt::Arguments<'_>) {
        writeln!(self.asked, "{question}").expect("a string takes all");
    }

    fn answer(&mut self, answer: std::fmt::Arguments<'_>) {
        writeln!(self.answers, "{answer}").expect("a string takes all");
    }

    fn play(&mut self, script: u32) {
        let mut script = Script::new(script);
        self.window = script.window;
        self.reorder = Reorder::new(TIMEOUT, script.window);
        // More than half of all numbers ahead would be behind.
        self.reorder.advance(script.head / 2, &mut Vec::new());
        self.reorder.advance(script.head, &mut Vec::new());
        self.remedy = PseudoRetryOut::new(script.window);
        self.held.clear();
        self.ask(format_args!("new {} {}", script.window, script.head));
        for _ in 0..script.steps {
            let mut up = Vec::new();
            match script.step(self.reorder.head()) {
                Step::Timeout => {
                    self.now += TIMEOUT + TIMEOUT;
                    self.reorder.expire(self.now, &mut up);
                }
                Step::Good { rate, seq } => self.good(rate, seq, &mut up),
                Step::Damaged { rate, seq, tcp } => self.damaged(rate, seq, tcp, &mut up),
            }
            for packet in up {
                self.held.remove(&(packet.0 as u16));
                self.note(16 + packet.0 as u16);
            }
            self.note(self.reorder.head());
        }
    }

    fn heard(&mut self, rate: BitRate) {
        let head = self.reorder.head();
        self.remedy.heard(rate, head);
        self.ask(format_args!("heard {} {head}", rate.as_bps()));
    }

    fn good(&mut self, rate: BitRate, seq: u16, up: &mut Vec<Handle>) {
        self.heard(rate);
        let head = self.reorder.head();
        let arrival = self.reorder.receive(self.now, seq, Handle(u32::from(seq)), up);
        if arrival != Arrival::Stale {
            // An MPDU beyond the window has moved it before that is asked.
            let beyond = distance(head, seq) >= self.window;
            let head = if beyond { distance(self.window - 1, seq) } else { head };
            self.ask(format_args!("lost {seq} {head}"));
            self.answer(format_args!("{}", u8::from(arrival == Arrival::GivenUp)));
        }
        if arrival == Arrival::Accepted {
            self.held.insert(seq);
        }
        self.note(match arrival {
            Arrival::Accepted => 1,
            Arrival::Stale => 2,
            Arrival::GivenUp => 3,
        });
    }

    fn damaged(&mut self, rate: BitRate, seq: u16, tcp: bool, up: &mut Vec<Handle>) {
        self.heard(rate);
        let head = self.reorder.head();
        let verdict = self.remedy.damaged(seq, tcp);
        self.ask(format_args!("damaged {seq} {}", u8::from(tcp)));
        let mut gave_up = false;
        match verdict {
            Verdict::Incredible => self.answer(format_args!("incredible")),
            Verdict::Counted(n) => self.answer(format_args!("counted {n}")),
            Verdict::Overdue(n) => {
                self.answer(format_args!("overdue {n}"));
                gave_up = self.reorder.give_up(seq, up);
                // Of what is held the buffer knows itself.
                if !self.held.contains(&seq) {
                    self.ask(format_args!("give_up {seq} {head}"));
                    self.answer(format_args!("{}", u8::from(gave_up)));
                }
            }
        }
        self.note(match verdict {
            Verdict::Incredible => 4,
            Verdict::Counted(_) => 5,
            Verdict::Overdue(_) => 6,
        });
        self.note(u16::from(gave_up));
    }
}

fn played() -> Receiver {
    let mut receiver = Receiver {
        now: Time::ZERO,
        window: HT_WINDOW,
        reorder: Reorder::new(TIMEOUT, HT_WINDOW),
        remedy: PseudoRetryOut::new(HT_WINDOW),
        held: BTreeSet::new(),
        asked: String::new(),
        answers: String::new(),
        digest: 0xcbf2_9ce4_8422_2325,
    };
    (0..SCRIPTS).for_each(|script| receiver.play(script));
    receiver
}

fn kernel() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../kernel")
        .canonicalize()
        .expect("the patches are there")
}

/// The patch that brings the state machine.
fn state_machine() -> PathBuf {
    kernel().join("0001-wifi-mac80211-estimate-how-often-an-MPDU-was-tried.patch")
}

/// The patch that brings its tests.
fn tests() -> PathBuf {
    kernel().join("0003-wifi-mac80211-test-pseudo-retry-out-and-the-reorder-.patch")
}

fn succeeded(command: &mut Command) {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The kernel's state machine as a program.
fn program() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("retry_out");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder of our own");
    let apply = ["apply", "--include=net/mac80211/retry_out.*"];
    // The folder lies in a repository, which has nothing to do with the patch.
    succeeded(
        Command::new("git").args(apply).arg(state_machine()).current_dir(&folder).env("GIT_DIR", "none"),
    );
    let userspace = kernel().join("userspace");
    let program = folder.join("play");
    let flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-sign-compare"];
    let source = folder.join("net/mac80211");
    succeeded(
        Command::new("cc")
            .args(flags)
            .arg("-I")
            .arg(&userspace)
            .arg("-I")
            .arg(&source)
            .args([source.join("retry_out.c"), userspace.join("play.c")])
            .arg("-o")
            .arg(&program),
    );
    program
}

#[test]
fn ten_thousand_scripts_without_a_difference() {
    let Receiver { asked, answers, .. } = played();
    let mut play = Command::new(program())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program has just been built");
    let mut questions = play.stdin.take().expect("piped");
    let asking = thread::spawn(move || io::copy(&mut asked.as_bytes(), &mut questions).map(|_| asked));
    let output = play.wait_with_output().expect("it runs");
    let asked = asking.join().expect("no panic").expect("it reads everything");
    assert!(output.status.success());
    let theirs = String::from_utf8(output.stdout).expect("text");
    assert!(answers.lines().count() > 400_000, "{}", answers.lines().count());
    for word in ["incredible", "counted 0", "counted 8", "overdue 2", "overdue 5", "overdue 8"] {
        assert!(answers.contains(word), "no script has {word}");
    }
    if theirs != answers {
        let questions = asked.lines().filter(|question| !question.starts_with(['n', 'h']));
        let differing =
            questions.zip(answers.lines().zip(theirs.lines())).find(|(_, (ours, theirs))| ours != theirs);
        panic!("asked, (ours, theirs): {differing:?}");
    }
}

#[test]
fn the_reorder_buffers_agree() {
    let test = fs::read_to_string(tests()).expect("text");
    let digest = format!("+#define SCRIPTS_DIGEST {:#018x}ULL", played().digest);
    assert!(test.contains("+#define SCRIPTS 10000\n"));
    assert!(test.contains(&digest), "retry_out_test.c does not have {digest}");
}
