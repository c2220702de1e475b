//! What a program is called by the person at the laptop: not its interpreter, and with the panel or applet that it works for.

use std::fs;
use std::path::{Path, PathBuf};

/// Panels and applets that ask for scans, by the name of their process, which the kernel cuts off after fifteen octets.
const PANELS: [(&str, &str); 24] = [
    ("gnome-shell", "GNOME's panel"),
    ("gnome-control-c", "GNOME's settings"),
    ("plasmashell", "KDE's panel"),
    ("kded5", "KDE's applets"),
    ("kded6", "KDE's applets"),
    ("systemsettings", "KDE's settings"),
    ("cinnamon", "Cinnamon's panel"),
    ("xfce4-panel", "Xfce's panel"),
    ("mate-panel", "MATE's panel"),
    ("lxqt-panel", "LXQt's panel"),
    ("lxpanel", "LXDE's panel"),
    ("budgie-panel", "Budgie's panel"),
    ("cosmic-applet-n", "COSMIC's applet"),
    ("cosmic-settings", "COSMIC's settings"),
    ("nm-applet", "an applet"),
    ("nm-tray", "an applet"),
    ("iwgtk", "an applet"),
    ("waybar", "a panel"),
    ("polybar", "a panel"),
    ("quickshell", "a panel"),
    ("eww", "a panel"),
    ("i3blocks", "a panel"),
    ("i3status-rs", "a panel"),
    ("conky", "a panel"),
];
/// Programs that run others' text: what they run is meant.
const INTERPRETERS: [&str; 8] = ["python", "perl", "ruby", "node", "gjs", "bash", "sh", "dash"];
/// So many parents are looked at.
const GENERATIONS: usize = 8;

/// A process and what is known of it, as long as it is there.
pub(super) struct Program {
    folder: PathBuf,
    process: u32,
    name: String,
}

impl Program {
    /// The program that runs as this process, by the files in `proc`.
    pub(super) fn of(proc: &Path, process: u32) -> Option<Self> {
        let folder = proc.join(process.to_string());
        let name = fs::read(folder.join("comm")).ok()?;
        let mut program = Self { folder, process, name: harmless(&name) };
        if let Some(script) = program.script() {
            program.name = script;
        }
        Some(program)
    }

    /// Its name and process id, what it is if that is known, and for which panel it works.
    pub(super) fn told(&self) -> String {
        let this = format!("{} ({})", self.name, self.process);
        if let Some(what) = self.what() {
            return format!("{this}, {what}");
        }
        let mut ancestors = std::iter::successors(self.parent(), Self::parent).take(GENERATIONS);
        match ancestors.find_map(|parent| Some((parent.what()?, parent))) {
            Some((what, parent)) => format!("{this} for {} ({}), {what}", parent.name, parent.process),
            None => this,
        }
    }

    fn what(&self) -> Option<&'static str> {
        PANELS.iter().find(|(name, _)| *name == self.name).map(|(_, what)| *what)
    }

    fn parent(&self) -> Option<Self> {
        let status = fs::read_to_string(self.folder.join("status")).ok()?;
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:")?.trim().parse().ok())?;
        Self::of(self.folder.parent()?, parent)
    }

    /// The file's name of what an interpreter runs: the first of its words that is no option.
    fn script(&self) -> Option<String> {
        let plain = self.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        if !INTERPRETERS.contains(&plain) {
            return None;
        }
        let line = fs::read(self.folder.join("cmdline")).ok()?;
        let script = line.split(|octet| *octet == 0).skip(1).find(|word| !word.starts_with(b"-"))?;
        let name = script.rsplit(|octet| *octet == b'/').next().filter(|name| !name.is_empty())?;
        Some(harmless(name))
    }
}

/// A name that a program has given itself, fit for a terminal.
fn harmless(name: &[u8]) -> String {
    String::from_utf8_lossy(name.strip_suffix(b"\n").unwrap_or(name)).escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_speak_to_a_terminal() {
        assert_eq!(harmless(b"Web Content\n"), "Web Content");
        assert_eq!(harmless(b"\x1b]0;x\x07\na\n"), "\\u{1b}]0;x\\u{7}\\na");
        assert_eq!(harmless("\u{202e}txt\u{9b}".as_bytes()), "\\u{202e}txt\\u{9b}");
        assert_eq!(harmless(b"\xffx\n"), "\u{fffd}x");
    }

    /// A machine with processes: id, parent, name, command line.
    fn told(processes: &[(u32, u32, &str, &str)], process: u32) -> Option<String> {
        let proc = tempfile::tempdir().unwrap();
        for (id, parent, name, line) in processes {
            let folder = proc.path().join(id.to_string());
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("comm"), format!("{name}\n")).unwrap();
            fs::write(folder.join("cmdline"), line.replace(' ', "\0")).unwrap();
            fs::write(folder.join("status"), format!("Name:\t{name}\nPPid:\t{parent}\n")).unwrap();
        }
        Program::of(proc.path(), process).map(|program| program.told())
    }

    #[test]
    fn panels_and_applets_are_told_as_such() {
        let name = |name| told(&[(7, 1, name, "x")], 7).unwrap();
        assert_eq!(name("plasmashell"), "plasmashell (7), KDE's panel");
        assert_eq!(name("gnome-control-c"), "gnome-control-c (7), GNOME's settings");
        assert_eq!(name("iw"), "iw (7)");
        assert_eq!(told(&[], 7), None);
    }

    #[test]
    fn what_a_panel_has_run_is_told_with_it() {
        let shell = "sh -c while sleep 10; do nmcli device wifi list; done";
        let machine = [
            (1, 0, "systemd", "systemd"),
            (50, 1, "waybar", "waybar"),
            (60, 50, "sh", shell),
            (70, 60, "nmcli", "nmcli device wifi list"),
            (80, 1, "nmcli", "nmcli"),
        ];
        assert_eq!(told(&machine, 70).unwrap(), "nmcli (70) for waybar (50), a panel");
        assert_eq!(told(&machine, 80).unwrap(), "nmcli (80)");
    }

    #[test]
    fn what_an_interpreter_runs_is_meant() {
        let run = |name, line| told(&[(7, 1, name, line)], 7).unwrap();
        assert_eq!(run("python3.11", "/usr/bin/python3 -u /usr/bin/nm-tray"), "nm-tray (7), an applet");
        assert_eq!(run("python3", "python3"), "python3 (7)");
        assert_eq!(run("shotwell", "shotwell /x/y"), "shotwell (7)");
    }

    #[test]
    fn parents_in_a_circle_come_to_an_end() {
        assert_eq!(told(&[(7, 8, "a", ""), (8, 7, "b", "")], 7).unwrap(), "a (7)");
    }
}
