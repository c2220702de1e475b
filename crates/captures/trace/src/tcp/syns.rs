//! Which of several SYNs a SYN-ACK answers, by the clock value that it echoes (RFC 7323 section 3.2).

/// SYNs of an attempt of which it is known which one was answered, at most; Linux sends seven (`net.ipv4.tcp_syn_retries` of 6).
const MOST: usize = 7;

/// The clock values of the SYNs of one attempt to open a connection.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Syns {
    stamps: [u32; MOST],
    many: u32,
}

impl Syns {
    /// Takes a SYN with its clock value. One without a value cannot be told from any other.
    pub(super) fn sent(&mut self, stamp: Option<u32>) {
        if let Some(place) = self.stamps.get_mut(self.many as usize) {
            *place = stamp.unwrap_or_default();
        }
        self.many = self.many.saturating_add(1);
    }

    /// Which of several SYNs has this clock value, counted from 1; none if there was one alone, or if another has it too. A host that keeps what it has of a SYN
    /// echoes the first that came (Linux 6.6, `tcp_check_req`: one that is sent again is answered as before).
    pub(super) fn answered(&self, echo: u32) -> Option<u32> {
        let known = self.stamps.get(..self.many as usize).filter(|known| known.len() > 1 && echo != 0)?;
        let mut places = (1..).zip(known).filter(|(_, stamp)| **stamp == echo).map(|(place, _)| place);
        places.next().filter(|_| places.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(stamps: &[u32], echo: u32) -> Option<u32> {
        let mut syns = Syns::default();
        stamps.iter().for_each(|&stamp| syns.sent(Some(stamp).filter(|&stamp| stamp != 0)));
        syns.answered(echo)
    }

    #[test]
    fn an_echo_shows_which_syn_came() {
        assert_eq!([700, 1700, 3700].map(|echo| answered(&[700, 1700, 3700], echo)), [1, 2, 3].map(Some));
        assert_eq!(answered(&[700], 700), None, "there was no other");
        assert_eq!(answered(&[700, 700], 700), None, "a clock that stands");
        assert_eq!(answered(&[0, 0], 0), None, "no time stamps");
        assert_eq!(answered(&[1, 2, 3, 4, 5, 6, 7, 8], 8), None, "one more than is known");
    }
}
