//! Commands to be copied into a shell. Linux forbids only `/`, `:` and white space in the names of interfaces, and a snapshot may
//! say anything, so every word that is not ours is quoted.

use crate::finding::Wrong;
use crate::snapshot::Interface;

/// A command of these words, as a shell takes it.
pub(crate) fn command(words: &[&str]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// What has an interface find its access point anew: the command of wpa_supplicant (`wpa_cli` with these words) where that was reached, or
/// of what else has the connection, NetworkManager or iwd. Where neither shows, the command that finds out what has it.
pub(crate) fn anew(wrong: Wrong, interface: &Interface, words: &[&str]) -> Wrong {
    let name = interface.name.as_str();
    let connection = interface.manager.as_ref().and_then(|manager| manager.connection.as_deref());
    let of_supplicant = || command(&[&["sudo", "wpa_cli", "-i", name], words].concat());
    match (&interface.supplicant, connection, &interface.ssid) {
        (Some(_), _, _) => Wrong { command: of_supplicant(), ..wrong },
        (None, Some(id), _) => Wrong { command: command(&["nmcli", "connection", "up", id]), ..wrong },
        (None, None, Some(ssid)) if interface.iwd => Wrong { command: of_iwd(name, ssid), ..wrong },
        (None, None, _) => {
            let then =
                format!("have what is there connect anew; of wpa_supplicant that is {}", of_supplicant());
            Wrong {
                command: "ps -C wpa_supplicant,iwd,NetworkManager,connmand -o comm=".to_owned(),
                only_looks: true,
                advice: Some(wrong.advice.map_or(then.clone(), |advice| format!("{then}; {advice}"))),
                ..wrong
            }
        }
    }
}

/// iwd (doc/station-api.txt, `Connect` of a network) does nothing for the network that it has: it leaves that first.
fn of_iwd(name: &str, ssid: &str) -> String {
    let station = |words: &[&str]| command(&[&["iwctl", "station", name], words].concat());
    format!("{} && {}", station(&["disconnect"]), station(&["connect", ssid]))
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
