//! Attributes of netlink messages (`struct nlattr`): a length, a kind and a payload, each at a multiple of four octets.

/// `NLA_F_NESTED` and `NLA_F_NET_BYTEORDER` lie above the kind.
const KIND: u16 = 0x3fff;
const HEADER: usize = 4;

/// One attribute.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    /// What it is, by the list of the message that it lies in.
    pub kind: u16,
    /// Its octets.
    pub payload: &'a [u8],
}

impl<'a> Attribute<'a> {
    /// Its octets as a number in the machine's own order; octets that are missing are zero.
    #[must_use]
    pub fn number(&self) -> u64 {
        let mut octets = [0; 8];
        let n = self.payload.len().min(8);
        // In the machine's order the octets of a shorter number lie at one end.
        let from = if cfg!(target_endian = "little") { 0 } else { 8 - n };
        octets[from..from + n].copy_from_slice(&self.payload[..n]);
        u64::from_ne_bytes(octets)
    }

    /// Its octets up to the first zero, as text.
    #[must_use]
    pub fn text(&self) -> String {
        let end = self.payload.iter().position(|&octet| octet == 0).unwrap_or(self.payload.len());
        String::from_utf8_lossy(&self.payload[..end]).into_owned()
    }

    /// The attributes within it.
    #[must_use]
    pub fn nested(&self) -> Attributes<'a> {
        Attributes(self.payload)
    }
}

/// Attributes one after the other; ends at the first that is not whole.
#[derive(Clone, Copy, Debug)]
pub struct Attributes<'a>(pub &'a [u8]);

impl<'a> Attributes<'a> {
    /// The first of a kind.
    #[must_use]
    pub fn get(self, kind: u16) -> Option<Attribute<'a>> {
        self.into_iter().find(|attribute| attribute.kind == kind)
    }

    /// The first of a kind as a number.
    #[must_use]
    pub fn number(self, kind: u16) -> Option<u64> {
        Some(self.get(kind)?.number())
    }

    /// What lies within the first of a kind; nothing if there is none.
    #[must_use]
    pub fn within(self, kind: u16) -> Self {
        self.get(kind).map_or(Self(&[]), |attribute| attribute.nested())
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Attribute<'a>;

    fn next(&mut self) -> Option<Attribute<'a>> {
        let word = |at: usize| Some(u16::from_ne_bytes(self.0.get(at..at + 2)?.try_into().ok()?));
        let (length, kind) = (usize::from(word(0)?), word(2)?);
        let payload = self.0.get(HEADER..length)?;
        self.0 = self.0.get(length.next_multiple_of(HEADER)..).unwrap_or(&[]);
        Some(Attribute { kind: kind & KIND, payload })
    }
}

/// Appends an attribute.
///
/// # Panics
///
/// If its payload is longer than an attribute can be.
pub fn put(message: &mut Vec<u8>, kind: u16, payload: &[u8]) {
    let length = u16::try_from(HEADER + payload.len()).expect("a short payload");
    message.extend(length.to_ne_bytes());
    message.extend(kind.to_ne_bytes());
    message.extend(payload);
    message.resize(message.len().next_multiple_of(HEADER), 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found() {
        let mut message = Vec::new();
        put(&mut message, 3, &7_u32.to_ne_bytes());
        let mut within = Vec::new();
        put(&mut within, 1, b"wlan0\0");
        put(&mut message, 0x8000 | 5, &within);
        put(&mut message, 6, &[0x2a]);
        let attributes = Attributes(&message);
        assert_eq!(attributes.number(3), Some(7));
        assert_eq!(attributes.within(5).get(1).map(|name| name.text()), Some("wlan0".to_owned()));
        assert_eq!(attributes.number(6), Some(0x2a));
        assert_eq!(attributes.within(9).count(), 0);
    }

    #[test]
    fn cut_and_absurd_messages_end() {
        let mut message = Vec::new();
        put(&mut message, 3, &[1, 2, 3, 4, 5]);
        for end in 0..9 {
            assert_eq!(Attributes(&message[..end]).count(), 0, "{end}");
        }
        assert_eq!(Attributes(&[0; 64]).count(), 0, "a length of zero");
        assert_eq!(Attributes(&[0xff; 64]).count(), 0, "a length of 65535");
    }
}
