//! How a MAC describes itself: where its rules come from, its parameters, what it can do, how it is made.

use core::fmt;

use multihop_core::{Bytes, Capability, LinkTiming, Medium, Param, Value, Values, Vocabulary};

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
    /// The words that it says beside the common ones.
    pub words: &'static [Vocabulary],
    /// The longest packet that a frame carries, headers of network and transport included.
    pub longest_packet: fn(&Values) -> Bytes,
    /// Its parameters.
    pub params: &'static [Param],
    /// The values of the parameters that have no default and are not given: what follows from the others.
    pub otherwise: fn(&Values) -> Vec<(&'static str, Value)>,
    /// Refuses values that make no sense together, or not with this radio.
    pub check: fn(&Values, Option<&Radio>) -> Result<(), Refusal>,
    /// From which power on its receiver decodes frames, where that follows from its parameters; `[radio]` decides
    /// otherwise.
    pub floors: Option<fn(&Values) -> Floors>,
    /// What stations make of signals by this radio; `None` where nodes have none.
    pub hearing: Option<fn(&Values, &Radio) -> Hearing>,
    /// How long packets take over a hop.
    pub hop: fn(&Values) -> LinkTiming,
    /// Makes the medium of a run: this MAC at every node.
    pub make: fn(&Setup) -> Box<dyn Medium>,
}

/// From which power on a receiver decodes frames, and from which on they matter to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floors {
    /// From here on, in dBm, frames are decoded.
    pub receive: f64,
    /// From here on, in dBm, they are sensed or disturb.
    pub sense: f64,
}

/// What stations make of signals: for those who ask, without a run, who hears whom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hearing {
    /// From this power in W on a frame that nothing disturbs keeps a station from sending, whether the station decodes
    /// it or not; infinite if no frame does.
    pub defers_from: f64,
    /// How many times as strong as a later frame a frame must be to survive it.
    pub over_later: f64,
    /// How many times as strong as an earlier frame, which the receiver follows, a frame must be to be received instead;
    /// infinite if none is.
    pub over_earlier: f64,
    /// Whether what overlaps adds up, so that several frames may destroy what none of them would alone.
    pub adds_up: bool,
    /// Power in W of the noise in a receiver; 0 where noise does not count.
    pub noise: f64,
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
