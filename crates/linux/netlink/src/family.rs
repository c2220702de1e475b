//! What the kernel calls nl80211: generic netlink gives out numbers as modules are loaded.

use crate::requests::Requests;
use crate::say;
use neli::consts::genl::{CtrlAttr, CtrlAttrMcastGrp, CtrlCmd, Index};
use neli::consts::nl::{GenlId, NlmF};
use neli::consts::socket::NlFamily;
use neli::genl::{AttrTypeBuilder, Genlmsghdr, GenlmsghdrBuilder, NlattrBuilder, NoUserHeader};
use neli::types::GenlBuffer;

type Control = Genlmsghdr<CtrlCmd, CtrlAttr>;

const NO_WIRELESS: &str = "the kernel has no nl80211: is there a Wi-Fi adapter?";

/// What nl80211 is called here.
pub(crate) struct Nl80211 {
    pub(crate) family: u16,
    /// Its multicast groups.
    groups: Vec<(String, u32)>,
}

impl Nl80211 {
    /// The number of one of its multicast groups.
    pub(crate) fn group(&self, name: &str) -> Option<u32> {
        self.groups.iter().find(|(known, _)| known == name).map(|(_, number)| *number)
    }
}

/// Asks the kernel for nl80211, which is there as long as something for Wi-Fi is loaded.
pub(crate) fn nl80211() -> Result<Nl80211, String> {
    let kind = AttrTypeBuilder::default().nla_type(CtrlAttr::FamilyName).build().map_err(say)?;
    let name = NlattrBuilder::default().nla_type(kind).nla_payload("nl80211").build().map_err(say)?;
    let payload = GenlmsghdrBuilder::<CtrlCmd, CtrlAttr, NoUserHeader>::default()
        .cmd(CtrlCmd::Getfamily)
        .version(1)
        .attrs([name].into_iter().collect::<GenlBuffer<_, _>>())
        .build()
        .map_err(say)?;
    let mut requests = Requests::open(NlFamily::Generic)?;
    let families: Vec<Control> = requests.ask(GenlId::Ctrl, NlmF::ACK, payload).map_err(|_| NO_WIRELESS)?;
    Ok(families.first().and_then(described).ok_or(NO_WIRELESS)?)
}

fn described(family: &Control) -> Option<Nl80211> {
    let attributes = family.attrs().get_attr_handle();
    let groups = attributes.get_nested_attributes::<Index>(CtrlAttr::McastGroups).ok()?;
    let groups = groups.iter().filter_map(|group| {
        let group = group.get_attr_handle::<CtrlAttrMcastGrp>().ok()?;
        let name = group.get_attr_payload_as_with_len::<String>(CtrlAttrMcastGrp::Name).ok()?;
        Some((name, group.get_attr_payload_as::<u32>(CtrlAttrMcastGrp::Id).ok()?))
    });
    Some(Nl80211 {
        family: attributes.get_attr_payload_as(CtrlAttr::FamilyId).ok()?,
        groups: groups.collect(),
    })
}
