//! The scenario of tests that need no radio: a server sends to another one.

/// A flow from `sender` to `receiver` for a `duration`. Each of the two is a profile, and the link to it, as the inside of a table.
pub(crate) fn between(duration: &str, sender: (&str, &str), receiver: (&str, &str)) -> String {
    let server = |name: &str, (host, link): (&str, &str)| {
        format!("[[server]]\nname = \"{name}\"\nhost = \"{host}\"\nlink = {{ {link} }}\n")
    };
    format!(
        r#"
title = "From server to server"
duration = "{duration}"
[air]
band = "5 GHz"
standard = "802.11n"
width = "40 MHz"
[[ap]]
name = "ap"
adapter = "ath9k"
{}{}[[flow]]
from = "sender"
to = "receiver"
"#,
        server("sender", sender),
        server("receiver", receiver)
    )
}
