//! The congestion controls in the kernel: loaded, told the rates, and gone with the process that loaded them.

use crate::links::{Interface, Rates};
use crate::teller::Table;
use airloom_sim::Time;
use libbpf_rs::{ErrorKind, Link, MapCore, MapFlags, MapHandle, Object, ObjectBuilder, PrintLevel};
use std::path::Path;
use std::sync::Mutex;

const PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/control.bpf.o"));

/// What the kernel or libbpf last complained about: libbpf's errors are numbers.
static COMPLAINT: Mutex<String> = Mutex::new(String::new());

/// The congestion controls that flows may choose.
const CONTROLS: [&str; 2] = ["airloom_reno", "airloom_cubic"];
const RATES: &str = "rates";

/// The controls, until this is dropped.
pub struct Control {
    object: Object,
    /// The kernel forgets a control as its link is closed, which it does itself if this process ends.
    links: Vec<Link>,
}

impl Control {
    /// Loads the controls and lets flows choose them. Needs Linux 6.4 with BTF, CAP_BPF, CAP_NET_ADMIN and CAP_PERFMON.
    ///
    /// # Errors
    ///
    /// The kernel refuses, or another process has loaded them: in one line.
    pub fn load() -> Result<Self, String> {
        libbpf_rs::set_print(Some((PrintLevel::Warn, |_, said| {
            if let (Ok(mut kept), Some(line)) = (COMPLAINT.lock(), said.lines().next()) {
                line.trim().clone_into(&mut kept);
            }
        })));
        let object = ObjectBuilder::default().open_memory(PROGRAM).and_then(|object| object.load());
        let mut object = object.map_err(|e| match e.kind() {
            ErrorKind::PermissionDenied => "the kernel lets only root load congestion controls".to_owned(),
            _ => format!("the kernel does not take the controls: {}", said(&e)),
        })?;
        let mut links = Vec::new();
        for name in CONTROLS {
            let map = object.maps_mut().find(|map| map.name() == name);
            let link = map.ok_or_else(|| format!("no {name} in the program"))?.attach_struct_ops();
            links.push(link.map_err(|e| match e.kind() {
                ErrorKind::AlreadyExists => "another airloom-rate is running".to_owned(),
                _ => format!("the kernel does not take {name}: {}", said(&e)),
            })?);
        }
        Ok(Self { object, links })
    }

    /// Has the files of a BPF file system keep the controls after this process, until they are removed.
    ///
    /// # Errors
    ///
    /// The folder is not in such a file system, or they are there.
    pub fn keep(&mut self, folder: &Path) -> Result<(), String> {
        let say =
            |e: libbpf_rs::Error| format!("{}, which is to be in a BPF file system: {e}", folder.display());
        for (name, link) in CONTROLS.iter().zip(&mut self.links) {
            link.pin(folder.join(name)).map_err(say)?;
        }
        let rates = self.object.maps_mut().find(|map| map.name() == RATES);
        rates.ok_or_else(|| format!("no {RATES} in the program"))?.pin(folder.join(RATES)).map_err(say)
    }

    /// Where they are told the rates.
    ///
    /// # Errors
    ///
    /// The kernel refuses.
    pub fn rates(&self) -> Result<RateTable, String> {
        let map = self.object.maps().find(|map| map.name() == RATES);
        let map = map.ok_or_else(|| format!("no {RATES} in the program"))?;
        Ok(RateTable(MapHandle::try_from(&map).map_err(|e| e.to_string())?))
    }
}

/// Where controls are told the rates of links.
pub struct RateTable(MapHandle);

impl RateTable {
    /// That of controls which are kept in a folder. Needs no privilege beyond a writable file.
    ///
    /// # Errors
    ///
    /// There are none, or they are another user's.
    pub fn kept(folder: &Path) -> Result<Self, String> {
        let path = folder.join(RATES);
        Ok(Self(MapHandle::from_pinned_path(&path).map_err(|e| format!("{}: {e}", path.display()))?))
    }
}

impl Table for RateTable {
    fn tell(&self, interface: Interface, rates: Rates, until: Time, floor: u32) -> Result<(), String> {
        let value =
            [until.as_nanos(), rates.current, rates.highest, u64::from(floor)].map(u64::to_ne_bytes).concat();
        self.0.update(&key(interface), &value, MapFlags::ANY).map_err(|e| format!("{RATES}: {e}"))
    }

    fn forget(&self, interface: Interface) {
        // Of a link that has no place there is nothing to forget.
        let _ = self.0.delete(&key(interface));
    }

    fn held(&self) -> Vec<(Interface, Time)> {
        let number = |octets: &[u8]| Some(u32::from_ne_bytes(octets.try_into().ok()?));
        let read = |key: Vec<u8>| {
            let interface = Interface { namespace: number(key.get(..4)?)?, index: number(key.get(4..)?)? };
            let value = self.0.lookup(&key, MapFlags::ANY).ok()??;
            Some((interface, Time::from_nanos(u64::from_ne_bytes(value.get(..8)?.try_into().ok()?))))
        };
        self.0.keys().filter_map(read).collect()
    }
}

/// A link's key: `struct interface` of `bpf/control.bpf.c`.
fn key(interface: Interface) -> Vec<u8> {
    [interface.namespace, interface.index].map(u32::to_ne_bytes).concat()
}

/// An error with the complaint that came before it.
fn said(error: &libbpf_rs::Error) -> String {
    let complaint = COMPLAINT.lock().map_or_else(|_| String::new(), |kept| kept.clone());
    format!("{error} ({complaint})")
}
