//! Rates from somebody else than nl80211, line by line: `NAMESPACE INDEX RATE`.
//!
//! NAMESPACE is the inode number of the interface's network namespace (`stat -Lc %i /proc/self/ns/net`), INDEX the interface's index in
//! it, RATE in bits per second. A rate is valid until the next line about the same interface, or the end.

use crate::links::Interface;
use std::io::{BufRead, Read};

/// The longest line, in octets.
const LONGEST: u64 = 128;

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Of which interface.
    pub interface: Interface,
    /// In bits per second.
    pub rate: u64,
}

/// The next line; none at the end.
///
/// # Errors
///
/// A line that is too long or says something else, or a reader that fails: in one line.
pub fn next(reader: &mut impl BufRead) -> Result<Option<Line>, String> {
    let mut octets = Vec::new();
    let n = reader.take(LONGEST).read_until(b'\n', &mut octets).map_err(|e| e.to_string())?;
    if n == 0 {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&octets);
    parsed(&text).map(Some).ok_or_else(|| {
        format!("{:?} is not NAMESPACE INDEX RATE, such as 4026531840 3 11000000", text.trim_end())
    })
}

fn parsed(text: &str) -> Option<Line> {
    let mut words = text.strip_suffix('\n')?.split_ascii_whitespace();
    let (namespace, index) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let line = Line { interface: Interface { namespace, index }, rate: words.next()?.parse().ok()? };
    words.next().is_none().then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_until_the_end() {
        let mut text = "4026531840 3 11000000\n1  2 0\n".as_bytes();
        let line = |namespace, index, rate| Line { interface: Interface { namespace, index }, rate };
        assert_eq!(next(&mut text), Ok(Some(line(4_026_531_840, 3, 11_000_000))));
        assert_eq!(next(&mut text), Ok(Some(line(1, 2, 0))));
        assert_eq!(next(&mut text), Ok(None));
    }

    #[test]
    fn anything_else_is_refused_in_one_short_line() {
        let endless = vec![b'1'; 1 << 20];
        for octets in [
            &b"wlan0 1\n"[..],
            b"1 2 3 4\n",
            b"1 2 -3\n",
            b"1 2 3",
            b"\n",
            b"\xff\0\n",
            b"1 2 99999999999999999999\n",
            &endless,
        ] {
            let message = next(&mut &*octets).unwrap_err();
            assert!(message.len() < 800 && !message.contains('\n'), "{message}");
        }
    }
}
