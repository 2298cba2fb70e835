//! What protocols tell the trace.

use serde::{Deserialize, Serialize};

use crate::vocabulary;
use crate::vocabulary::open_vocabulary;
use crate::{FlowId, Word};

open_vocabulary! {
    /// Why a packet, or a copy of it, was dropped.
    DropCause {
        SourceBufferFull = "source_buffer_full": "the sender's buffer was full",
        QueueFull = "queue_full": "an interface queue was full",
        RetriesSpent = "retries_spent": "the MAC had spent its retries",
        NoRoute = "no_route": "there was no route",
        RouteBroken = "route_broken": "routing had lost the next hop for which they waited",
        RouteBufferFull = "route_buffer_full": "too many packets waited for a route",
        UnknownFlow = "unknown_flow":
            "the destination knew neither the flow nor a transport that begins so",
        TooManyFlows = "too_many_flows": "a node had no room for another flow",
        FlowClosed = "flow_closed": "their end of the flow was closed",
        DestinationBufferFull = "destination_buffer_full":
            "the application at the destination took nothing, and no more could wait for it",
        TtlExpired = "ttl_expired": "the time to live ran out",
        AddressUnknown = "address_unknown":
            "the next hop's MAC address was not known (`routing.arp`): another packet took the \
             place, or nobody answered",
        Duplicate = "duplicate":
            "a copy had been received before, or whoever had it was made to think so",
        NotReceived = "not_received":
            "it was handed on without an acknowledgment of the link, and no node has taken it",
        Malformed = "malformed": "the header could not be read",
        Restarted = "restarted":
            "the node that had it restarted, or had it from an end that has restarted",
    }
}

open_vocabulary! {
    /// What a protocol did, beyond what its host can see.
    EventKind {
        Timeout = "timeout": "a timer ran out, and a retransmission is now permitted",
        Retransmission = "retransmission":
            "the packet was put on the air again, whole or as a request",
        ImplicitAcknowledgment = "implicit_acknowledgment":
            "a forwarded packet was overheard and counts as an acknowledgment",
        ExplicitAcknowledgment = "explicit_acknowledgment":
            "an acknowledgment addressed to this node arrived",
        NegativeAcknowledgment = "negative_acknowledgment":
            "a negative acknowledgment arrived: the next hop lacks the packet",
        DuplicateIgnored = "duplicate_ignored": "a second copy arrived and was ignored",
        Malformed = "malformed": "a header could not be read",
        SegmentRetransmission = "segment_retransmission":
            "a transport put a segment on its way again",
        RetransmissionTimeout = "retransmission_timeout":
            "a transport's retransmission timer ran out",
        WindowReduction = "window_reduction": "a transport reduced its congestion window",
        Marked = "marked": "a queue or MAC marked the packet: congestion experienced",
        RouteRequest = "route_request":
            "routing searches for the flow's destination on behalf of its source",
        RouteReply = "route_reply": "routing answers a search for the flow's destination",
        RouteError = "route_error":
            "routing announces that the flow's destination cannot be reached any more",
        RouteFound = "route_found": "routing has found a way to the flow's destination",
        StartOver = "start_over":
            "a transport begins anew, because the other end has restarted",
    }
}

vocabulary! {
    /// What a host tells of beside what protocols do.
    HostEvent {
        TransmitStart = "transmit_start": "a radio begins to transmit",
        Receive = "receive":
            "a radio has decoded a frame, for it or not; the time is the frame's end",
        Loss = "loss":
            "a radio sensed a frame and lost it, for it or not; the time is that at which this was \
             certain",
        Offer = "offer": "an application handed a packet to the transport",
        Deliver = "deliver": "the application got a packet",
        Drop = "drop": "a packet, or a copy of it, was dropped",
        ServiceStart = "service_start": "a packet came to the MAC and began to contend",
        ServiceEnd = "service_end": "the MAC has finished with a packet",
        Window = "window": "a transport's congestion window is another one",
        RoundTrip = "round_trip": "a transport has a sample of the round-trip time",
        Acknowledged = "acknowledged": "acknowledgments have confirmed segments to their source",
        Estimate = "estimate": "a station has estimated what it can have",
        LinkBroken = "link_broken": "routing takes a link for broken",
        CongestionPotential = "congestion_potential":
            "how many nodes around this one contend is another number",
        Restart = "restart": "a node has forgotten everything, and starts again",
    }
}

impl DropCause {
    /// The column that counts packets lost so.
    pub fn column(self) -> &'static str {
        Word::recorded(&format!("lost_{}", self.name())).name
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
