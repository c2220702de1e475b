//! The rates of this machine's own Wi-Fi links, from nl80211's station statistics.

use crate::links::Interface;
use airloom_netlink::{Wireless, index_of};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;

/// How many interfaces are asked about at most.
const MOST: usize = 16;

/// The Wi-Fi interfaces of this process's network namespace.
pub struct Stations {
    wireless: Wireless,
    namespace: u32,
    only: Option<String>,
}

impl Stations {
    /// Finds nl80211. `only` is the one interface to ask about, if it is not to be all.
    ///
    /// # Errors
    ///
    /// The kernel has none.
    pub fn open(only: Option<String>) -> Result<Self, String> {
        Ok(Self { wireless: Wireless::open()?, namespace: namespace()?, only })
    }

    /// Every link with its rate in bits per second. An interface with several peers, such as an access point's, has no rate of its own.
    ///
    /// # Errors
    ///
    /// The kernel does not answer.
    pub fn rates(&mut self) -> Result<Vec<(Interface, u64)>, String> {
        let names = self.only.clone().map_or_else(wireless_interfaces, |only| Ok(vec![only]))?;
        let mut found = Vec::new();
        for index in names.iter().filter_map(|name| index_of(name)) {
            if let Some(rate) = self.wireless.rate(index)? {
                found.push((Interface { namespace: self.namespace, index }, rate));
            }
        }
        Ok(found)
    }
}

/// The inode number of this process's network namespace.
fn namespace() -> Result<u32, String> {
    let path = "/proc/self/ns/net";
    let inode = fs::metadata(path).map_err(|e| format!("{path}: {e}"))?.ino();
    u32::try_from(inode).map_err(|_| format!("{path}: inode {inode} is none of the kernel's"))
}

/// The names of interfaces with an 802.11 radio below them.
fn wireless_interfaces() -> Result<Vec<String>, String> {
    let all = fs::read_dir("/sys/class/net").and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let all = all.map_err(|e| format!("/sys/class/net: {e}"))?;
    let names = all.into_iter().filter(|entry| entry.path().join("phy80211").exists());
    Ok(names.filter_map(|entry| entry.file_name().into_string().ok()).take(MOST).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_namespace_is_the_one_of_this_process() {
        let link = fs::read_link("/proc/self/ns/net").unwrap();
        assert_eq!(link.to_str().unwrap(), format!("net:[{}]", namespace().unwrap()));
    }
}
