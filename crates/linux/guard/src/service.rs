//! What a desktop sees: `org.airloom.Guard1` on the system bus.
//!
//! It has a connection and threads of its own, and answers one call after the other: under a flood of calls its answers are
//! late, and neither the daemon nor the daemon's own calls to wpa_supplicant wait for them.

use crate::bus;
use crate::mailbox::Mailbox;
use crate::news::{Asked, News};
use airloom_sim::Duration;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use zbus::blocking::{Connection, MessageIterator};
use zbus::message::{Flags, Type};
use zbus::zvariant::Value;
use zbus::{MatchRule, Message};

/// The well-known name, of which there is one owner, and the interface.
pub(crate) const NAME: &str = "org.airloom.Guard1";
/// The object.
pub(crate) const PATH: &str = "/org/airloom/Guard1";
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
const INTROSPECTABLE: &str = "org.freedesktop.DBus.Introspectable";
/// Calls that wait while another is answered; more wait in the bus.
const WAITING: usize = 8;

const DESCRIPTION: &str = r#"<!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
<node>
  <interface name="org.airloom.Guard1">
    <!-- Holds scans off for so many seconds, whatever goes on, within the cap. -->
    <method name="Hold"><arg name="seconds" type="u" direction="in"/></method>
    <!-- Gives scans back until what goes on is over. -->
    <method name="Release"/>
    <!-- A game or a cast goes on in a session, for so many seconds more: as if the guard had seen a call. -->
    <method name="Engage"><arg name="seconds" type="u" direction="in"/></method>
    <!-- A scan was aborted, for this cause: the answer to a user's question why no networks appear. -->
    <signal name="ScanAborted"><arg name="cause" type="s"/></signal>
    <property name="State" type="s" access="read"/>
    <property name="Cause" type="s" access="read"/>
    <property name="Interface" type="s" access="read">
      <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
    </property>
    <property name="Trouble" type="s" access="read">
      <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
    </property>
    <property name="ScansSeen" type="u" access="read">
      <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
    </property>
    <property name="ScansAborted" type="u" access="read">
      <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
    </property>
    <property name="ScansLetThrough" type="u" access="read">
      <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
    </property>
  </interface>
  <interface name="org.freedesktop.DBus.Properties">
    <method name="Get">
      <arg name="interface" type="s" direction="in"/>
      <arg name="property" type="s" direction="in"/>
      <arg name="value" type="v" direction="out"/>
    </method>
    <method name="GetAll">
      <arg name="interface" type="s" direction="in"/>
      <arg name="values" type="a{sv}" direction="out"/>
    </method>
    <signal name="PropertiesChanged">
      <arg name="interface" type="s"/>
      <arg name="changed" type="a{sv}"/>
      <arg name="invalidated" type="as"/>
    </signal>
  </interface>
  <interface name="org.freedesktop.DBus.Introspectable">
    <method name="Introspect"><arg name="description" type="s" direction="out"/></method>
  </interface>
</node>
"#;

/// What the daemon shows of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Status {
    /// The interface guarded, or empty.
    pub(crate) interface: String,
    /// `free`, `holding` or `letting-through`.
    pub(crate) state: &'static str,
    /// Why it holds or not.
    pub(crate) cause: &'static str,
    /// What it could not do, or empty.
    pub(crate) trouble: String,
    pub(crate) scans_seen: u32,
    pub(crate) scans_aborted: u32,
    pub(crate) scans_let_through: u32,
}

impl Status {
    fn properties(&self) -> [(&'static str, Value<'_>); 7] {
        [
            ("Interface", (&*self.interface).into()),
            ("State", self.state.into()),
            ("Cause", self.cause.into()),
            ("Trouble", (&*self.trouble).into()),
            ("ScansSeen", self.scans_seen.into()),
            ("ScansAborted", self.scans_aborted.into()),
            ("ScansLetThrough", self.scans_let_through.into()),
        ]
    }
}

/// What is to be announced.
#[derive(Debug, Default)]
struct Announcements {
    /// State or cause are others.
    changed: bool,
    /// Why the last scan was aborted that has not been announced.
    aborted: Option<&'static str>,
}

/// The object on the bus, as the daemon sees it.
pub(crate) struct Service {
    status: Arc<Mutex<Status>>,
    announcements: Arc<Mailbox<Announcements>>,
}

impl Service {
    /// Takes the name, and answers from now on. What users ask for goes into `mailbox`.
    pub(crate) fn open(mailbox: &Arc<Mailbox<News>>) -> Result<Self, String> {
        let bus = bus::system()?;
        let service = Self { status: Arc::default(), announcements: Arc::default() };
        let rule = MatchRule::builder().msg_type(Type::MethodCall).build();
        let calls = MessageIterator::for_match_rule(rule, &bus, Some(WAITING)).map_err(|e| e.to_string())?;
        let (status, mailbox, answering) = (Arc::clone(&service.status), Arc::clone(mailbox), bus.clone());
        thread::spawn(move || {
            for call in calls.flatten() {
                let unasked = call.primary_header().flags().contains(Flags::NoReplyExpected);
                // A caller that is gone wants no answer.
                let _ = answer(&call, &status, &mailbox)
                    .and_then(|reply| if unasked { Ok(()) } else { answering.send(&reply) });
            }
            mailbox.put(|news| news.bus_gone = true);
        });
        bus::own(&bus, NAME)?;
        let (status, announcements) = (Arc::clone(&service.status), Arc::clone(&service.announcements));
        thread::spawn(move || {
            loop {
                if let Some(news) = announcements.wait(std::time::Duration::from_secs(3600)) {
                    // There may be no listener.
                    let _ = announce(&bus, &news, &status);
                }
            }
        });
        Ok(service)
    }

    /// What is shown, to be changed.
    pub(crate) fn status(&self) -> MutexGuard<'_, Status> {
        shown(&self.status)
    }

    /// Announces that the state or its cause are others.
    pub(crate) fn changed(&self) {
        self.announcements.put(|news| news.changed = true);
    }

    /// Announces that a scan was aborted.
    pub(crate) fn scan_aborted(&self, cause: &'static str) {
        self.announcements.put(|news| news.aborted = Some(cause));
    }
}

fn shown(status: &Mutex<Status>) -> MutexGuard<'_, Status> {
    status.lock().unwrap_or_else(PoisonError::into_inner)
}

fn announce(bus: &Connection, news: &Announcements, status: &Mutex<Status>) -> zbus::Result<()> {
    let every_listener = None::<&str>;
    if news.changed {
        let (state, cause) = {
            let status = shown(status);
            (status.state, status.cause)
        };
        let changed = HashMap::from([("State", Value::from(state)), ("Cause", Value::from(cause))]);
        let body = (NAME, changed, Vec::<&str>::new());
        bus.emit_signal(every_listener, PATH, PROPERTIES, "PropertiesChanged", &body)?;
    }
    match news.aborted {
        Some(cause) => bus.emit_signal(every_listener, PATH, NAME, "ScanAborted", &(cause,)),
        None => Ok(()),
    }
}

/// Does what a call asks for, and says what is to be answered.
fn answer(call: &Message, status: &Mutex<Status>, mailbox: &Mailbox<News>) -> zbus::Result<Message> {
    let header = call.header();
    let refuse = |error: &str, why: &str| {
        Message::error(&header, format!("org.freedesktop.DBus.Error.{error}"))?.build(&why)
    };
    let reply = || Message::method_return(&header);
    let ask = |add: &dyn Fn(&mut News)| {
        mailbox.put(add);
        reply()?.build(&())
    };
    if header.path().is_none_or(|path| path.as_str() != PATH) {
        return refuse("UnknownObject", "the guard is at /org/airloom/Guard1");
    }
    let interface = header.interface().map_or("", |name| name.as_str());
    let member = header.member().map_or("", |name| name.as_str());
    let body = call.body();
    match (interface, member) {
        (NAME, "Hold" | "Engage") => match body.deserialize::<u32>().map(|n| Duration::from_secs(n.into())) {
            Ok(time) if member == "Hold" => ask(&|news| news.asked = Some(Asked::HoldFor(time))),
            Ok(time) => ask(&|news| news.engaged = Some(time)),
            Err(_) => refuse("InvalidArgs", "it takes seconds, as u"),
        },
        (NAME, "Release") => ask(&|news| news.asked = Some(Asked::Release)),
        (PROPERTIES, "Get") => match body.deserialize::<(&str, &str)>() {
            Ok((NAME, name)) => {
                let status = shown(status).clone();
                match status.properties().into_iter().find(|(property, _)| *property == name) {
                    Some((_, value)) => reply()?.build(&value),
                    None => refuse("UnknownProperty", "there is no such property"),
                }
            }
            Ok(_) => refuse("UnknownInterface", "properties are org.airloom.Guard1's"),
            Err(_) => refuse("InvalidArgs", "Get takes the names of an interface and a property, as ss"),
        },
        (PROPERTIES, "GetAll") => match body.deserialize::<&str>() {
            Ok(NAME) => {
                let status = shown(status).clone();
                reply()?.build(&HashMap::from(status.properties()))
            }
            Ok(_) => refuse("UnknownInterface", "properties are org.airloom.Guard1's"),
            Err(_) => refuse("InvalidArgs", "GetAll takes the name of an interface, as s"),
        },
        (PROPERTIES, "Set") => refuse("PropertyReadOnly", "nothing here can be set"),
        (INTROSPECTABLE, "Introspect") => reply()?.build(&DESCRIPTION),
        _ => refuse("UnknownMethod", "there is no such method"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::time::Duration as Wait;
    use zbus::zvariant::{DynamicType, OwnedValue};

    fn call<B: serde::Serialize + DynamicType>(interface: &str, member: &str, body: &B) -> Message {
        let call = Message::method_call(PATH, member).unwrap().interface(interface).unwrap();
        call.build(body).unwrap()
    }

    /// What is answered, and what the daemon hears.
    fn heard(call: &Message) -> (Message, Option<News>) {
        let status = Status { state: "holding", cause: "transfer", scans_seen: 3, ..Status::default() };
        let mailbox = Mailbox::default();
        let reply = answer(call, &Mutex::new(status), &mailbox).unwrap();
        (reply, mailbox.wait(Wait::ZERO))
    }

    fn answered(call: &Message) -> (Message, Option<Asked>) {
        let (reply, news) = heard(call);
        (reply, news.and_then(|news| news.asked))
    }

    fn error(call: &Message) -> String {
        let (reply, news) = heard(call);
        assert!(news.is_none());
        reply.header().error_name().expect("it is refused").to_string()
    }

    #[test]
    fn it_shows_what_it_does() {
        let (reply, _) = answered(&call(PROPERTIES, "GetAll", &NAME));
        let all: BTreeMap<String, OwnedValue> = reply.body().deserialize().unwrap();
        assert_eq!(all.len(), 7);
        assert_eq!(all["State"].downcast_ref::<&str>().unwrap(), "holding");
        for (name, value) in all {
            let (reply, _) = answered(&call(PROPERTIES, "Get", &(NAME, &name)));
            assert_eq!(reply.body().deserialize::<OwnedValue>().unwrap(), value, "{name}");
            assert!(
                DESCRIPTION
                    .contains(&format!("<property name=\"{name}\" type=\"{}\"", value.value_signature()))
            );
        }
        let (reply, _) = answered(&call(INTROSPECTABLE, "Introspect", &()));
        assert_eq!(reply.body().deserialize::<&str>().unwrap(), DESCRIPTION);
    }

    #[test]
    fn it_passes_on_what_users_ask_for() {
        let hold = Asked::HoldFor(Duration::from_secs(90));
        assert_eq!(answered(&call(NAME, "Hold", &90_u32)).1, Some(hold));
        assert_eq!(answered(&call(NAME, "Release", &())).1, Some(Asked::Release));
        let news = heard(&call(NAME, "Engage", &60_u32)).1.unwrap();
        assert_eq!((news.engaged, news.asked), (Some(Duration::from_secs(60)), None));
    }

    #[test]
    fn anything_else_is_refused() {
        let refused = |error: &str| format!("org.freedesktop.DBus.Error.{error}");
        assert_eq!(error(&call(NAME, "Hold", &"long")), refused("InvalidArgs"));
        assert_eq!(error(&call(NAME, "Stop", &())), refused("UnknownMethod"));
        assert_eq!(error(&call(PROPERTIES, "Get", &(NAME, "Secret"))), refused("UnknownProperty"));
        assert_eq!(error(&call(PROPERTIES, "Get", &("a.b", "State"))), refused("UnknownInterface"));
        assert_eq!(error(&call(PROPERTIES, "Get", &vec![0_u8; 1000])), refused("InvalidArgs"));
        assert_eq!(
            error(&call(PROPERTIES, "Set", &(NAME, "State", Value::from("free")))),
            refused("PropertyReadOnly")
        );
        let elsewhere = Message::method_call("/", "Release").unwrap().interface(NAME).unwrap();
        assert_eq!(error(&elsewhere.build(&()).unwrap()), refused("UnknownObject"));
    }
}
