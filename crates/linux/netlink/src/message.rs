//! Messages of netlink (`struct nlmsghdr`): a length, a kind, flags, a sequence number and a payload, each at a multiple of four octets.

/// `NLMSG_ERROR`, which is an acknowledgement too, and `NLMSG_DONE`, the end of a dump.
pub(crate) const ERROR: u16 = 2;
pub(crate) const DONE: u16 = 3;
/// `NLM_F_REQUEST`, `NLM_F_ACK` and `NLM_F_DUMP`.
pub(crate) const REQUEST: u16 = 1;
pub(crate) const ACK: u16 = 4;
pub(crate) const DUMP: u16 = 0x300;
/// The kernel makes no larger datagram for one answer (`netlink_dump`, net/netlink/af_netlink.c).
pub(crate) const DATAGRAM: usize = 32 << 10;
const HEADER: usize = 16;

/// One message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message<'a> {
    pub(crate) kind: u16,
    /// That of the request which it answers; zero if it answers none.
    pub(crate) sequence: u32,
    pub(crate) payload: &'a [u8],
}

impl Message<'_> {
    /// The error that it reports; zero is an acknowledgement. `None` if it is of another kind.
    pub(crate) fn error(&self) -> Option<i32> {
        let number = self.payload.first_chunk().map_or(0, |octets| i32::from_ne_bytes(*octets));
        (self.kind == ERROR).then_some(number.wrapping_neg())
    }
}

/// The messages of a datagram; ends at the first that is not whole, which is left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Messages<'a>(pub(crate) &'a [u8]);

impl<'a> Iterator for Messages<'a> {
    type Item = Message<'a>;

    fn next(&mut self) -> Option<Message<'a>> {
        let header = self.0.first_chunk::<HEADER>()?;
        let word = |at: usize| u32::from_ne_bytes(*header[at..].first_chunk().expect("within the header"));
        let kind = u16::from_ne_bytes([header[4], header[5]]);
        let length = word(0) as usize;
        let payload = self.0.get(HEADER..length)?;
        self.0 = self.0.get(length.next_multiple_of(4)..).unwrap_or(&[]);
        Some(Message { kind, sequence: word(8), payload })
    }
}

/// A message in octets.
///
/// # Panics
///
/// If its payload is longer than a message can be.
pub(crate) fn message(kind: u16, flags: u16, sequence: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(HEADER + payload.len()).expect("a short payload");
    let mut octets = Vec::with_capacity(HEADER + payload.len());
    octets.extend(length.to_ne_bytes());
    octets.extend(kind.to_ne_bytes());
    octets.extend(flags.to_ne_bytes());
    octets.extend(sequence.to_ne_bytes());
    // The kernel knows the sender.
    octets.extend([0; 4]);
    octets.extend(payload);
    octets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written_and_a_cut_one_is_left() {
        let datagram =
            [message(34, 0, 7, &[1, 2, 3, 4]), message(ERROR, 0, 8, &(-2_i32).to_ne_bytes())].concat();
        let read: Vec<_> = Messages(&datagram).map(|one| (one.kind, one.sequence, one.error())).collect();
        assert_eq!(read, [(34, 7, None), (ERROR, 8, Some(2))]);
        for end in 0..datagram.len() {
            let mut messages = Messages(&datagram[..end]);
            assert!(messages.by_ref().count() < 2, "{end}");
            assert_eq!(messages.0.len(), end % 20, "{end}");
        }
        for octet in [0, 1, 255] {
            assert_eq!(Messages(&[octet; 64]).count(), 0, "a length of {octet}s");
        }
    }
}
