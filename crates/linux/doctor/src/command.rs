//! Commands to be copied into a shell. Linux forbids only `/`, `:` and white space in the names of interfaces, and a snapshot may
//! say anything, so every word that is not ours is quoted.

use crate::snapshot::Interface;

/// A command of these words, as a shell takes it.
pub(crate) fn command(words: &[&str]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// The command that has an interface find its access point anew: of wpa_supplicant (`wpa_cli` with these words), or of NetworkManager
/// where that has the connection and wpa_supplicant was not reached, which may not even be there.
pub(crate) fn anew(interface: &Interface, words: &[&str]) -> String {
    let connection = interface.manager.as_ref().and_then(|manager| manager.connection.as_deref());
    match (&interface.supplicant, connection) {
        (None, Some(id)) => command(&["nmcli", "connection", "up", id]),
        _ => command(&[&["sudo", "wpa_cli", "-i", &interface.name], words].concat()),
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-:/+@".contains(c);
    // `NAME=VALUE` is a word of its own kind only before a command, and `=NAME` in zsh.
    let inside = |c: char| plain(c) || "=%".contains(c);
    if word.starts_with(plain) && word.chars().all(inside) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_shell_takes_any_word_for_itself() {
        let all: String = (1..=255).map(char::from).collect();
        let each = (1..=255).map(char::from).map(String::from);
        let more = [
            "",
            "wl`id`",
            "a;curl x|sh;",
            "$(id)",
            "it's",
            "''",
            "-n",
            "~",
            "=ls",
            "a b",
            "!!",
            "#x",
            "\u{202e}x",
        ];
        let words: Vec<String> = each.chain(more.map(str::to_owned)).chain([all]).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let line = command(&[&["printf", "%s\\0"], &words[..]].concat());
        let said = Command::new("sh").args(["-c", &line]).output().unwrap();
        assert!(said.status.success() && said.stderr.is_empty());
        let expected: Vec<u8> = words.iter().flat_map(|word| [word.as_bytes(), b"\0"].concat()).collect();
        assert_eq!(said.stdout, expected);
    }

    #[test]
    fn what_needs_no_quotes_has_none() {
        assert_eq!(command(&["sudo", "iw", "dev", "wlp0s20f3", "a=b"]), "sudo iw dev wlp0s20f3 a=b");
    }
}
