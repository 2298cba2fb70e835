//! [traffic] and [[flow]].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::{BitRate, Number, Size, Span};

/// What the flows carry; those of [[flow]] carry it unless they say otherwise.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TrafficSection {
    /// Default: "cbr".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<TrafficKind>,
    /// What carries the data end to end. Default: "scheme".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) transport: Option<TransportKind>,
    /// Offered load of each flow, payload only; required by kind "cbr", which alone has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) load: Option<BitRate>,
    /// Each interval between two packets is drawn uniformly from this share of it below to as much
    /// above, 0.5 as in ns-2 with `random_`; kind "cbr" only. Default: 0 (exactly periodic).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0), example = 0.5)]
    pub(crate) interval_jitter: Option<Number>,
    /// How much there is to send, rounded up to whole packets; required by kind "file", which
    /// alone has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "50 kB")]
    pub(crate) size: Option<Size>,
    /// The size of each flow's file is drawn uniformly between `size` and this, by the scenario's seed
    /// and the flow's number; kind "file" only. Default: `size`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "500 kB")]
    pub(crate) largest_size: Option<Size>,
    /// Payload of a packet: for TCP, of a segment. Default: "512 B".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) payload: Option<Size>,
    /// When the flow starts. Default: "1 s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<Span>,
    /// A flow starts up to this much later, at random. Default: "0.5 s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start_jitter: Option<Span>,
    /// Each flow sends three single packets, 0.5 s apart, the first this long before its start, so that
    /// its route and the addresses on it are known when its load begins; from 1.5 s to `start`, and not
    /// for kind "file". Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "8.5 s")]
    pub(crate) route_lead: Option<Span>,
    /// Each flow starts this much later than the one before it, in the order of the flows; a flow
    /// of [[flow]] with a start of its own does not. Default: "0 s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stagger: Option<Span>,
    /// When the flow stops. Default: the end of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stop: Option<Span>,
    /// The flow stops this long after its start, jitter not counted; instead of `stop`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "30 s")]
    pub(crate) lifetime: Option<Span>,
}

/// What a source sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TrafficKind {
    /// Constant bit rate.
    Cbr,
    /// As much as the transport takes, without end.
    Ftp,
    /// As much as the transport takes, up to the size of a file.
    File,
}

/// What carries a flow's data end to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TransportKind {
    /// The transport of the scheme under test.
    Scheme,
    /// Plain datagrams, as background traffic without congestion control.
    Datagram,
}

/// Whom the packets of a flow are for.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged, expecting = "must be the name of a node, \"everyone\", or a list of names")]
pub(crate) enum To {
    /// A node, or everyone.
    Name(String),
    /// The nodes of a group.
    Names(#[schemars(length(min = 1))] Vec<String>),
}

/// A flow of an explicit topology, or one beside those that another topology makes; what is
/// missing is taken from [traffic].
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlowSection {
    /// Its name. Default: as in "a->b".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// Name of the node where its packets come from; a topology names its own n0, n1, ...
    pub(crate) from: String,
    /// Where they go: the name of a node, "everyone", or a list of names, for all of whom each packet is.
    pub(crate) to: To,
    /// Names of the nodes between the two, in order, if it is not to take the shortest way; fixed
    /// routes only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) via: Option<Vec<String>>,
    /// What it sends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<TrafficKind>,
    /// What carries its data end to end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) transport: Option<TransportKind>,
    /// Offered load, payload only; kind "cbr" only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) load: Option<BitRate>,
    /// Each interval between two packets is drawn uniformly from this share of it below to as much
    /// above; kind "cbr" only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0), example = 0.5)]
    pub(crate) interval_jitter: Option<Number>,
    /// How much there is to send, rounded up to whole packets; kind "file" only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "50 kB")]
    pub(crate) size: Option<Size>,
    /// The size is drawn uniformly between `size` and this; kind "file" only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "500 kB")]
    pub(crate) largest_size: Option<Size>,
    /// Payload of a packet: for TCP, of a segment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) payload: Option<Size>,
    /// When it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<Span>,
    /// It starts up to this much later, at random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start_jitter: Option<Span>,
    /// When it stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stop: Option<Span>,
    /// It stops this long after its start, jitter not counted; instead of `stop`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "30 s")]
    pub(crate) lifetime: Option<Span>,
}
