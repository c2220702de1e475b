//! Generic netlink's family for Wi-Fi, of which any attribute may be read (Linux: include/uapi/linux/nl80211.h).

use crate::protocol::{Extent, Protocol};
use crate::{Attributes, put};

/// `NL80211_ATTR_IFINDEX`.
pub(crate) const IFINDEX: u16 = 3;
/// Length of a generic netlink header: command, version and two octets for nothing.
pub(crate) const GENERIC_HEADER: usize = 4;
/// `GENL_ID_CTRL` and `CTRL_CMD_GETFAMILY`: generic netlink gives out numbers as modules are loaded.
const CONTROL: u16 = 0x10;
const GET_FAMILY: u8 = 3;
/// `CTRL_ATTR_FAMILY_ID`, `CTRL_ATTR_FAMILY_NAME`, `CTRL_ATTR_MCAST_GROUPS`, and of each group `CTRL_ATTR_MCAST_GRP_NAME` and
/// `CTRL_ATTR_MCAST_GRP_ID`.
const FAMILY_ID: u16 = 1;
const FAMILY_NAME: u16 = 2;
const GROUPS: u16 = 7;
const GROUP_NAME: u16 = 1;
const GROUP_ID: u16 = 2;

const NO_WIRELESS: &str = "the kernel has no nl80211: is there a Wi-Fi adapter?";

/// nl80211, of which any attribute may be read.
pub struct Nl80211 {
    requests: Protocol,
    family: u16,
    /// Its multicast groups.
    groups: Vec<(String, u32)>,
}

impl Nl80211 {
    /// Finds nl80211, which is there as long as something for Wi-Fi is loaded.
    pub fn open() -> Result<Self, String> {
        let mut requests = Protocol::generic()?;
        let mut name = Vec::new();
        put(&mut name, FAMILY_NAME, b"nl80211\0");
        let families =
            command(&mut requests, CONTROL, GET_FAMILY, Extent::One, &name).map_err(|_| NO_WIRELESS)?;
        let (family, groups) =
            families.first().and_then(|family| described(Attributes(family))).ok_or(NO_WIRELESS)?;
        Ok(Self { requests, family, groups })
    }

    /// Sends a command with attributes and gathers the attributes of the answer's messages.
    pub fn ask(&mut self, command: u8, extent: Extent, attributes: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        self::command(&mut self.requests, self.family, command, extent, attributes)
    }

    /// The number of one of its multicast groups.
    pub(crate) fn group(&self, name: &str) -> Option<u32> {
        self.groups.iter().find(|(known, _)| known == name).map(|(_, number)| *number)
    }
}

/// Sends a command of a family.
fn command(
    requests: &mut Protocol,
    family: u16,
    command: u8,
    extent: Extent,
    attributes: &[u8],
) -> Result<Vec<Vec<u8>>, String> {
    let mut answers = requests.ask(family, extent, &[&[command, 1, 0, 0], attributes].concat())?;
    for answer in &mut answers {
        answer.drain(..GENERIC_HEADER.min(answer.len()));
    }
    Ok(answers)
}

/// A family's number, and those of its groups.
fn described(family: Attributes<'_>) -> Option<(u16, Vec<(String, u32)>)> {
    let groups = family.within(GROUPS).filter_map(|group| {
        let group = group.nested();
        Some((group.get(GROUP_NAME)?.text(), u32::try_from(group.number(GROUP_ID)?).ok()?))
    });
    Some((u16::try_from(family.number(FAMILY_ID)?).ok()?, groups.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_has_its_number_and_those_of_its_groups() {
        let mut group = Vec::new();
        put(&mut group, GROUP_NAME, b"scan\0");
        put(&mut group, GROUP_ID, &5_u32.to_ne_bytes());
        let (mut groups, mut family) = (Vec::new(), Vec::new());
        put(&mut groups, 1, &group);
        put(&mut family, FAMILY_ID, &28_u16.to_ne_bytes());
        put(&mut family, GROUPS, &groups);
        assert_eq!(described(Attributes(&family)), Some((28, vec![("scan".to_owned(), 5)])));
        assert_eq!(described(Attributes(&groups)), None);
    }
}
