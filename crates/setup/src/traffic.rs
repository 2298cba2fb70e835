//! What sources send: a kind of traffic describes itself, as a MAC does.

mod bulk;
mod cbr;
mod meshtastic;
mod poisson;
mod replay;
#[cfg(test)]
mod tests;

use core::fmt;
use std::sync::Arc;

use multihop_core::{Bytes, Param, Rng, Time, TrafficClass, Values};

use crate::{NamedFile, Refusal};

pub use bulk::Bulk;
pub use cbr::Cbr;
pub use poisson::Poisson;

/// The kinds of traffic that are built in; the first is the default.
pub static TRAFFICS: &[&TrafficKind] =
    &[&cbr::KIND, &bulk::FTP, &bulk::FILE, &poisson::KIND, &replay::KIND, &meshtastic::KIND];

/// A kind of traffic, with everything that tools need to know of it. It lives as long as the program.
#[derive(Clone, Copy)]
pub struct TrafficKind {
    /// Its key in scenario files.
    pub name: &'static str,
    /// Its name in tables and messages.
    pub title: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What a source of this kind sends.
    pub about: &'static str,
    /// Its parameters, beside those that every flow has.
    pub params: &'static [Param],
    /// The parameters of every flow that it does not have, as `route_lead`.
    pub lacks: &'static [&'static str],
    /// Parameters in pairs: a flow that gives the first itself does not take the second from `[traffic]`.
    pub hides: &'static [(&'static str, &'static str)],
    /// The files that its parameters name.
    pub files: &'static [&'static NamedFile],
    /// What every node sends to everyone where `[traffic]` has this kind. Other flows of the kind send the last of them.
    pub stock: fn(&Values) -> Vec<Stock>,
    /// Makes what a source sends.
    pub make: fn(&Terms) -> Result<Arc<dyn Pattern>, Refusal>,
    /// Refuses values that do not fit the flows of one table together: their two ends, by name.
    pub check: CheckFlows,
}

/// One of the messages that a kind of traffic lets every node send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stock {
    /// Its name, with which those of its flows begin.
    pub name: &'static str,
    /// The class of its flows.
    pub class: TrafficClass,
    /// The payload of each.
    pub payload: Bytes,
    /// The key that says how long it is, for messages.
    pub key: &'static str,
}

/// What is known of the node that sends.
#[derive(Clone, Copy, Debug)]
pub struct Sender {
    /// How many nodes the scenario has.
    pub nodes: usize,
    /// The value of the parameter `role` of its scheme, where it has one.
    pub role: Option<&'static str>,
    /// Whether it moves.
    pub moves: bool,
}

/// The names of the nodes at the two ends of a flow.
pub type Ends<'a> = (&'a str, &'a str);

/// Refuses values of a kind that do not fit some flows.
pub type CheckFlows = fn(&Values, &[Ends]) -> Result<(), Refusal>;

/// What one source is made of.
pub struct Terms<'a> {
    /// The values of its kind's parameters.
    pub values: &'a Values,
    /// Payload of a packet, unless the kind says otherwise.
    pub payload: Bytes,
    /// The largest payload that a packet has room for.
    pub largest_payload: Bytes,
    /// The names of the nodes from which and to which it sends.
    pub ends: Ends<'a>,
    /// Random numbers of this source, for what is drawn once.
    pub rng: Rng,
    /// Which of the stock of its kind it sends.
    pub stock: Option<&'static str>,
    /// The node that sends.
    pub sender: Sender,
}

/// The messages that a source sends by itself, in the order of time: when, and how long each is.
pub type Messages = Box<dyn Iterator<Item = (Time, Bytes)> + Send>;

/// What one source does over time.
pub trait Pattern: fmt::Debug + Send + Sync {
    /// The messages of a source that begins at `begins`; `None` if it sends whenever the transport wants data.
    fn messages(&self, begins: Time, rng: Rng) -> Option<Messages>;

    /// How many packets there are in all, for a source that sends whenever the transport wants data; `None` for no
    /// end.
    fn packets(&self) -> Option<u32> {
        None
    }

    /// The mean offered load in bit/s of payload; infinite if it sends whenever the transport wants data.
    fn load(&self) -> f64;
}

/// What a source sends.
#[derive(Clone)]
pub struct Traffic {
    /// Its kind.
    pub kind: &'static TrafficKind,
    /// Payload of a packet, unless the kind says otherwise.
    pub payload: Bytes,
    /// What it does over time.
    pub pattern: Arc<dyn Pattern>,
}

impl Traffic {
    /// Whether it sends whenever the transport wants data: its load has no end.
    pub fn is_bulk(&self) -> bool {
        self.pattern.load().is_infinite()
    }
}

impl fmt::Debug for Traffic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?} {:?}", self.kind.name, self.payload, self.pattern)
    }
}

/// Two are equal that say the same of themselves.
impl PartialEq for Traffic {
    fn eq(&self, other: &Traffic) -> bool {
        format!("{self:?}") == format!("{other:?}")
    }
}

/// The `stock` of a kind that sends only what flows say.
pub const fn no_stock(_: &Values) -> Vec<Stock> {
    Vec::new()
}

/// The `check` of a kind whose values fit any flows.
///
/// # Errors
/// Never.
pub fn any_flows(_: &Values, _: &[Ends]) -> Result<(), Refusal> {
    Ok(())
}
