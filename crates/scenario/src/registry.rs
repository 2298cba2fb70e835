//! What a scenario can name.

use multihop_core::{Defaults, Scheme};
use multihop_medium::MACS;
use multihop_routing::{ROUTINGS, RoutingProtocol};
use multihop_schemes::SCHEMES;
use multihop_setup::Mac;

/// The schemes, routing protocols and MACs that scenarios can name. The default has all that are built in;
/// others, of a test or of another program, are added to it.
#[derive(Clone)]
pub struct Registry {
    /// The schemes.
    pub schemes: Vec<&'static Scheme>,
    /// The routing protocols; the first is the default.
    pub routings: Vec<&'static RoutingProtocol>,
    /// The MACs over the radio, in the order in which they are preferred where a scenario names none.
    pub macs: Vec<&'static Mac>,
    /// Which of their defaults hold.
    pub defaults: Defaults,
}

impl Default for Registry {
    fn default() -> Self {
        Registry {
            schemes: SCHEMES.to_vec(),
            routings: ROUTINGS.to_vec(),
            macs: MACS.to_vec(),
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
