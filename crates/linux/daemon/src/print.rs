//! Writing for people. A failing terminal, pipe or journal is no reason for a daemon to end.

use std::io::{self, ErrorKind, Write};

/// What was asked for, on standard output. A reader may have seen enough before the end.
pub fn answer(text: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(format!("standard output: {e}")),
        _ => Ok(()),
    }
}

/// A line for the journal.
pub fn note(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// A line about what is wrong.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
