//! How a scheme describes itself: its paper, its parameters, its place in figures, its parts.

use core::fmt;

use crate::{
    Capability, CommonList, Counter, End, FlowId, Given, HeaderFormat, Hop, Key, LinkTiming,
    Packet, Param, ParamError, Rate, Transport, Value, Values, Vocabulary,
};

/// How a scheme looks in every figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plot {
    /// Colour as `#rrggbb`.
    pub color: &'static str,
    /// Marker in matplotlib's notation.
    pub marker: &'static str,
}

/// How the packets of a scheme get from node to node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forwarding {
    /// From next hop to next hop, which routing names. A packet is for one node.
    NextHop,
    /// From each node to all its neighbours, without routes. A packet is for one node, for a group or for everyone,
    /// and its transport does without answers.
    Flood,
}

/// A scheme: a hop protocol and a transport, with everything that tools need to know of them. It
/// lives as long as the program: as a `static`, or leaked by who makes it at run time.
#[derive(Clone, Copy)]
pub struct Scheme {
    /// Its key in scenario files.
    pub name: &'static str,
    /// Its name in figures.
    pub title: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// How it looks.
    pub plot: Plot,
    /// What is counted in its runs only.
    pub counters: &'static [Counter],
    /// The words that it says beside the common ones.
    pub words: &'static [Vocabulary],
    /// The layouts of the headers that it writes.
    pub headers: &'static [&'static HeaderFormat],
    /// What it does itself: of the MACs that can do all that it needs, it has the first that does not do this as well.
    pub does_itself: &'static [Capability],
    /// What it cannot do without. Some parameters [need more](Param::needing).
    pub requires: &'static [Capability],
    /// How its packets spread.
    pub forwarding: Forwarding,
    /// Whether it treats flows by their [class](crate::TrafficClass).
    pub heeds_class: bool,
    /// Its parameters.
    pub params: &'static [Param],
    /// Makes the hop protocol of one node.
    pub hop: &'static MakeHop,
    /// Makes the transport of one flow end.
    pub transport: &'static MakeTransport,
    /// Whether that transport has sent this packet, as its headers say. So a node knows what a flow
    /// wants of it of which it has never heard.
    pub carries: fn(&Packet) -> bool,
}

/// A scheme is known by its name.
impl PartialEq for Scheme {
    fn eq(&self, other: &Scheme) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Scheme {
    /// The first capability that it does itself, of those that a MAC offers.
    pub fn doubles(&self, offers: impl Fn(Capability) -> bool) -> Option<Capability> {
        self.does_itself.iter().copied().find(|capability| offers(*capability))
    }

    /// The first capability that it needs with `params`, of those that a MAC does not offer.
    pub fn lacks(
        &self,
        params: &Params,
        offers: impl Fn(Capability) -> bool,
    ) -> Option<Capability> {
        let of_params = self.params.iter().filter_map(|param| {
            let (on, capability) = param.needs?;
            (params.values.named(param.name) == Some(&Value::Switch(on))).then_some(capability)
        });
        self.requires.iter().copied().chain(of_params).find(|capability| !offers(*capability))
    }
}

/// Makes the hop protocol of one node: a function, or a closure that lives as long as the program.
pub type MakeHop = dyn Fn(&Params) -> Box<dyn Hop> + Send + Sync;

/// Makes the transport of one flow end, likewise.
pub type MakeTransport = dyn Fn(&Params, FlowId, End) -> Box<dyn Transport> + Send + Sync;

/// The values of a scheme's parameters, defaults filled in, and what every scheme may know of
/// the link.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// The values.
    pub values: Values,
    /// How long packets take on the link.
    pub link: LinkTiming,
    /// What all nodes share, where the host is a simulator whose MAC [says so](Capability::CommonList).
    pub common: Option<CommonList>,
}

impl Params {
    /// The defaults of `scheme`, with `given` on top, over a link that costs nothing but bits.
    ///
    /// # Errors
    /// If a given parameter does not exist, has the wrong type, or is out of bounds, or if a
    /// required one is missing.
    pub fn new(scheme: &Scheme, given: &[Given], data_rate: Rate) -> Result<Self, ParamError> {
        let values = Values::new(scheme.params, given)?;
        Ok(Params::over(scheme, &values, LinkTiming::of_rate(data_rate)))
    }

    /// `values` of `scheme` over `link`, with what follows from it.
    pub fn over(scheme: &Scheme, values: &Values, link: LinkTiming) -> Self {
        Params { values: values.over(scheme.params, &link), link, common: None }
    }

    /// The value of `key`; its default if the scheme does not declare it.
    pub fn get<K: Key>(&self, key: K) -> K::Value {
        self.values.get(key)
    }
}
