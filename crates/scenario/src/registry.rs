//! What a scenario can name.

use multihop_core::{Defaults, Scheme};
use multihop_medium::MACS;
use multihop_routing::{ROUTINGS, RoutingProtocol};
use multihop_schemes::SCHEMES;
use multihop_setup::{Mac, TRAFFICS, TrafficKind};

/// The schemes, routing protocols, MACs and kinds of traffic that scenarios can name. The default has all that are built in;
/// others, of a test or of another program, are added to it.
#[derive(Clone)]
pub struct Registry {
    /// The schemes.
    pub schemes: Vec<&'static Scheme>,
    /// The routing protocols; the first is the default.
    pub routings: Vec<&'static RoutingProtocol>,
    /// The MACs over the radio, in the order in which they are preferred where a scenario names none.
    pub macs: Vec<&'static Mac>,
    /// The kinds of traffic; the first is the default.
    pub traffics: Vec<&'static TrafficKind>,
    /// Which of their defaults hold.
    pub defaults: Defaults,
}

impl Default for Registry {
    fn default() -> Self {
        Registry {
            schemes: SCHEMES.to_vec(),
            routings: ROUTINGS.to_vec(),
            macs: MACS.to_vec(),
            traffics: TRAFFICS.to_vec(),
            defaults: Defaults::default(),
        }
    }
}

impl Registry {
    /// The same with a scheme more.
    #[must_use]
    pub fn with_scheme(mut self, scheme: &'static Scheme) -> Self {
        self.schemes.push(scheme);
        self
    }

    /// The same with a MAC more.
    #[must_use]
    pub fn with_mac(mut self, mac: &'static Mac) -> Self {
        self.macs.push(mac);
        self
    }

    /// The same with a kind of traffic more.
    #[must_use]
    pub fn with_traffic(mut self, traffic: &'static TrafficKind) -> Self {
        self.traffics.push(traffic);
        self
    }

    /// The same with a routing protocol more.
    #[must_use]
    pub fn with_routing(mut self, routing: &'static RoutingProtocol) -> Self {
        self.routings.push(routing);
        self
    }

    /// The same with other defaults.
    #[must_use]
    pub fn with_defaults(mut self, defaults: Defaults) -> Self {
        self.defaults = defaults;
        self
    }
}
