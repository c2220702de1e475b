//! A TCP endpoint with a peer that sends anything, an application that does anything and a clock that leaps.

mod config;
mod feed;
mod honest;
mod watched;

use airloom_observe::Ecn;
use airloom_sim::{BitRate, Bytes, Duration};
use airloom_tcp::{Role, Segment, Timer};
use airloom_wire::{SackBlock, TcpFlags, TcpOptions, TcpRepr, Timestamps};
use feed::Feed;
use watched::Watched;

/// Takes octets for a configuration, segments, calls and lapses of time. After every one of them the endpoint is consistent and
/// bounded; a peer that is honest from then on receives everything, and the connection ends.
pub fn tcp(octets: &[u8]) {
    let mut feed = Feed::new(octets);
    let mut watched = Watched::new(&mut feed);
    watched.call(|end, now, fx| end.open(now, fx, &mut ()));
    while !feed.is_empty() {
        step(&mut watched, &mut feed);
    }
    honest::finish(watched);
}

/// Something happens.
fn step(w: &mut Watched, feed: &mut Feed<'_>) {
    match feed.octet() % 20 {
        0..=6 => {
            let segment = segment(w, feed);
            w.receive(&segment);
        }
        7 | 8 => {
            if let Some((at, timer)) = w.due() {
                w.now = w.now.max(at);
                w.fire(timer);
            }
        }
        9 => {
            let timer = feed.one_of(&Timer::ALL);
            w.fire(timer);
        }
        10 | 11 => w.now += Duration::from_micros(u64::from(feed.octet()) << (feed.octet() % 28)),
        12 | 13 => {
            let bytes = feed.short().into();
            let taken = w.call(|end, now, fx| end.write(now, bytes, fx, &mut ()));
            assert!(taken <= bytes);
        }
        14 => {
            let bytes = feed.short().into();
            w.call(|end, now, fx| end.write_part(now, bytes, fx, &mut ()));
        }
        15 | 16 => {
            let count = feed.octet().into();
            w.let_go(count);
        }
        17 => w.room = Some(usize::from(feed.octet() % 8)),
        _ => option(w, feed),
    }
}

/// The application changes an option, or ends.
fn option(w: &mut Watched, feed: &mut Feed<'_>) {
    let on = feed.flag();
    match feed.octet() % 16 {
        0..=3 => w.call(|end, now, fx| end.set_nagle(now, on, fx, &mut ())),
        4..=6 => w.call(|end, now, fx| end.set_cork(now, on, fx, &mut ())),
        7 | 8 => {
            let size = Bytes(u64::from(feed.short()) * 8);
            w.call(|end, _, _| end.set_send_buffer(size));
        }
        9..=11 => {
            let highest = BitRate::from_bps(u64::from(feed.short()) + 1);
            let now_is = BitRate::from_bps(u64::from(feed.short()) + 1);
            w.call(|end, now, fx| end.link_rate(now, now_is.min(highest), highest, fx, &mut ()));
        }
        12 => w.call(|end, _, _| end.stay_open()),
        13 | 14 => w.call(|end, now, fx| end.close(now, fx, &mut ())),
        _ => w.call(|end, now, fx| end.abort(now, fx, &mut ())),
    }
}

/// A segment with numbers near those that the endpoint has in use, or anywhere.
fn segment(w: &Watched, feed: &mut Feed<'_>) -> Segment {
    let shape = feed.octet();
    let (una, next) = (w.wire(w.una()), w.wire(w.next()));
    let handshake = w.end.phase() != airloom_tcp::Phase::Established;
    let flags = match shape % 16 {
        0..=11 if !handshake => TcpFlags::ACK,
        0..=11 if w.role == Role::Passive && w.end.phase() == airloom_tcp::Phase::Idle => TcpFlags::SYN,
        0..=11 if w.role == Role::Active => TcpFlags::SYN | TcpFlags::ACK,
        0..=11 => TcpFlags::ACK,
        12 | 13 => TcpFlags::ACK | TcpFlags::FIN,
        14 => TcpFlags(feed.short() & !TcpFlags::RST.0),
        _ => TcpFlags(feed.short()),
    };
    let mut options = TcpOptions::default();
    if shape & 0x10 != 0 {
        let clock = (w.now.as_nanos() / 1_000_000) as u32;
        options.timestamps = Some(Timestamps { value: feed.near(clock), echo: feed.near(clock) });
    }
    if flags.contains(TcpFlags::SYN) {
        options.mss = feed.one_of(&[Some(1460), Some(0), None, Some(1), Some(100), Some(u16::MAX)]);
        options.window_scale = feed.one_of(&[Some(7), None, Some(14), Some(255), Some(0)]);
        options.sack_permitted = !feed.octet().is_multiple_of(4);
    }
    if shape & 0x20 != 0 {
        for _ in 0..=feed.octet() % 4 {
            let left = feed.near(una);
            let length = feed.one_of(&[w.end.figures().mss, 0, 1, 10_000]);
            let right = feed.near(left.wrapping_add(length));
            let SackBlock { left, right } = SackBlock { left, right };
            options.sack.push(left, right);
        }
    }
    let base = if feed.flag() { una } else { next };
    let header = TcpRepr {
        seq: feed.near(w.end.expected()),
        ack: feed.near(base),
        window: feed.one_of(&[u16::MAX, 0, 1, 1000]) ^ u16::from(feed.octet()),
        flags,
        options,
        ..TcpRepr::default()
    };
    let payload = feed.one_of(&[0, 0, 0, w.end.figures().mss, 1, feed_length(shape)]);
    let ecn = feed.one_of(&[Ecn::NotEct, Ecn::Ect0, Ecn::Ce]);
    Segment { header, payload, ecn, ..Segment::default() }
}

/// A length that the largest packet of IPv4 has room for.
fn feed_length(shape: u8) -> u32 {
    u32::from(shape) * 255
}
