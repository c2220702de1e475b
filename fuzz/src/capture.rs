//! Whole files.

use crate::frame;
use airloom_lab::frames::frames;
use airloom_wire::{Captured, Reader, Stop};

/// Reads a file to its end, every packet as far up as it goes: an error is the last item, no octet is yielded twice, and
/// the list of the frames of the air is as long.
pub fn capture(file: &[u8]) {
    let listed = frames(file);
    let Ok(reader) = Reader::new(file) else {
        return assert!(listed.is_err());
    };
    let (mut packets, mut octets, mut stop) = (0, 0, None);
    for item in reader {
        assert_eq!(stop, None, "nothing follows an error");
        match item {
            Ok(Captured { data, comment, .. }) => {
                packets += 1;
                octets += data.len() + comment.map_or(0, str::len);
                assert!(packets <= file.len() && octets <= file.len(), "each packet takes octets of its own");
                frame(data);
            }
            Err(error) => {
                let (Stop::Truncated { offset } | Stop::Malformed { offset, .. }) = error;
                assert!(offset < file.len());
                stop = Some(error);
            }
        }
    }
    if let Ok(listed) = listed {
        assert_eq!((listed.len(), stop), (packets, None));
    }
}
