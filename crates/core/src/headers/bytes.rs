//! Bytes of which the usual few travel without touching the heap.

use std::sync::Arc;

/// So many stand inline: copies of a packet are made at every reception.
const INLINE: usize = 40;

/// They begin at a multiple of eight bytes, as what they are copied by does.
#[derive(Clone, Copy)]
#[repr(align(8))]
pub(super) struct Aligned([u8; INLINE]);

/// A string of bytes.
pub(super) enum Bytes {
    Inline { len: u32, bytes: Aligned },
    Long(Arc<[u8]>),
}

impl Clone for Bytes {
    fn clone(&self) -> Self {
        match self {
            Bytes::Inline { len, bytes } => Bytes::Inline { len: *len, bytes: *bytes },
            Bytes::Long(bytes) => Bytes::Long(Arc::clone(bytes)),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Bytes::Inline { len, bytes }, Bytes::Inline { len: others, bytes: other }) => {
                (*len, *bytes) = (*others, *other);
            }
            _ => *self = other.clone(),
        }
    }
}

impl Bytes {
    /// No bytes.
    pub(super) const EMPTY: Self = Bytes::Inline { len: 0, bytes: Aligned([0; INLINE]) };

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
        Bytes::Inline { len: len as u32, bytes: Aligned(bytes) }
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        match self {
            Bytes::Inline { len, bytes } => &bytes.0[..*len as usize],
            Bytes::Long(bytes) => bytes,
        }
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [u8] {
        match self {
            Bytes::Inline { len, bytes } => &mut bytes.0[..*len as usize],
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
