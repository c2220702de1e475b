//! What a monitor hears of a station and its access point, for tests.

use crate::host::{Host, record};
use airloom_diagnose::Diagnosis;

const STATION: [u8; 6] = [2, 0, 0, 0, 0, 1];
const AP: [u8; 6] = [2, 0, 0, 0, 0, 8];
/// The monitor stands beside the access point.
const AP_DBM: i8 = -30;

/// A capture of the air in which the client of a connection is a station.
pub(crate) struct Monitor {
    octets: Vec<u8>,
    /// The connection.
    pub(crate) host: Host,
    /// How strong the station is heard, in dBm; the noise is at -94 dBm.
    pub(crate) station_dbm: i8,
    /// The MCS of 802.11n at which data goes, in place of 24 Mbit/s.
    pub(crate) mcs: Option<u8>,
    now_us: u32,
    sequence: u16,
}

impl Monitor {
    /// Nothing yet.
    pub(crate) fn new(station_dbm: i8) -> Self {
        Self { octets: Vec::new(), host: Host::default(), station_dbm, mcs: None, now_us: 0, sequence: 0 }
    }

    /// A segment of an end, as [`Host::sends`] has it, in as many tries as said, of which the last is acknowledged, or none.
    pub(crate) fn sends(
        &mut self,
        at_ms: u32,
        end: usize,
        flags: u8,
        payload: usize,
        (tries, arrives): (u32, bool),
    ) {
        let packet = self.host.packet(end, flags, payload);
        let body = [&[0xaa, 0xaa, 3, 0, 0, 0, 8, 0][..], &packet].concat();
        self.now_us = self.now_us.max(1000 * at_ms);
        self.sequence += 1;
        for attempt in 0..tries {
            self.frame(0x08, end, attempt > 0, &body);
        }
        if arrives {
            let to = if end == 0 { STATION } else { AP };
            let from_dbm = if end == 0 { AP_DBM } else { self.station_dbm };
            self.put(50, from_dbm, None, &[&[0xd4, 0, 0, 0][..], &to].concat());
        }
    }

    /// The station says that it is there, by a frame without data.
    pub(crate) fn gives_a_sign(&mut self, at_ms: u32) {
        self.now_us = self.now_us.max(1000 * at_ms);
        self.sequence += 1;
        self.frame(0x48, 0, false, &[]);
    }

    fn frame(&mut self, kind: u8, end: usize, retry: bool, body: &[u8]) {
        let (way, receiver, transmitter, dbm) =
            if end == 0 { (1, AP, STATION, self.station_dbm) } else { (2, STATION, AP, AP_DBM) };
        let head = [kind, way | u8::from(retry) << 3, 44, 0];
        let number = (self.sequence << 4).to_le_bytes();
        let frame = [&head[..], &receiver, &transmitter, &[2, 0, 0, 0, 0, 9], &number, body].concat();
        self.put(1000, dbm, self.mcs, &frame);
    }

    /// A frame at an MCS of 802.11n, or at 24 Mbit/s, so many microseconds behind the one before it.
    fn put(&mut self, later_us: u32, dbm: i8, mcs: Option<u8>, frame: &[u8]) {
        self.now_us += later_us;
        let heard = [0x3c, 0x14, 0x40, 0x01, dbm as u8, -94_i8 as u8];
        let radio = match mcs {
            Some(mcs) => [&[0, 0, 17, 0, 0x68, 0, 8, 0][..], &heard, &[7, 0, mcs]].concat(),
            None => [&[0, 0, 16, 0, 0x6c, 0, 0, 0, 48, 0][..], &heard].concat(),
        };
        record(&mut self.octets, self.now_us, &[&radio[..], frame].concat());
    }

    /// What is found in the capture.
    pub(crate) fn diagnosis(self) -> Diagnosis {
        crate::diagnosis(127, &self.octets)
    }
}
