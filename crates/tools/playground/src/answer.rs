//! Which question is answered by what.

use crate::captures::captures;
use crate::check::check;
use crate::diagnose::{File, diagnose};
use crate::message::Message;
use crate::run::run;
use crate::scenario::Asked;
use serde::Deserialize;
use serde_json::json;

/// A question.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
enum Question {
    /// What is wrong with a scenario.
    Check(Asked),
    /// What a run of it measures.
    Run(Asked),
    /// What captures of its run hold.
    Captures(Asked),
    /// What is found in these captures.
    Diagnose {
        /// The files that are among the octets, in this order.
        files: Vec<File>,
    },
    /// The keys and words of scenarios, as a JSON Schema.
    Schema,
}

/// Answers a question. `progress` gets the share of a run that is done, and ends it by false.
pub fn answer(question: Vec<u8>, progress: &mut dyn FnMut(f64) -> bool) -> Vec<u8> {
    let answered = Message::read(question).and_then(|Message { json, octets }| {
        let question = serde_json::from_value(json).map_err(|error| error.to_string())?;
        Ok(match question {
            Question::Check(asked) => check(&asked),
            Question::Run(asked) => run(&asked, progress),
            Question::Captures(asked) => captures(&asked, progress),
            Question::Diagnose { files } => diagnose(&files, octets),
            Question::Schema => Message {
                octets: airloom_lab::scenario::json_schema().into_bytes(),
                ..Message::of(json!({}))
            },
        })
    });
    answered.unwrap_or_else(|error| Message::of(json!({ "error": error }))).written()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    const UPLOAD: &str = include_str!("../../../../examples/upload.toml");

    fn asked(question: Value, octets: &[u8]) -> Message {
        let question = Message { json: question, octets: octets.to_vec() }.written();
        Message::read(answer(question, &mut |_| true)).expect("a message")
    }

    #[test]
    fn a_mistake_has_its_place_and_what_to_write() {
        let text = UPLOAD.replacen("duration", "duraton", 1);
        let told = asked(json!({ "ask": "check", "text": text }), &[]).json;
        assert_eq!(told["ok"], false);
        let mistake = &told["mistakes"][0];
        assert_eq!(
            (mistake["column"].as_u64(), mistake["hint"].as_str()),
            (Some(1), Some("did you mean `duration`?"))
        );
    }

    #[test]
    fn a_run_has_four_columns() {
        let told =
            asked(json!({ "ask": "run", "text": UPLOAD, "set": [["duration", "3 s"]], "seed": 2 }), &[]);
        assert_eq!(told.json["summary"]["seed"], 2);
        let rows = told.json["series"]["rows"].as_u64().expect("a number") as usize;
        assert!(rows > 0);
        assert_eq!(told.octets.len(), rows * (8 + 8 + 2 + 1));
        let number = |at: usize| f64::from_le_bytes(told.octets[at..at + 8].try_into().expect("eight"));
        assert!((0..rows).all(|row| (0.0..3.0).contains(&number(8 * row))));
    }

    #[test]
    fn captures_are_diagnosed() {
        let short = json!({ "ask": "captures", "text": UPLOAD, "set": [["duration", "4 s"]] });
        let made = asked(short, &[]);
        assert_eq!(made.json["files"].as_array().map(Vec::len), Some(3));
        let told = asked(json!({ "ask": "diagnose", "files": made.json["files"] }), &made.octets).json;
        assert_eq!(told["captures"].as_array().map(Vec::len), Some(3), "{told}");
    }

    #[test]
    fn what_is_no_question_and_no_capture_is_refused() {
        assert!(
            asked(json!({ "ask": "weather" }), &[]).json["error"]
                .as_str()
                .is_some_and(|why| why.contains("weather"))
        );
        let files = json!([{ "name": "a.pcap", "length": 3 }]);
        for octets in [&b"no?"[..], b"no"] {
            assert!(asked(json!({ "ask": "diagnose", "files": files }), octets).json["error"].is_string());
        }
    }

    #[test]
    fn a_run_that_is_not_wanted_ends() {
        let question = Message::of(json!({ "ask": "run", "text": UPLOAD })).written();
        let told = Message::read(answer(question, &mut |_| false)).expect("a message");
        assert_eq!(told.json["error"], "interrupted; nothing was written");
    }
}
