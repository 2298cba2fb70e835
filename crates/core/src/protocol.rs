//! The numbers of headers, and why bytes are refused.

use core::fmt;

use serde::{Deserialize, Serialize};

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

/// Why bytes from the air were refused. Counted and traced; never a panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WireError {
    /// Fewer bytes than the header needs.
    Truncated {
        /// How many are needed.
        need: usize,
        /// How many there are.
        have: usize,
    },
    /// The packet lacks this header.
    Missing(NextHeader),
    /// A field holds a value that the format does not know.
    Field {
        /// Which field.
        name: &'static str,
        /// What it held.
        value: u32,
    },
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireError::Truncated { need, have } => {
                write!(f, "header cut off: {have} of {need} bytes")
            }
            WireError::Missing(kind) => write!(f, "there is no header {}", kind.0),
            WireError::Field { name, value } => write!(f, "header field {name} holds {value}"),
        }
    }
}

impl core::error::Error for WireError {}

/// The fields of a header that has exactly so many bytes.
///
/// # Errors
/// If it has another length.
pub fn fields<const N: usize>(body: &[u8]) -> Result<&[u8; N], WireError> {
    let value = u32::try_from(body.len()).unwrap_or(u32::MAX);
    body.try_into().map_err(|_| WireError::Field { name: "header length", value })
}
