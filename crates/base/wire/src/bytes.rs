//! Reading octets without ever indexing past their end.

use crate::Error;

/// A slice that is consumed from the front.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) const fn rest(self) -> &'a [u8] {
        self.0
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (head, rest) = self.0.split_first_chunk::<N>().ok_or(Error::Truncated)?;
        self.0 = rest;
        Ok(*head)
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let (head, rest) = self.0.split_at_checked(count).ok_or(Error::Truncated)?;
        self.0 = rest;
        Ok(head)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Error> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn le16(&mut self) -> Result<u16, Error> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(crate) fn le32(&mut self) -> Result<u32, Error> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn le64(&mut self) -> Result<u64, Error> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub(crate) fn be16(&mut self) -> Result<u16, Error> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub(crate) fn be32(&mut self) -> Result<u32, Error> {
        Ok(u32::from_be_bytes(self.array()?))
    }
}

/// The byte order of a capture file, which is that of the machine that wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
}

impl Order {
    pub(crate) fn u16(self, from: &mut Cursor<'_>) -> Result<u16, Error> {
        let bytes = from.array()?;
        Ok(match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        })
    }

    pub(crate) fn u32(self, from: &mut Cursor<'_>) -> Result<u32, Error> {
        let bytes = from.array()?;
        Ok(match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes),
        })
    }

    pub(crate) fn i64(self, from: &mut Cursor<'_>) -> Result<i64, Error> {
        let bytes = from.array()?;
        Ok(match self {
            Self::Little => i64::from_le_bytes(bytes),
            Self::Big => i64::from_be_bytes(bytes),
        })
    }
}
