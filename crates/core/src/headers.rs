//! The headers behind the network header: a stack of bytes in which every header says how long it
//! is and what follows it.
//!
//! ```text
//!  0       1       2
//! +-------+-------+------------------
//! | next  | length| what its protocol has to say
//! +-------+-------+------------------
//! ```
//!
//! The length counts bytes, these two included. So a node walks over headers that it does not know:
//! a relay reads and rewrites its own, and passes on the others as they came.

mod bytes;

use serde::{Deserialize, Serialize};

use crate::{Layer, NextHeader, WireError};
use bytes::Bytes;

/// Length of what every header begins with.
pub const HEADER_PREFIX: usize = 2;

/// The longest header, prefix included.
pub const LONGEST_HEADER: usize = 255;

/// A stack of headers.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Headers {
    /// What the network header says that follows it.
    first: NextHeader,
    /// What follows the last header.
    carried: NextHeader,
    bytes: Bytes,
}

impl Clone for Headers {
    fn clone(&self) -> Self {
        Headers { first: self.first, carried: self.carried, bytes: self.bytes.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        let Headers { first, carried, bytes } = other;
        (self.first, self.carried) = (*first, *carried);
        self.bytes.clone_from(bytes);
    }
}

/// A stack in a recording.
#[derive(Serialize, Deserialize)]
struct Stored {
    first: NextHeader,
    bytes: Vec<u8>,
}

impl From<Headers> for Stored {
    fn from(headers: Headers) -> Self {
        Stored { first: headers.first, bytes: headers.as_slice().to_vec() }
    }
}

impl TryFrom<Stored> for Headers {
    type Error = WireError;

    fn try_from(stored: Stored) -> Result<Self, WireError> {
        match Headers::parse(stored.first, &stored.bytes)? {
            (headers, []) => Ok(headers),
            (headers, _) => {
                Err(WireError::Truncated { need: stored.bytes.len(), have: headers.len() })
            }
        }
    }
}

/// Where a header lies in the stack.
#[derive(Clone, Copy)]
struct HeaderSpan {
    kind: NextHeader,
    at: usize,
    end: usize,
}

impl Headers {
    /// No header: the packet carries what `carried` says.
    pub const fn none(carried: NextHeader) -> Self {
        Headers { first: carried, carried, bytes: Bytes::EMPTY }
    }

    /// What the network header says that follows it.
    pub const fn first(&self) -> NextHeader {
        self.first
    }

    /// What follows the last header.
    pub const fn carried(&self) -> NextHeader {
        self.carried
    }

    /// The bytes of all headers.
    pub fn as_slice(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    /// The length of all headers in bytes.
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether there is no header.
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    fn places(&self) -> impl Iterator<Item = HeaderSpan> + '_ {
        let (mut kind, mut at, bytes) = (self.first, 0, self.as_slice());
        core::iter::from_fn(move || {
            let (next, len) = (*bytes.get(at)?, *bytes.get(at + 1)?);
            let place = HeaderSpan { kind, at, end: at + usize::from(len) };
            (kind, at) = (NextHeader(next), place.end);
            Some(place)
        })
    }

    /// What the header `kind` says behind its prefix, if there is one.
    #[inline]
    pub fn get(&self, kind: NextHeader) -> Option<&[u8]> {
        let place = self.places().find(|place| place.kind == kind)?;
        self.as_slice().get(place.at + HEADER_PREFIX..place.end)
    }

    /// What the header `kind` says behind its prefix.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, kind: NextHeader) -> Result<&[u8], WireError> {
        self.get(kind).ok_or(WireError::Missing(kind))
    }

    /// Whether there is a header of `layer`.
    pub fn has(&self, layer: Layer) -> bool {
        self.places().any(|place| place.kind.layer() == Some(layer))
    }

    /// The length of the headers behind that of `layer`, or behind its place.
    pub fn len_behind(&self, layer: Layer) -> usize {
        let behind = self.places().filter(|place| place.kind.layer() > Some(layer));
        behind.map(|place| place.end - place.at).sum()
    }

    /// Write the header `kind`, over that of its layer or in its place among the others.
    ///
    /// # Panics
    /// If `kind` is no header, or `body` longer than a header can be.
    pub fn set(&mut self, kind: NextHeader, body: &[u8]) {
        let layer = kind.layer().expect("only headers are written");
        let len = u8::try_from(HEADER_PREFIX + body.len()).expect("a header has at most 255 bytes");
        let before = self.places().take_while(|place| place.kind.layer() < Some(layer)).last();
        let at = before.map_or(0, |place| place.end);
        let bytes = self.bytes.as_mut_slice();
        let here = before.map_or(self.first, |place| NextHeader(bytes[place.at]));
        let (next, end) = if here.layer() == Some(layer) {
            (bytes[at], at + usize::from(bytes[at + 1]))
        } else {
            (here.0, at)
        };
        match before {
            Some(place) => bytes[place.at] = kind.0,
            None => self.first = kind,
        }
        if end - at == usize::from(len) {
            bytes[at + HEADER_PREFIX..end].copy_from_slice(body);
        } else {
            self.bytes = Bytes::of(&[&bytes[..at], &[next, len], body, &bytes[end..]]);
        }
    }

    /// Take the header `kind` out, if there is one.
    pub fn remove(&mut self, kind: NextHeader) {
        let Some(HeaderSpan { at, end, .. }) = self.places().find(|place| place.kind == kind)
        else {
            return;
        };
        let before = self.places().take_while(|place| place.at < at).last();
        let bytes = self.bytes.as_mut_slice();
        let next = bytes[at];
        match before {
            Some(before) => bytes[before.at] = next,
            None => self.first = NextHeader(next),
        }
        self.bytes = Bytes::of(&[&bytes[..at], &bytes[end..]]);
    }

    /// Read the headers at the start of `bytes`, of which the first is `first`. Returns them and what
    /// stands behind them.
    ///
    /// # Errors
    /// If a header is cut off, comes twice or out of order, or is of no layer.
    pub fn parse(first: NextHeader, bytes: &[u8]) -> Result<(Self, &[u8]), WireError> {
        let (mut kind, mut at, mut above) = (first, 0, None);
        while let Some(layer) = kind.layer() {
            if above >= Some(layer) {
                return Err(WireError::Field { name: "next header", value: kind.0.into() });
            }
            let Some(&[next, len]) = bytes.get(at..).and_then(<[u8]>::first_chunk) else {
                let (need, have) = (at + HEADER_PREFIX, bytes.len());
                return Err(WireError::Truncated { need, have });
            };
            if usize::from(len) < HEADER_PREFIX {
                return Err(WireError::Field { name: "header length", value: len.into() });
            }
            (kind, at, above) = (NextHeader(next), at + usize::from(len), Some(layer));
        }
        if ![NextHeader::DATA, NextHeader::ROUTING, NextHeader::ARP].contains(&kind) {
            return Err(WireError::Field { name: "next header", value: kind.0.into() });
        }
        let truncated = WireError::Truncated { need: at, have: bytes.len() };
        let (headers, rest) = bytes.split_at_checked(at).ok_or(truncated)?;
        Ok((Headers { first, carried: kind, bytes: Bytes::of(&[headers]) }, rest))
    }
}

#[cfg(test)]
mod tests;
