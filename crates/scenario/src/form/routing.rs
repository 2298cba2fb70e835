//! [routing].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::Span;

/// How packets find their way.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoutingSection {
    /// Default: "fixed".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<RoutingKind>,
    /// Whether a node nearer to the destination than to the source repairs a broken route itself
    /// (RFC 3561, 6.12); AODV only. Default: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) local_repair: Option<bool>,
    /// Whether the first search for a destination widens in rings (RFC 3561, 6.4) rather than
    /// asking the whole network at once; AODV only. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expanding_ring: Option<bool>,
    /// How long a route lives that nobody uses; AODV only. Default: "10 s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) active_route_timeout: Option<Span>,
    /// Route requests that a node begins in a second at most (RFC 3561, `RREQ_RATELIMIT`: 10); AODV
    /// only. Default: as many as it wants, as in ns-2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) request_rate_limit: Option<u32>,
    /// Route errors that a node sends in a second at most (RFC 3561, `RERR_RATELIMIT`: 10); AODV
    /// only. Default: as many as it wants, as in ns-2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error_rate_limit: Option<u32>,
    /// How a node learns the MAC addresses of its neighbours. Schemes over the 802.11 DCF only.
    /// Default: "off".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) arp: Option<ArpKind>,
}

/// How a node learns the MAC addresses of its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ArpKind {
    /// It knows them.
    Off,
    /// It asks by broadcast, as ns-2's ARP does: one packet is held per neighbour and a second
    /// replaces it, and the fourth without an answer is a link failure.
    Ns2,
}

/// How packets find their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RoutingKind {
    /// Shortest paths, known from the start and never changed.
    Fixed,
    /// Ad hoc on-demand distance vector routing (RFC 3561): routes are searched for when they are
    /// needed. Nodes and flows need not be in reach of each other; a search that fails shows in
    /// the results.
    Aodv,
}
