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

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::WireError;

/// What follows a header: another header, or what the packet carries. The numbers are those of
/// IPv4's field "protocol" (RFC 791, 3.1); ours are unassigned there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NextHeader(pub u8);

/// Who writes a header. A packet has at most one of each layer, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The routing protocol: a source route, for instance.
    Routing,
    /// The hop-by-hop scheme.
    Hop,
    /// The stations on the way, for the ends.
    Path,
    /// The ends.
    Transport,
}

/// How many numbers each layer has.
const PER_LAYER: u8 = 24;

/// The first number of the routing layer; 144 to 252 are unassigned.
const FIRST: u8 = 152;

impl NextHeader {
    /// No header follows, but data. RFC 3692: "use for experimentation and testing".
    pub const DATA: Self = NextHeader(253);

    /// No header follows, but a message of the routing protocol. RFC 5498: protocols of mobile ad
    /// hoc networks.
    pub const ROUTING: Self = NextHeader(138);

    /// No header follows, but a message of address resolution, which IPv4 does not carry: the second
    /// number "for experimentation and testing".
    pub const ARP: Self = NextHeader(254);

    const fn of(layer: Layer, number: u8) -> Self {
        assert!(number < PER_LAYER, "every layer has 24 numbers");
        NextHeader(FIRST + layer as u8 * PER_LAYER + number)
    }

    /// The header of routing protocol `number`.
    ///
    /// # Panics
    /// If `number` is 24 or more, as in the other three.
    pub const fn routing(number: u8) -> Self {
        Self::of(Layer::Routing, number)
    }

    /// The header of hop-by-hop scheme `number`.
    ///
    /// # Panics
    /// If `number` is 24 or more.
    pub const fn hop(number: u8) -> Self {
        Self::of(Layer::Hop, number)
    }

    /// The header that stations of scheme `number` write.
    ///
    /// # Panics
    /// If `number` is 24 or more.
    pub const fn path(number: u8) -> Self {
        Self::of(Layer::Path, number)
    }

    /// The header of transport `number`.
    ///
    /// # Panics
    /// If `number` is 24 or more.
    pub const fn transport(number: u8) -> Self {
        Self::of(Layer::Transport, number)
    }

    /// Whose header it is; `None` if no header follows.
    pub const fn layer(self) -> Option<Layer> {
        match self.0.wrapping_sub(FIRST) / PER_LAYER {
            0 => Some(Layer::Routing),
            1 => Some(Layer::Hop),
            2 => Some(Layer::Path),
            3 => Some(Layer::Transport),
            _ => None,
        }
    }
}

/// Length of what every header begins with.
pub const HEADER_PREFIX: usize = 2;

/// The longest header, prefix included.
pub const LONGEST_HEADER: usize = 255;

/// So many bytes of headers travel without touching the heap.
const INLINE: usize = 64;

/// A stack of headers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Headers {
    /// What the network header says that follows it.
    first: NextHeader,
    bytes: SmallVec<[u8; INLINE]>,
}

/// Where a header lies in the stack.
#[derive(Clone, Copy)]
struct Place {
    kind: NextHeader,
    at: usize,
    end: usize,
}

impl Headers {
    /// No header: the packet carries what `carried` says.
    pub const fn none(carried: NextHeader) -> Self {
        Headers { first: carried, bytes: SmallVec::new_const() }
    }

    /// What the network header says that follows it.
    pub const fn first(&self) -> NextHeader {
        self.first
    }

    /// What follows the last header.
    #[inline]
    pub fn carried(&self) -> NextHeader {
        self.places().last().map_or(self.first, |place| NextHeader(self.bytes[place.at]))
    }

    /// The bytes of all headers.
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes
    }

    /// The length of all headers in bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is no header.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn places(&self) -> impl Iterator<Item = Place> + '_ {
        let (mut kind, mut at) = (self.first, 0);
        core::iter::from_fn(move || {
            let (next, len) = (*self.bytes.get(at)?, *self.bytes.get(at + 1)?);
            let place = Place { kind, at, end: at + usize::from(len) };
            (kind, at) = (NextHeader(next), place.end);
            Some(place)
        })
    }

    /// What the header `kind` says behind its prefix, if there is one.
    #[inline]
    pub fn get(&self, kind: NextHeader) -> Option<&[u8]> {
        let place = self.places().find(|place| place.kind == kind)?;
        self.bytes.get(place.at + HEADER_PREFIX..place.end)
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
        let here = before.map_or(self.first, |place| NextHeader(self.bytes[place.at]));
        let (next, end) = if here.layer() == Some(layer) {
            (self.bytes[at], at + usize::from(self.bytes[at + 1]))
        } else {
            (here.0, at)
        };
        if end - at == usize::from(len) {
            self.bytes[at + HEADER_PREFIX..end].copy_from_slice(body);
        } else {
            let mut bytes = SmallVec::new();
            for part in [&self.bytes[..at], &[next, len], body, &self.bytes[end..]] {
                bytes.extend_from_slice(part);
            }
            self.bytes = bytes;
        }
        match before {
            Some(place) => self.bytes[place.at] = kind.0,
            None => self.first = kind,
        }
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
        Ok((Headers { first, bytes: SmallVec::from_slice(headers) }, rest))
    }
}

#[cfg(test)]
mod tests;
