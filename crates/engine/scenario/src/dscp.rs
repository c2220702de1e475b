//! The DSCP of a flow's packets, by name or number.

use airloom_config::emit::Out;
use airloom_config::error::Faults;
use airloom_config::form::{Form, Words, count, words};
use airloom_config::toml_tree::{TomlNode, Value};
use serde_json::{Value as Json, json};

/// Names of the IANA registry "Differentiated Services Field Codepoints (DSCP)".
const NAMES: &[(&str, u8)] = &[
    ("DF", 0),
    ("LE", 1),
    ("CS1", 8),
    ("AF11", 10),
    ("AF12", 12),
    ("AF13", 14),
    ("CS2", 16),
    ("AF21", 18),
    ("AF22", 20),
    ("AF23", 22),
    ("CS3", 24),
    ("AF31", 26),
    ("AF32", 28),
    ("AF33", 30),
    ("CS4", 32),
    ("AF41", 34),
    ("AF42", 36),
    ("AF43", 38),
    ("CS5", 40),
    ("VOICE-ADMIT", 44),
    ("EF", 46),
    ("CS6", 48),
    ("CS7", 56),
];

/// What people write for a category.
const HINTS: &[(&str, &str)] = &[
    ("ef", "write \"EF\""),
    ("voice", VOICE),
    ("VO", VOICE),
    ("AC_VO", VOICE),
    ("video", VIDEO),
    ("VI", VIDEO),
    ("AC_VI", VIDEO),
    ("best effort", BEST_EFFORT),
    ("BE", BEST_EFFORT),
    ("AC_BE", BEST_EFFORT),
    ("CS0", BEST_EFFORT),
    ("background", BACKGROUND),
    ("BK", BACKGROUND),
    ("AC_BK", BACKGROUND),
];
const VOICE: &str = "packets with \"EF\" go in the voice category";
const VIDEO: &str = "packets with \"AF41\" go in the video category";
const BEST_EFFORT: &str = "packets with \"DF\", as without `dscp`, go in the best-effort category";
const BACKGROUND: &str = "packets with \"CS1\" go in the background category";

const NAMED: Words<u8> = words(NAMES, &[]).hinted(HINTS);

fn number() -> impl Form<Of = u8> {
    count(0, 63)
}

/// A codepoint: `"EF"`, or `46`.
pub(crate) struct DscpForm;

impl Form for DscpForm {
    type Of = u8;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<u8> {
        match found.first()?.value {
            Value::Whole(_) => number().read(faults, path, found),
            _ => NAMED.read(faults, path, found),
        }
    }

    fn write(&self, value: &u8) -> Option<Out> {
        NAMED.write(value).or_else(|| number().write(value))
    }

    fn schema(&self) -> Json {
        json!({ "anyOf": [NAMED.schema(), number().schema()] })
    }
}
