//! The role of each node. Nodes are numbered in the order of the scenario: access points, stations, servers.

use crate::air::Only80211b;
use crate::band::Band;
use crate::{AccessPoint, Adapter, Air, Host, Scenario, Server, Station};
use airloom_observe::NodeId;
use airloom_rate::Width;
use airloom_sim::{Index, IndexVec};
use airloom_wifi::Channel;
use std::borrow::Cow;

/// A link of a node that has several at once.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeLink {
    /// The node.
    pub node: NodeId,
    /// Its place among the links of the access point.
    pub number: u8,
    /// The place of its channel among all.
    pub channel: usize,
    /// What it is called: the node's name, the band and the number of the primary channel.
    pub name: String,
    /// Its band.
    pub band: Band,
    /// The number of its primary channel.
    pub primary: u8,
    /// The width of its channel.
    pub width: Width,
}

/// The role of a node, with its table of the scenario.
#[derive(Clone, Copy, Debug)]
pub enum Role<'a> {
    /// An access point.
    AccessPoint(&'a AccessPoint),
    /// A station.
    Station(&'a Station),
    /// A server.
    Server(&'a Server),
}

impl<'a> Role<'a> {
    /// Its name.
    pub fn name(self) -> &'a String {
        match self {
            Self::AccessPoint(ap) => &ap.name,
            Self::Station(station) => &station.name,
            Self::Server(server) => &server.name,
        }
    }

    /// Its host, if it has TCP.
    pub fn host(self) -> Option<&'a Host> {
        match self {
            Self::AccessPoint(_) => None,
            Self::Station(station) => Some(&station.host),
            Self::Server(server) => Some(&server.host),
        }
    }

    /// Its adapter, if it has a radio.
    pub fn adapter(self) -> Option<&'a Adapter> {
        match self {
            Self::AccessPoint(ap) => Some(&ap.adapter),
            Self::Station(station) => Some(&station.adapter),
            Self::Server(_) => None,
        }
    }
}

impl Scenario {
    /// All nodes in the order of their numbers.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, Role<'_>)> {
        let aps = self.ap.iter().map(Role::AccessPoint);
        let stations = self.station.iter().map(Role::Station);
        let servers = self.server.iter().map(Role::Server);
        aps.chain(stations).chain(servers).enumerate().map(|(place, role)| (NodeId::new(place), role))
    }

    /// The stations and their nodes.
    pub fn stations(&self) -> impl Iterator<Item = (NodeId, &Station)> {
        self.nodes().filter_map(
            |(id, role)| if let Role::Station(station) = role { Some((id, station)) } else { None },
        )
    }

    /// The access points and their nodes.
    pub fn access_points(&self) -> impl Iterator<Item = (NodeId, &AccessPoint)> {
        self.nodes()
            .filter_map(|(id, role)| if let Role::AccessPoint(ap) = role { Some((id, ap)) } else { None })
    }

    /// The access point at which a station is, and its node.
    ///
    /// # Panics
    /// If there is none; where each station is has been checked when the scenario is read.
    pub fn access_point_of(&self, station: &Station) -> (NodeId, &AccessPoint) {
        self.access_points().find(|(_, ap)| ap.name == station.ap).expect("a station is at an access point")
    }

    /// The access point at which the wires of all servers end, the first: a switch beside it leads on to the others.
    ///
    /// # Panics
    /// If there is none; a scenario that is read has one.
    pub fn access_point_with_wires(&self) -> NodeId {
        self.access_points().next().expect("a scenario has an access point").0
    }

    /// The air of an access point's network; of several links that of the first.
    pub fn air_of(&self, ap: &AccessPoint) -> Cow<'_, Air> {
        ap.air(&self.air)
    }

    /// What each link of an access point is by itself, with its air: one that has a single link is that.
    pub fn links_of<'a>(&'a self, ap: &'a AccessPoint) -> Vec<(Cow<'a, AccessPoint>, Cow<'a, Air>)> {
        (0..ap.links().len().max(1)).map(|number| self.link_of(ap, number)).collect()
    }

    /// This one of them.
    pub fn link_of<'a>(&'a self, ap: &'a AccessPoint, number: usize) -> (Cow<'a, AccessPoint>, Cow<'a, Air>) {
        let one = ap.with_link(number);
        let mut air = Cow::Owned(one.air(&self.air).into_owned());
        if number == 0 {
            air = self.air_of(ap);
        } else {
            air.to_mut().fill(Only80211b { own: false, near: false });
        }
        (one, air)
    }

    /// The air in which a station is; of several links that of its first.
    pub fn air_at(&self, station: &Station) -> Cow<'_, Air> {
        let (_, ap) = self.access_point_of(station);
        self.link_of(ap, station.first_link()).1
    }

    /// The channel of an access point.
    pub fn spectrum_of(&self, ap: &AccessPoint) -> Channel {
        ap.spectrum(&self.air_of(ap))
    }

    /// The channels of the access points, each once, in the order of these: those on which they begin, then those to which they go.
    pub fn channels(&self) -> Vec<Channel> {
        let links = self.ap.iter().flat_map(|ap| self.links_of(ap));
        let begins = links.map(|(ap, air)| ap.spectrum(&air));
        let goes = self.ap.iter().flat_map(|ap| ap.spectra(&self.air_of(ap)));
        let mut channels = Vec::new();
        for channel in begins.chain(goes) {
            if !channels.contains(&channel) {
                channels.push(channel);
            }
        }
        channels
    }

    /// The channels that an access point is ever on: those of its links, or the one that it has and those to which it goes.
    fn spectra(&self, ap: &AccessPoint) -> Vec<Channel> {
        let links = self.links_of(ap);
        links.iter().flat_map(|(ap, air)| ap.spectra(air)).collect()
    }

    /// The places among [`channels`](Self::channels) of an access point's links.
    pub fn channels_of(&self, ap: &AccessPoint) -> Vec<usize> {
        let channels = self.channels();
        let of = |(ap, air): &(Cow<'_, AccessPoint>, Cow<'_, Air>)| {
            let own = ap.spectrum(air);
            channels.iter().position(|&channel| channel == own).unwrap_or_default()
        };
        self.links_of(ap).iter().map(of).collect()
    }

    /// The channels that an access point is ever on, each once.
    pub(crate) fn spectra_of(&self, node: NodeId) -> Vec<Channel> {
        let of_node = self.access_points().find(|(id, _)| *id == node);
        let all = of_node.map(|(_, ap)| self.spectra(ap)).unwrap_or_default();
        all.iter().enumerate().filter(|(n, one)| !all[..*n].contains(one)).map(|(_, one)| *one).collect()
    }

    /// Whether any access point goes to another channel.
    pub fn any_switches(&self) -> bool {
        self.ap.iter().any(|ap| ap.switches().next().is_some())
    }

    /// The access points that are ever on a channel.
    pub fn ever_on(&self, channel: Channel) -> impl Iterator<Item = &AccessPoint> {
        self.ap.iter().filter(move |ap| self.spectra(ap).contains(&channel))
    }

    /// The band of a channel that an access point is ever on, and its width.
    pub fn band_and_width(&self, channel: Channel) -> (Band, Width) {
        let links = self.ap.iter().flat_map(|ap| self.links_of(ap));
        let mut there = links.filter(|(ap, air)| ap.spectra(air).contains(&channel));
        let found = there.next().map(|(_, air)| (air.band, air.width));
        found.unwrap_or((self.air.band, self.air.width))
    }

    /// For each node the place of its channel among [`channels`](Self::channels), if it has a radio; of several links that of the first.
    pub fn channel_of(&self) -> IndexVec<NodeId, Option<usize>> {
        let of = |ap: &AccessPoint, link: usize| self.channels_of(ap).get(link).copied();
        self.nodes()
            .map(|(_, role)| match role {
                Role::AccessPoint(ap) => of(ap, 0),
                Role::Station(station) => of(self.access_point_of(station).1, station.first_link()),
                Role::Server(_) => None,
            })
            .collect()
    }

    /// The places of the channels of the links of a node's access point, or of its own if it is one; none of a server.
    pub fn channels_of_links(&self, role: Role<'_>) -> Vec<usize> {
        match role {
            Role::AccessPoint(ap) => self.channels_of(ap),
            Role::Station(station) => self.channels_of(self.access_point_of(station).1),
            Role::Server(_) => Vec::new(),
        }
    }

    /// The links of all nodes that have several at once, in the order of the nodes.
    pub fn node_links(&self) -> Vec<NodeLink> {
        let mut all = Vec::new();
        for (node, role) in self.nodes() {
            let (ap, numbers): (_, Vec<usize>) = match role {
                Role::AccessPoint(ap) => (ap, (0..ap.links().len()).collect()),
                Role::Station(station) if !station.further_links().is_empty() => {
                    let links = station.links.iter().flatten();
                    (self.access_point_of(station).1, links.map(|link| link.number).collect())
                }
                _ => continue,
            };
            let channels = self.channels_of(ap);
            for number in numbers {
                let (one, air) = self.link_of(ap, number);
                let (band, width, primary) = (air.band, air.width, one.primary(air.band));
                let name = format!("{}/{}-{primary}", role.name(), band.name().replace(' ', ""));
                let channel = channels[number];
                all.push(NodeLink { node, number: number as u8, channel, name, band, primary, width });
            }
        }
        all
    }

    /// The host of this name and its node.
    ///
    /// # Panics
    /// If there is none; a flow's ends are checked when the scenario is read.
    pub fn host(&self, name: &str) -> (NodeId, &Host) {
        let host = self.nodes().filter(|(_, role)| role.name() == name);
        host.filter_map(|(id, role)| Some((id, role.host()?))).next().expect("a flow's ends are hosts")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as scenario;

    #[test]
    fn nodes_are_numbered_by_role() {
        let text = r#"
            title = "two rooms"
            [air]
            standard = "802.11a"
            band = "5 GHz"
            width = "20 MHz"
            [[server]]
            name = "server"
            host = "linux-6.18"
            link = { rate = "1 Gbit/s", delay = "1 ms" }
            [[station]]
            name = "left"
            host = "linux-6.18"
            adapter = "ath9k"
            distance = "5 m"
            [[station]]
            name = "right"
            host = "linux-6.18"
            adapter = "ath9k"
            distance = "5 m"
            [[ap]]
            name = "ap"
            adapter = "ath9k"
            [[flow]]
            from = "left"
            to = "server"
        "#;
        let scenario = scenario::load(text, "rooms.toml", &[], None).unwrap();
        let nodes: Vec<_> = scenario.nodes().map(|(id, role)| (id.0, role.name().as_str())).collect();
        assert_eq!(nodes, [(0, "ap"), (1, "left"), (2, "right"), (3, "server")]);
        assert_eq!(scenario.access_point_of(&scenario.station[1]).0, NodeId(0));
        assert_eq!(scenario.access_point_with_wires(), NodeId(0));
        assert_eq!(scenario.stations().map(|(id, _)| id).collect::<Vec<_>>(), [NodeId(1), NodeId(2)]);
        assert_eq!(scenario.host("server").0, NodeId(3));
        let radios = scenario.nodes().filter(|(_, role)| role.adapter().is_some()).count();
        assert_eq!((radios, scenario.nodes().filter(|(_, role)| role.host().is_some()).count()), (3, 3));
    }
}
