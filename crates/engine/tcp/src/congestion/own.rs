//! Congestion controls that the caller brings: each has a name, and makes a control for every connection.

use super::{Congestion, CongestionControl};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// Makes the control of a connection that begins.
type Make = Arc<dyn Fn() -> Box<dyn CongestionControl> + Send + Sync>;

/// All that were brought. What a name means is looked up when a connection begins, so that it is settled before a run.
static BROUGHT: RwLock<BTreeMap<&'static str, Make>> = RwLock::new(BTreeMap::new());

/// The longest name, in bytes.
const LONGEST_NAME: usize = 40;

/// A congestion control of the caller's own, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Own(&'static str);

impl Own {
    /// The one of this name, if there is one.
    pub fn of(name: &str) -> Option<Self> {
        let brought = BROUGHT.read().unwrap_or_else(PoisonError::into_inner);
        brought.get_key_value(name).map(|(name, _)| Self(name))
    }

    /// All that there are, by name.
    pub fn all() -> Vec<Self> {
        let brought = BROUGHT.read().unwrap_or_else(PoisonError::into_inner);
        brought.keys().map(|name| Self(name)).collect()
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// The control of a connection that begins.
    pub(super) fn control(self) -> Box<dyn CongestionControl> {
        let make = Arc::clone(&BROUGHT.read().unwrap_or_else(PoisonError::into_inner)[self.0]);
        make()
    }
}

/// Why a control was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnError {
    /// The name is that of a control which is built in.
    BuiltIn(String),
    /// The name is not one: lower-case letters, digits, `-`, `_` and `+`, a letter first, 40 at most.
    NoName(String),
}

impl fmt::Display for OwnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(name) => write!(f, "`{name}` is built in: give yours another name"),
            Self::NoName(name) => write!(
                f,
                "`{}` is no name for it: a lower-case letter, then letters, digits, `-`, `_` or `+`, {LONGEST_NAME} in all at most",
                name.escape_debug()
            ),
        }
    }
}

impl std::error::Error for OwnError {}

/// Brings a congestion control: from now on scenarios may name it. One of the same name, brought before, is replaced.
///
/// ```
/// use airloom_sim::{Duration, Time};
/// use airloom_tcp::Congestion;
/// use airloom_tcp::congestion::{CongestionControl, CongestionWindow, Progress, register};
///
/// /// A window that stays as it is.
/// struct Fixed;
///
/// impl CongestionControl for Fixed {
///     fn ssthresh(&mut self, w: &CongestionWindow) -> u32 {
///         w.cwnd
///     }
///     fn grow(&mut self, w: &mut CongestionWindow, _ack: &Progress) {
///         w.cwnd = 40;
///     }
///     fn acked(&mut self, _w: &mut CongestionWindow, _ack: &Progress, _rtt: Option<Duration>) {}
///     fn timeout(&mut self, _now: Time, _next: u64) {}
/// }
///
/// let own = register("fixed", || Box::new(Fixed))?;
/// assert_eq!(Congestion::of("fixed"), Some(Congestion::Own(own)));
/// # Ok::<(), airloom_tcp::congestion::OwnError>(())
/// ```
///
/// # Errors
///
/// [`OwnError`] if the name cannot be used.
pub fn register(
    name: &str,
    make: impl Fn() -> Box<dyn CongestionControl> + Send + Sync + 'static,
) -> Result<Own, OwnError> {
    if Congestion::WORDS.iter().any(|(word, _)| *word == name) {
        return Err(OwnError::BuiltIn(name.to_owned()));
    }
    if !is_name(name) {
        return Err(OwnError::NoName(name.to_owned()));
    }
    let mut brought = BROUGHT.write().unwrap_or_else(PoisonError::into_inner);
    // Kinds are copied about, so a name lives as long as the program: once for each that is brought.
    let kept = brought.keys().copied().find(|kept| *kept == name);
    let kept = kept.unwrap_or_else(|| Box::leak(name.into()));
    brought.insert(kept, Arc::new(make));
    Ok(Own(kept))
}

/// Whether scenario files can have the name.
fn is_name(name: &str) -> bool {
    let rest = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_+".contains(c);
    name.len() <= LONGEST_NAME && name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::newreno::NewReno;
    use crate::congestion::slow_start::standard;

    fn reno() -> Box<dyn CongestionControl> {
        Box::new(NewReno::new(standard(), true))
    }

    #[test]
    fn a_name_is_known_once_it_is_brought_and_can_be_brought_again() {
        assert_eq!(Own::of("mine"), None);
        let own = register("mine", reno).expect("a name");
        assert_eq!((Own::of("mine"), own.name()), (Some(own), "mine"));
        assert_eq!(register("mine", reno), Ok(own));
        assert_eq!(Congestion::of("mine"), Some(Congestion::Own(own)));
        assert!(Own::all().contains(&own));
    }

    #[test]
    fn what_is_built_in_or_cannot_be_written_is_refused() {
        assert_eq!(register("cubic", reno), Err(OwnError::BuiltIn("cubic".to_owned())));
        for name in ["", "Mine", "my control", "9", "-", &"a".repeat(41)] {
            assert_eq!(register(name, reno), Err(OwnError::NoName(name.to_owned())));
        }
    }
}
