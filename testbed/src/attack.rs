//! A neighbour on the machine: an ordinary user's program that sends the guard, over the system bus, all that it can.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use zbus::Message;
use zbus::blocking::Connection;
use zbus::blocking::fdo::DBusProxy;
use zbus::message::Flags;
use zbus::names::BusName;
use zbus::zvariant::Value;

const NOBODY: u32 = 65534;
const GUARD: &str = "org.airloom.Guard1";
const OBJECT: &str = "/org/airloom/Guard1";
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
const SUPPLICANT: &str = "fi.w1.wpa_supplicant1";
/// The body of a message not much below what dbus-daemon's system bus takes (32 MiB).
const GIANT: usize = 30 << 20;

/// Starts an attack on a process of the guard, as nobody.
pub(crate) fn begin(kind: &str, process: &str, seconds: u64) -> Child {
    Command::new(crate::PROGRAM)
        .args(["attack", kind, process, &seconds.to_string()])
        .uid(NOBODY)
        .gid(NOBODY)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it is this program")
}

/// Waits for its end and gives what it says it did.
pub(crate) fn end(attack: Child) -> String {
    let output = attack.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).trim().to_owned()
}

/// The attack itself.
pub(crate) fn perform(kind: &str, process: &str, seconds: &str) -> ExitCode {
    let (process, seconds) = (process.parse().unwrap_or(0), seconds.parse().unwrap_or(0));
    let done = match kind {
        "states" => names(process).and_then(|names| flood(&names, state, seconds)),
        "owners" => names(process).and_then(|names| flood(&names, owner, seconds)),
        "calls" => flood(&[GUARD.to_owned()], call, seconds),
        "giants" => names(process).and_then(|names| giants(&names, seconds)),
        "orders" => orders(),
        "connections" => Ok(connections(seconds)),
        _ => Err(zbus::Error::Unsupported),
    };
    match done {
        Ok(said) => println!("{said}"),
        Err(e) => println!("{kind}: {e}"),
    }
    ExitCode::SUCCESS
}

/// Opens and closes connections over the loopback interface, each of which begins and ends with the default congestion control.
fn connections(seconds: u64) -> String {
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut opened = 0;
    while Instant::now() < until {
        let kept: Vec<_> = (0..200).filter_map(|_| TcpStream::connect("127.0.0.1:9").ok()).collect();
        opened += kept.len();
    }
    format!("{opened} connections")
}

/// All names of a process on the bus, the unique ones of its connections among them.
fn names(process: u32) -> zbus::Result<Vec<String>> {
    let connection = Connection::system()?;
    let bus = DBusProxy::new(&connection)?;
    let names = bus.list_names()?.into_iter();
    let its = |name: &BusName<'_>| bus.get_connection_unix_process_id(name.clone()).ok() == Some(process);
    Ok(names.filter(|name| its(name.inner())).map(|name| name.to_string()).collect())
}

/// A forged signal: wpa_supplicant has lost its link.
fn state(to: &str) -> zbus::Result<Message> {
    let changed = HashMap::from([("State", Value::from("disconnected"))]);
    let body = (format!("{SUPPLICANT}.Interface"), changed, Vec::<&str>::new());
    let path = "/fi/w1/wpa_supplicant1/Interfaces/0";
    Message::signal(path, PROPERTIES, "PropertiesChanged")?.destination(to)?.build(&body)
}

/// A forged signal: wpa_supplicant has gone.
fn owner(to: &str) -> zbus::Result<Message> {
    let signal = Message::signal("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged")?;
    signal.destination(to)?.build(&(SUPPLICANT, ":1.0", ""))
}

/// Methods that every user may call.
fn call(to: &str) -> zbus::Result<Message> {
    let call = Message::method_call(OBJECT, "Get")?.destination(to)?.interface(PROPERTIES)?;
    call.with_flags(Flags::NoReplyExpected)?.build(&(GUARD, "State"))
}

/// Sends the same for so many seconds.
fn flood(names: &[String], message: fn(&str) -> zbus::Result<Message>, seconds: u64) -> zbus::Result<String> {
    let mut octets = Vec::new();
    const ROUNDS: usize = 50;
    for name in names.iter().cycle().take(ROUNDS * names.len()) {
        octets.extend_from_slice(message(name)?.data());
    }
    let mut client = client()?;
    let (began, mut sent) = (Instant::now(), 0);
    while began.elapsed() < Duration::from_secs(seconds) {
        client.write_all(&octets)?;
        sent += ROUNDS * names.len();
    }
    Ok(format!("{sent} to {}", names.join(", ")))
}

/// Sends the largest messages that pass, of each kind that may.
fn giants(names: &[String], seconds: u64) -> zbus::Result<String> {
    let mut client = client()?;
    let (began, mut sent) = (Instant::now(), 0);
    while began.elapsed() < Duration::from_secs(seconds) {
        for name in names {
            giant(&mut client, Message::signal(OBJECT, "a.b", "C")?.destination(&**name)?)?;
            sent += 1;
        }
        let call = Message::method_call(OBJECT, "Get")?.destination(GUARD)?.interface(PROPERTIES)?;
        giant(&mut client, call.with_flags(Flags::NoReplyExpected)?)?;
        sent += 1;
    }
    Ok(format!("{sent} of 30 MiB each to {}", names.join(", ")))
}

/// Sends a message with a giant array for its body. Its length comes twice: of the body in the header, and of the array.
fn giant(client: &mut UnixStream, message: zbus::message::Builder<'_>) -> zbus::Result<()> {
    let small = message.build(&vec![0_u8; 4])?;
    let mut octets = small.data().to_vec();
    let body = octets.len() - 8;
    let length = |octets: usize| u32::try_from(octets).expect("30 MiB").to_le_bytes();
    octets[4..8].copy_from_slice(&length(4 + GIANT));
    octets[body..body + 4].copy_from_slice(&length(GIANT));
    client.write_all(&octets[..body + 4])?;
    let zeros = vec![0; 1 << 20];
    for _ in 0..GIANT / zeros.len() {
        client.write_all(&zeros)?;
    }
    Ok(())
}

/// What only root and netdev may say.
fn orders() -> zbus::Result<String> {
    let connection = Connection::system()?;
    let hold = connection.call_method(Some(GUARD), OBJECT, Some(GUARD), "Hold", &(60_u32,));
    let release = connection.call_method(Some(GUARD), OBJECT, Some(GUARD), "Release", &());
    let said = |result: zbus::Result<Message>| match result {
        Err(zbus::Error::MethodError(name, ..)) => name.to_string(),
        Err(e) => e.to_string(),
        Ok(_) => "done".into(),
    };
    Ok(format!("{} {}", said(hold), said(release)))
}

/// A connection that sends whatever it is given, and does not care for answers.
fn client() -> zbus::Result<UnixStream> {
    let mut stream = UnixStream::connect("/run/dbus/system_bus_socket")?;
    let user: String = NOBODY.to_string().bytes().map(|octet| format!("{octet:x}")).collect();
    stream.write_all(format!("\0AUTH EXTERNAL {user}\r\n").as_bytes())?;
    let mut answers = BufReader::new(stream.try_clone()?);
    answers.read_line(&mut String::new())?;
    let hello = Message::method_call("/org/freedesktop/DBus", "Hello")?;
    let hello = hello.destination("org.freedesktop.DBus")?.interface("org.freedesktop.DBus")?.build(&())?;
    stream.write_all(b"BEGIN\r\n")?;
    stream.write_all(hello.data())?;
    thread::spawn(move || while answers.read(&mut [0; 4096]).is_ok_and(|n| n > 0) {});
    Ok(stream)
}
