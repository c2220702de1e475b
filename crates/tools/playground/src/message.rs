//! A message: JSON, and octets behind it. The length of the JSON stands before it, in four octets, the lowest first.

use serde_json::Value;

/// What goes in or comes out.
#[derive(Debug, Default)]
pub(crate) struct Message {
    pub(crate) json: Value,
    pub(crate) octets: Vec<u8>,
}

impl Message {
    /// One of JSON alone.
    pub(crate) fn of(json: Value) -> Self {
        Self { json, octets: Vec::new() }
    }

    /// Reads a message. Its octets stay where they are: captures take most of a page's memory.
    pub(crate) fn read(mut message: Vec<u8>) -> Result<Self, String> {
        let (length, rest) = message.split_first_chunk::<4>().ok_or("a message without a length")?;
        let length = u32::from_le_bytes(*length) as usize;
        let json = rest.get(..length).ok_or("a message that is cut")?;
        let json = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        message.drain(..4 + length);
        Ok(Self { json, octets: message })
    }

    /// Writes it.
    pub(crate) fn written(self) -> Vec<u8> {
        let Self { json, mut octets } = self;
        let json = json.to_string();
        let length = u32::try_from(json.len()).expect("four gigabytes are more than there is");
        octets.reserve_exact(4 + json.len());
        octets.splice(0..0, length.to_le_bytes().into_iter().chain(json.into_bytes()));
        octets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_is_read_as_it_was_written() {
        let message = || Message { json: json!({"ask": "é"}), octets: vec![1, 2, 255] };
        let read = Message::read(message().written()).unwrap();
        assert_eq!((read.json, read.octets), (message().json, message().octets));
    }

    #[test]
    fn one_that_is_cut_is_refused() {
        let whole = Message::of(json!({"ask": "check"})).written();
        for length in 0..whole.len() {
            assert!(Message::read(whole[..length].to_vec()).is_err(), "{length}");
        }
    }
}
