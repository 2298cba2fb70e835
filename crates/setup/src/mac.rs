//! How a MAC describes itself: where its rules come from, its parameters, what it can do, how it is made.

use core::fmt;

use multihop_core::{Bytes, Capability, Duration, Medium, Param, Rate, Value, Values};

use crate::{Radio, Setup};

/// A MAC, with everything that tools need to know of it. It lives as long as the program, as a scheme does.
#[derive(Clone, Copy)]
pub struct Mac {
    /// Its key in scenario files.
    pub name: &'static str,
    /// Its name in tables and messages.
    pub title: &'static str,
    /// Where its rules come from.
    pub source: &'static str,
    /// What it does.
    pub about: &'static str,
    /// What it can do.
    pub offers: &'static [Capability],
    /// The longest packet that a frame carries, headers of network and transport included.
    pub longest_packet: Bytes,
    /// Its parameters.
    pub params: &'static [Param],
    /// The values of the parameters that have no default and are not given: what follows from the others.
    pub otherwise: fn(&Values) -> Vec<(&'static str, Value)>,
    /// Refuses values that make no sense together, or not with this radio.
    pub check: fn(&Values, Option<&Radio>) -> Result<(), Refusal>,
    /// What a hop takes.
    pub hop: fn(&Values) -> HopTimes,
    /// Makes the medium of a run: this MAC at every node.
    pub make: fn(&Setup) -> Box<dyn Medium>,
}

/// Why a MAC refuses a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The parameter's key.
    pub key: &'static str,
    /// What is wrong, what was given, and what would do.
    pub message: String,
}

impl Refusal {
    /// `key` is refused, because of `message`.
    pub fn new(key: &'static str, message: impl Into<String>) -> Self {
        Refusal { key, message: message.into() }
    }
}

/// What a hop of a packet takes of the medium, if nobody else uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HopTimes {
    /// The rate of data frames.
    pub data_rate: Rate,
    /// What a hop takes besides the packet's own bits: mean backoff of an idle medium, RTS and CTS, preamble, MAC
    /// header, link acknowledgment, the spaces between.
    pub overhead: Duration,
    /// What of that follows the frame: the space, and the link acknowledgment where the MAC has one.
    pub link_acknowledgment: Duration,
}

impl Mac {
    /// Whether it can do that.
    pub fn can(&self, capability: Capability) -> bool {
        self.offers.contains(&capability)
    }
}

impl PartialEq for Mac {
    fn eq(&self, other: &Mac) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Mac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
