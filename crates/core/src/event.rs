//! What protocols tell the trace.

use serde::{Deserialize, Serialize};

use crate::FlowId;

/// Why a packet, or a copy of it, was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum DropCause {
    /// The sending application's buffer was full.
    SourceBufferFull,
    /// The interface queue was full.
    QueueFull,
    /// The MAC gave up after its retries.
    RetriesSpent,
    /// There is no route to the destination.
    NoRoute,
    /// Routing has lost the next hop for which it waited.
    RouteBroken,
    /// Too many packets wait for a route.
    RouteBufferFull,
    /// The time to live ran out.
    TtlExpired,
    /// The next hop's MAC address was not known: another packet took its place, or nobody answered.
    AddressUnknown,
    /// It had been received before.
    Duplicate,
    /// Its header could not be read.
    Malformed,
}

impl DropCause {
    /// Every cause, in the order of the results' columns.
    pub const ALL: [DropCause; 10] = [
        DropCause::SourceBufferFull,
        DropCause::QueueFull,
        DropCause::RetriesSpent,
        DropCause::NoRoute,
        DropCause::RouteBroken,
        DropCause::RouteBufferFull,
        DropCause::TtlExpired,
        DropCause::AddressUnknown,
        DropCause::Duplicate,
        DropCause::Malformed,
    ];

    /// Its name in tables and traces.
    pub const fn name(self) -> &'static str {
        match self {
            DropCause::SourceBufferFull => "source_buffer_full",
            DropCause::QueueFull => "queue_full",
            DropCause::RetriesSpent => "retries_spent",
            DropCause::NoRoute => "no_route",
            DropCause::RouteBroken => "route_broken",
            DropCause::RouteBufferFull => "route_buffer_full",
            DropCause::TtlExpired => "ttl_expired",
            DropCause::AddressUnknown => "address_unknown",
            DropCause::Duplicate => "duplicate",
            DropCause::Malformed => "malformed",
        }
    }
}

/// What a protocol did, beyond what its host can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum EventKind {
    /// A timer ran out, and a retransmission is now permitted.
    Timeout,
    /// The packet was put on the air again, whole or as a request.
    Retransmission,
    /// A forwarded packet was overheard and counts as an acknowledgment.
    ImplicitAcknowledgment,
    /// An acknowledgment addressed to this node arrived.
    ExplicitAcknowledgment,
    /// A negative acknowledgment arrived: the next hop lacks the packet.
    NegativeAcknowledgment,
    /// A second copy arrived and was ignored.
    DuplicateIgnored,
    /// A transmission that had become needless was taken back.
    Withdrawn,
    /// A header could not be read.
    Malformed,
    /// A transport put a segment on its way again.
    SegmentRetransmission,
    /// A transport's retransmission timer ran out.
    RetransmissionTimeout,
    /// A transport reduced its congestion window.
    WindowReduction,
    /// A queue or MAC marked the packet: congestion experienced.
    Marked,
    /// Routing searches for the flow's destination on behalf of its source.
    RouteRequest,
    /// Routing answers a search for the flow's destination.
    RouteReply,
    /// Routing announces that the flow's destination cannot be reached any more.
    RouteError,
    /// Routing has found a way to the flow's destination.
    RouteFound,
    /// Routing repairs a route from where it broke.
    LocalRepair,
}

impl EventKind {
    /// Its name in tables and traces.
    pub const fn name(self) -> &'static str {
        match self {
            EventKind::Timeout => "timeout",
            EventKind::Retransmission => "retransmission",
            EventKind::ImplicitAcknowledgment => "implicit_acknowledgment",
            EventKind::ExplicitAcknowledgment => "explicit_acknowledgment",
            EventKind::NegativeAcknowledgment => "negative_acknowledgment",
            EventKind::DuplicateIgnored => "duplicate_ignored",
            EventKind::Withdrawn => "withdrawn",
            EventKind::Malformed => "malformed",
            EventKind::SegmentRetransmission => "segment_retransmission",
            EventKind::RetransmissionTimeout => "retransmission_timeout",
            EventKind::WindowReduction => "window_reduction",
            EventKind::Marked => "marked",
            EventKind::RouteRequest => "route_request",
            EventKind::RouteReply => "route_reply",
            EventKind::RouteError => "route_error",
            EventKind::RouteFound => "route_found",
            EventKind::LocalRepair => "local_repair",
        }
    }
}

/// One entry of a protocol's trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// To which flow.
    pub flow: FlowId,
    /// To which of the flow's packets, by the scheme's own sequence number.
    pub sequence: u32,
}
