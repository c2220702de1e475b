//! Negotiation by SYNs (`tcp_syn_options`, `tcp_parse_options`, `tcp_mtu_to_mss`, Linux 3.13).

use crate::{Offer, Role};
use airloom_sim::Time;
use airloom_wire::{TcpOptions, Timestamps};

/// The least MSS that a peer is taken to mean, its options included (`net.ipv4.tcp_min_snd_mss`).
const LEAST_MSS: u32 = 48;

/// The outcome of the negotiation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Negotiated {
    /// Payload of a full segment in bytes.
    pub mss: u32,
    /// Selective acknowledgments (RFC 2018).
    pub sack: bool,
    /// Timestamps (RFC 7323).
    pub timestamps: bool,
    /// Shift of windows received.
    pub peer_scale: u8,
    /// Shift of windows offered.
    pub own_scale: u8,
}

impl Negotiated {
    /// The values until the peer's SYN arrives.
    pub(crate) fn nothing_yet(offer: &Offer) -> Self {
        Self {
            mss: offer.segment_payload(),
            sack: offer.sack,
            timestamps: offer.timestamps,
            peer_scale: 0,
            own_scale: 0,
        }
    }

    /// The outcome of `offer` and a peer's SYN. Without an MSS option the MSS is 536 bytes (RFC 9293 section 3.7.1). One
    /// of zero is no option (`tcp_parse_options`), and less than 48 bytes is taken for 48 (`tcp_min_snd_mss`, Linux 6.18).
    pub(crate) fn with_peer(offer: &Offer, peer: &TcpOptions) -> Self {
        let timestamps = offer.timestamps && peer.timestamps.is_some();
        let offered = peer.mss.filter(|&mss| mss > 0).unwrap_or(536);
        let mss = offer.mss.min(u32::from(offered).max(LEAST_MSS));
        let scale = peer.window_scale.map(|s| s.min(14));
        Self {
            mss: mss - if timestamps { 12 } else { 0 },
            sack: offer.sack && peer.sack_permitted,
            timestamps,
            peer_scale: scale.unwrap_or(0),
            own_scale: if scale.is_some() { offer.window_scale.min(14) } else { 0 },
        }
    }
}

/// The exchange of SYNs.
pub(crate) struct Handshake {
    role: Role,
    offer: Offer,
    /// The options of the peer's SYN, and what they and the offer come to.
    met: Option<(TcpOptions, Negotiated)>,
    /// When the SYN was first sent.
    began: Time,
}

impl Handshake {
    pub(crate) fn new(role: Role, offer: Offer) -> Self {
        Self { role, offer, met: None, began: Time::ZERO }
    }

    /// Whether this side waits for the peer's SYN.
    pub(crate) fn passive(&self) -> bool {
        self.role == Role::Passive
    }

    /// The SYN is sent for the first time.
    pub(crate) fn begin(&mut self, now: Time) {
        self.began = now;
    }

    /// When that was.
    pub(crate) fn began(&self) -> Time {
        self.began
    }

    /// The peer's SYN has come, with these options.
    pub(crate) fn meet(&mut self, options: &TcpOptions) -> Negotiated {
        let agreed = Negotiated::with_peer(&self.offer, options);
        self.met = Some((*options, agreed));
        agreed
    }

    /// The options of the own SYN.
    pub(crate) fn options(&self, stamp: Timestamps) -> TcpOptions {
        let (peer, agreed) = self.met.unzip();
        syn_options(&self.offer, agreed.filter(|_| self.passive()), &peer.unwrap_or_default(), stamp)
    }
}

/// The options of a SYN; that of the passive side offers only what the active side offered.
fn syn_options(
    offer: &Offer,
    agreed: Option<Negotiated>,
    peer: &TcpOptions,
    stamp: Timestamps,
) -> TcpOptions {
    let offers = |offered: bool, wanted: bool| wanted && (agreed.is_none() || offered);
    TcpOptions {
        mss: Some(offer.mss as u16),
        window_scale: offers(peer.window_scale.is_some(), true).then_some(offer.window_scale.min(14)),
        sack_permitted: offers(peer.sack_permitted, offer.sack),
        timestamps: offers(peer.timestamps.is_some(), offer.timestamps).then_some(stamp),
        ..TcpOptions::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_must_offer_an_option() {
        let offer = Offer::PLAIN;
        let peer = TcpOptions { mss: Some(1400), window_scale: Some(15), ..TcpOptions::default() };
        let agreed = Negotiated::with_peer(&offer, &peer);
        let expected = Negotiated { mss: 1400, sack: false, timestamps: false, peer_scale: 14, own_scale: 7 };
        assert_eq!(agreed, expected);
        let reply = syn_options(&offer, Some(agreed), &peer, Timestamps { value: 1, echo: 2 });
        assert!(!reply.sack_permitted && reply.timestamps.is_none());
        assert_eq!((reply.mss, reply.window_scale), (Some(1460), Some(7)));
    }

    /// Whatever a peer says, a segment has room for data.
    #[test]
    fn a_peer_that_wants_tiny_segments_gets_small_ones() {
        let stamps = Some(Timestamps { value: 1, echo: 0 });
        for (offered, mss) in [(None, 524), (Some(0), 524), (Some(1), 36), (Some(48), 36), (Some(100), 88)] {
            let peer = TcpOptions { mss: offered, timestamps: stamps, ..TcpOptions::default() };
            assert_eq!(Negotiated::with_peer(&Offer::PLAIN, &peer).mss, mss, "{offered:?}");
        }
    }

    #[test]
    fn the_first_syn_offers_everything_configured() {
        let offer = Offer::PLAIN;
        let syn = syn_options(&offer, None, &TcpOptions::default(), Timestamps { value: 5, echo: 0 });
        assert_eq!(syn.timestamps, Some(Timestamps { value: 5, echo: 0 }));
        assert!(syn.sack_permitted && syn.window_scale == Some(7));
        let same = Negotiated::with_peer(&offer, &syn);
        assert_eq!((same.mss, same.sack, same.own_scale), (1448, true, 7));
    }

    #[test]
    fn a_peer_without_window_scale_gets_unscaled_windows() {
        let agreed = Negotiated::with_peer(&Offer::PLAIN, &TcpOptions::default());
        assert_eq!((agreed.mss, agreed.own_scale, agreed.peer_scale), (536, 0, 0));
    }
}
