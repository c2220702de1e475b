//! `session`: what the daemon cannot see, since it happens on the bus of a person's own session, it is told from there: that
//! GameMode has a game, or that the desktop's portal casts the screen. It runs as that person, and may ask for no more than that
//! person may.

mod engaged;

use crate::{bus, client};
use airloom_daemon::print;
use engaged::{Engaged, Event};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use zbus::blocking::fdo::MonitoringProxy;
use zbus::blocking::{Connection, MessageIterator};
use zbus::message::Type;
use zbus::zvariant::{OwnedObjectPath, OwnedValue};
use zbus::{MatchRule, Message};

const DBUS: &str = "org.freedesktop.DBus";
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
/// GameMode: its name is its interface's too.
const GAME_MODE: &str = "com.feralinteractive.GameMode";
const GAME_MODE_PATH: &str = "/com/feralinteractive/GameMode";
const CLIENTS: &str = "ClientCount";
/// The portal's interfaces whose `Start` begins a cast, with the session for its first argument.
const CASTS: [&str; 2] = ["org.freedesktop.portal.ScreenCast", "org.freedesktop.portal.RemoteDesktop"];
const SESSION: &str = "org.freedesktop.portal.Session";

/// The daemon is told for so long ahead, and again in time: it forgets what nobody repeats.
const AHEAD: u32 = 60;
const AGAIN: Duration = Duration::from_secs(30);
/// Events that may wait; more are lost.
const WAITING: usize = 256;

/// Tells the daemon until the session's bus is gone.
pub(crate) fn run() -> Result<(), String> {
    let (sender, events) = sync_channel(WAITING);
    monitor(sender)?;
    let mut engaged = Engaged::default();
    engaged.take(Event::Games(games(&bus::session()?)));
    let (mut told, mut trouble) = (None::<Instant>, String::new());
    loop {
        let due = told.is_none_or(|at| at.elapsed() >= AGAIN);
        if engaged.goes_on() == told.is_none() || (due && told.is_some()) {
            let goes_on = engaged.goes_on();
            let said = client::call("Engage", &(if goes_on { AHEAD } else { 0 },)).err().unwrap_or_default();
            if said != trouble {
                print::complain(&said);
                trouble = said;
            }
            told = goes_on.then(Instant::now);
        }
        match events.recv_timeout(told.map_or(Duration::MAX, |at| AGAIN.saturating_sub(at.elapsed()))) {
            Ok(event) => engaged.take(event),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err("the session's bus has closed the connection".into());
            }
        }
    }
}

/// How many games GameMode has now. It is not started for the question.
fn games(session: &Connection) -> i32 {
    let owner = bus::owner(session, GAME_MODE).ok().flatten();
    let count = owner.and_then(|owner| bus::get(session, &owner, GAME_MODE_PATH, GAME_MODE, CLIENTS).ok());
    count.and_then(|count| count.downcast_ref().ok()).unwrap_or(0)
}

/// Sends what happens from now on. A person's own programs may see all of that person's bus.
fn monitor(sender: SyncSender<Event>) -> Result<(), String> {
    let monitor = bus::session()?;
    let messages = MessageIterator::from(&monitor);
    MonitoringProxy::new(&monitor)
        .and_then(|proxy| Ok(proxy.become_monitor(&rules()?, 0)?))
        .map_err(|e| format!("the session's bus cannot be watched: {e}"))?;
    thread::spawn(move || {
        // The loop is slower than a flood, and may miss some of that.
        messages
            .flatten()
            .filter_map(|message| event(&message))
            .for_each(|event| drop(sender.try_send(event)));
    });
    Ok(())
}

fn rules() -> zbus::Result<Vec<MatchRule<'static>>> {
    let rule = || MatchRule::builder();
    let call = |interface| rule().msg_type(Type::MethodCall).interface(interface);
    let [cast, remote] = CASTS;
    Ok(vec![
        call(cast)?.member("Start")?.build(),
        call(remote)?.member("Start")?.build(),
        call(SESSION)?.member("Close")?.build(),
        rule().msg_type(Type::Signal).interface(SESSION)?.member("Closed")?.build(),
        rule()
            .msg_type(Type::Signal)
            .interface(PROPERTIES)?
            .member("PropertiesChanged")?
            .arg(0, GAME_MODE)?
            .build(),
        rule().msg_type(Type::Signal).sender(DBUS)?.interface(DBUS)?.member("NameOwnerChanged")?.build(),
    ])
}

/// What a message of the session's bus says.
fn event(message: &Message) -> Option<Event> {
    let header = message.header();
    let (interface, member) = (header.interface()?.as_str(), header.member()?.as_str());
    let signal = message.message_type() == Type::Signal;
    match (interface, member) {
        (cast, "Start") if CASTS.contains(&cast) && !signal => {
            let body = message.body();
            let (session, ..) = body
                .deserialize::<(OwnedObjectPath, String, std::collections::HashMap<String, OwnedValue>)>()
                .ok()?;
            Some(Event::CastStarted { session: session.to_string(), client: header.sender()?.to_string() })
        }
        (SESSION, "Close" | "Closed") => Some(Event::CastEnded { session: header.path()?.to_string() }),
        (PROPERTIES, "PropertiesChanged") => {
            type Changes = (String, std::collections::HashMap<String, OwnedValue>, Vec<String>);
            let (of, changed, _) = message.body().deserialize::<Changes>().ok()?;
            let count = changed.get(CLIENTS).filter(|_| of == GAME_MODE)?;
            Some(Event::Games(count.downcast_ref().ok()?))
        }
        (DBUS, "NameOwnerChanged") if header.sender()?.as_str() == DBUS => {
            let (name, _, new) = message.body().deserialize::<(String, String, String)>().ok()?;
            match &*name {
                GAME_MODE => Some(Event::Games(0)),
                _ => new.is_empty().then_some(Event::Left { client: name }),
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use zbus::zvariant::{ObjectPath, Value};

    fn path(text: &str) -> ObjectPath<'_> {
        ObjectPath::try_from(text).unwrap()
    }

    #[test]
    fn a_cast_begins_with_start_and_ends_with_close_or_closed() {
        for interface in CASTS {
            let start = Message::method_call("/org/freedesktop/portal/desktop", "Start").unwrap();
            let start = start.interface(interface).unwrap().sender(":1.7").unwrap();
            let start = start.build(&(path("/s/1"), "", HashMap::<&str, Value<'_>>::new())).unwrap();
            let expected = Event::CastStarted { session: "/s/1".into(), client: ":1.7".into() };
            assert_eq!(event(&start), Some(expected));
        }
        let ended = Some(Event::CastEnded { session: "/s/1".into() });
        let close = Message::method_call("/s/1", "Close").unwrap().interface(SESSION).unwrap();
        assert_eq!(event(&close.build(&()).unwrap()), ended);
        let closed = Message::signal("/s/1", SESSION, "Closed").unwrap();
        assert_eq!(event(&closed.build(&HashMap::<&str, Value<'_>>::new()).unwrap()), ended);
    }

    #[test]
    fn games_are_counted_by_gamemode_and_gone_with_it() {
        let changed = |of: &str, count: i32| {
            let changed = HashMap::from([(CLIENTS, Value::from(count))]);
            let signal = Message::signal(GAME_MODE_PATH, PROPERTIES, "PropertiesChanged").unwrap();
            event(&signal.build(&(of, changed, Vec::<&str>::new())).unwrap())
        };
        assert_eq!(changed(GAME_MODE, 2), Some(Event::Games(2)));
        assert_eq!(changed("a.b", 2), None);
        let owner = |sender: &str, name: &str, new: &str| {
            let signal = Message::signal("/org/freedesktop/DBus", DBUS, "NameOwnerChanged").unwrap();
            event(&signal.sender(sender).unwrap().build(&(name, ":1.7", new)).unwrap())
        };
        assert_eq!(owner(DBUS, GAME_MODE, ""), Some(Event::Games(0)));
        assert_eq!(owner(DBUS, ":1.7", ""), Some(Event::Left { client: ":1.7".into() }));
        assert_eq!(owner(DBUS, ":1.7", ":1.7"), None);
        assert_eq!(owner(":1.9", ":1.7", ""), None, "only the bus is believed");
    }

    #[test]
    fn the_rules_are_well_formed() {
        assert_eq!(rules().unwrap().len(), 6);
    }
}
