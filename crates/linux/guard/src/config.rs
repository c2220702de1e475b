//! The configuration file, `/etc/airloom/guard.toml`. Every key has a default, and so has the file.

use airloom_daemon::units;
use airloom_policy::{Calls, ScanPolicyConfig, Weak};
use airloom_sim::{Bytes, Duration};
use serde::Deserialize;
use std::io::ErrorKind;
use std::path::Path;

/// Where it is looked for.
pub(crate) const PATH: &str = "/etc/airloom/guard.toml";

/// What the user wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Config {
    /// The interface to guard; the first that wpa_supplicant has when there is none.
    pub(crate) interface: Option<String>,
    /// Scans of others are aborted while scans are held off.
    pub(crate) abort: bool,
    pub(crate) terms: ScanPolicyConfig,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    interface: Option<String>,
    #[serde(default)]
    abort: bool,
    threshold: Option<toml::Spanned<String>>,
    look: Option<toml::Spanned<String>>,
    calls: Option<bool>,
    cap: Option<toml::Spanned<String>>,
    opening: Option<toml::Spanned<String>>,
    weak: Option<toml::Spanned<String>>,
    fall: Option<toml::Spanned<String>>,
    within: Option<toml::Spanned<String>>,
}

impl Config {
    /// Reads `path`; without a path, [`PATH`], which may be absent.
    pub(crate) fn load(path: Option<&Path>) -> Result<Self, String> {
        let place = path.unwrap_or(Path::new(PATH));
        match std::fs::read_to_string(place) {
            Ok(text) => Self::parse(&text).map_err(|e| format!("{}:{e}", place.display())),
            Err(e) if path.is_none() && e.kind() == ErrorKind::NotFound => Self::parse(""),
            Err(e) => Err(format!("{}: {e}", place.display())),
        }
    }

    /// Reads text; an error begins with the line.
    fn parse(text: &str) -> Result<Self, String> {
        let line = |at: usize| 1 + text[..at.min(text.len())].matches('\n').count();
        let form: Form = toml::from_str(text).map_err(|e| {
            let at = e.span().map_or(0, |span| span.start);
            format!("{}: {}", line(at), e.message().lines().collect::<Vec<_>>().join(" "))
        })?;
        let value = Value { line: &line };
        let second = Duration::from_secs(1);
        let terms = ScanPolicyConfig {
            threshold: value.of(
                form.threshold,
                "threshold",
                "64 KiB",
                units::size,
                Bytes(1)..=Bytes(1 << 40),
            )?,
            look: value.of(form.look, "look", "5 s", units::time, second..=second * 60)?,
            calls: form.calls.unwrap_or(true).then(Calls::default),
            cap: Some(value.of(form.cap, "cap", "5 min", units::time, second * 10..=second * 3600)?),
            opening: value.of(form.opening, "opening", "45 s", units::time, second..=second * 600)?,
            weak: Some(Weak {
                below_dbm: value.of(form.weak, "weak", "-75 dBm", |t| units::level(t, "dBm"), -120..=0)?,
                fall_db: value.of(form.fall, "fall", "6 dB", |t| units::level(t, "dB"), 1..=60)?,
                within: value.of(form.within, "within", "30 s", units::time, second..=second * 600)?,
            }),
        };
        Ok(Self { interface: form.interface, abort: form.abort, terms })
    }
}

/// Reads values that carry a unit.
struct Value<'a> {
    line: &'a dyn Fn(usize) -> usize,
}

impl Value<'_> {
    fn of<T: PartialOrd>(
        &self,
        found: Option<toml::Spanned<String>>,
        key: &str,
        default: &str,
        read: impl Fn(&str) -> Option<T>,
        range: std::ops::RangeInclusive<T>,
    ) -> Result<T, String> {
        let Some(found) = found else {
            return Ok(read(default).expect("defaults are well-formed"));
        };
        let text = found.get_ref();
        read(text).filter(|value| range.contains(value)).ok_or_else(|| {
            format!(
                "{}: `{key}` cannot be {text:?}; write it like {default:?}",
                (self.line)(found.span().start)
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_file_means_the_defaults_and_no_aborting() {
        let config = Config::parse("").unwrap();
        assert_eq!((config.interface, config.abort), (None, false));
        assert_eq!(config.terms.cap, Some(Duration::from_secs(300)));
        assert_eq!(config.terms.calls, Some(Calls::default()));
    }

    #[test]
    fn every_key_is_heeded() {
        let text = "interface = \"wlan1\"\nabort = true\nthreshold = \"1 MiB\"\nlook = \"10 s\"\ncalls = false\ncap = \"2 min\"\n\
                    opening = \"20 s\"\nweak = \"-80 dBm\"\nfall = \"3 dB\"\nwithin = \"20 s\"\n";
        let s = Duration::from_secs;
        let weak = Weak { below_dbm: -80, fall_db: 3, within: s(20) };
        let terms = ScanPolicyConfig {
            threshold: Bytes(1 << 20),
            look: s(10),
            calls: None,
            cap: Some(s(120)),
            opening: s(20),
            weak: Some(weak),
        };
        let expected = Config { interface: Some("wlan1".into()), abort: true, terms };
        assert_eq!(Config::parse(text).unwrap(), expected);
    }

    #[test]
    fn a_mistake_is_told_in_one_line_with_its_place() {
        let errors = [
            ("cap = \"5 parsecs\"", "1: `cap` cannot be \"5 parsecs\"; write it like \"5 min\""),
            ("\nabort = \"yes\"", "2: invalid type: string \"yes\", expected a boolean"),
            ("look = \"0 s\"", "1: `look` cannot be \"0 s\"; write it like \"5 s\""),
            ("# a call\nweak = \"strong\"", "2: `weak` cannot be \"strong\"; write it like \"-75 dBm\""),
        ];
        for (text, message) in errors {
            assert_eq!(Config::parse(text).unwrap_err(), message);
        }
        for text in ["treshold = \"1 KiB\"", "cap = ", "\u{0}", "[[cap]]", "cap = 5"] {
            let message = Config::parse(text).unwrap_err();
            assert!(message.starts_with("1: ") && !message.contains('\n'), "{message:?}");
        }
    }
}
