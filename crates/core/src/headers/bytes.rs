//! Bytes of which the usual few travel without touching the heap.

use std::sync::Arc;

/// So many stand inline: copies of a packet are made at every reception.
const INLINE: usize = 46;

/// A string of bytes.
#[derive(Clone)]
pub(super) enum Bytes {
    Inline { len: u8, bytes: [u8; INLINE] },
    Long(Arc<[u8]>),
}

impl Bytes {
    /// No bytes.
    pub(super) const EMPTY: Self = Bytes::Inline { len: 0, bytes: [0; INLINE] };

    /// These parts, one behind the other.
    pub(super) fn of(parts: &[&[u8]]) -> Self {
        let mut bytes = [0; INLINE];
        let mut len = 0;
        for part in parts {
            match bytes.get_mut(len..len + part.len()) {
                Some(place) => place.copy_from_slice(part),
                None => return Bytes::Long(parts.concat().into()),
            }
            len += part.len();
        }
        Bytes::Inline { len: len as u8, bytes }
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        match self {
            Bytes::Inline { len, bytes } => &bytes[..usize::from(*len)],
            Bytes::Long(bytes) => bytes,
        }
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [u8] {
        match self {
            Bytes::Inline { len, bytes } => &mut bytes[..usize::from(*len)],
            Bytes::Long(bytes) => Arc::make_mut(bytes),
        }
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Bytes {}

impl core::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:02x?}", self.as_slice())
    }
}
