//! A person's desktop, as far as its bus shows it: a game that asks GameMode for its services, and a program that has the screen cast.

use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::process::{Child, Command, ExitCode, Stdio};
use zbus::Message;
use zbus::blocking::Connection;
use zbus::message::Flags;
use zbus::zvariant::{ObjectPath, Value};

const PERSON: &str = "player";
const GAME_MODE: &str = "com.feralinteractive.GameMode";
const GAME_MODE_PATH: &str = "/com/feralinteractive/GameMode";
const PORTAL: &str = "org.freedesktop.portal.Desktop";
const CAST: &str = "/org/freedesktop/portal/desktop/session/1_7/cast";

/// GameMode, which may be asked how many games it has: the guard's program may begin after one of them.
struct GameMode(i32);

#[zbus::interface(name = "com.feralinteractive.GameMode")]
impl GameMode {
    #[zbus(property)]
    fn client_count(&self) -> i32 {
        self.0
    }
}

/// A desktop on which things happen as they are said.
pub(crate) struct Desktop(Child);

impl Desktop {
    /// A person who may change networks logs in, and has the guard told of the session.
    pub(crate) fn begin() -> Self {
        crate::check::run(&format!("useradd --create-home --groups netdev {PERSON}"));
        let desktop = Command::new("runuser")
            .args(["-u", PERSON, "--", "dbus-run-session", "--", crate::PROGRAM, "desktop"])
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        Self(desktop.expect("it is installed"))
    }

    /// Has something happen: see [`perform`].
    pub(crate) fn has(&mut self, what: &str) {
        let mut said = self.0.stdin.as_ref().expect("it is a pipe");
        writeln!(said, "{what}").expect("the desktop listens");
    }

    /// The person logs out.
    pub(crate) fn end(mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// The desktop itself, on its own bus, until its standard input ends.
pub(crate) fn perform() -> ExitCode {
    let mut session = Command::new("airloom-guard").arg("session").spawn().expect("it is installed");
    let games = Connection::session().expect("dbus-run-session gives one");
    games.object_server().at(GAME_MODE_PATH, GameMode(0)).expect("nothing is there");
    games.request_name(GAME_MODE).expect("nobody else has it");
    let portal = Connection::session().expect("dbus-run-session gives one");
    portal.request_name(PORTAL).expect("nobody else has it");
    let mut program = None;
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let done = match &*line {
            "a game" => clients(&games, 1),
            "no game" => clients(&games, 0),
            "a cast" => Connection::session().and_then(|client| {
                cast(&client)?;
                program = Some(client);
                Ok(())
            }),
            "no cast" => {
                let nothing = HashMap::<&str, Value<'_>>::new();
                portal.emit_signal(None::<&str>, CAST, "org.freedesktop.portal.Session", "Closed", &nothing)
            }
            // It vanishes, and closes nothing.
            _ => program.take().map_or(Ok(()), Connection::close),
        };
        done.expect("the bus takes it");
    }
    let _ = session.kill().and_then(|()| session.wait());
    ExitCode::SUCCESS
}

fn clients(games: &Connection, count: i32) -> zbus::Result<()> {
    games.object_server().interface::<_, GameMode>(GAME_MODE_PATH)?.get_mut().0 = count;
    let changed = HashMap::from([("ClientCount", Value::from(count))]);
    let body = (GAME_MODE, changed, Vec::<&str>::new());
    games.emit_signal(
        None::<&str>,
        GAME_MODE_PATH,
        "org.freedesktop.DBus.Properties",
        "PropertiesChanged",
        &body,
    )
}

fn cast(client: &Connection) -> zbus::Result<()> {
    let start = Message::method_call("/org/freedesktop/portal/desktop", "Start")?;
    let start = start.destination(PORTAL)?.interface("org.freedesktop.portal.ScreenCast")?;
    let body = (ObjectPath::try_from(CAST)?, "", HashMap::<&str, Value<'_>>::new());
    client.send(&start.with_flags(Flags::NoReplyExpected)?.build(&body)?)
}
