//! The parameters that every flow has, whatever it sends.

use multihop_core::{Alternative, Bytes, Choice, Duration, Param, Size, Span, TrafficClass};
use multihop_setup::{CarriedBy, SourceQueue};

/// The longest time that a scenario can name.
const LONGEST: Duration = Duration::from_millis(500_000_000_000);

const fn span(name: &'static str, about: &'static str, default: Duration) -> Span {
    Span { name, about, bare_unit: "", default, min: Duration::ZERO, max: LONGEST }
}

pub(crate) const TRANSPORT: Choice<CarriedBy> = Choice {
    name: "transport",
    about: "What carries the data end to end",
    among: &[
        Alternative { name: "scheme", about: "The transport of the scheme under test" },
        Alternative {
            name: "datagram",
            about: "Plain datagrams, as background traffic without congestion control",
        },
    ],
    values: &[CarriedBy::Scheme, CarriedBy::Datagram],
};

pub(crate) const SOURCE_QUEUE: Choice<SourceQueue> = Choice {
    name: "source_queue",
    about: "What waits at the source until the transport takes it",
    among: &[
        Alternative {
            name: "transport",
            about: "What the transport keeps: of datagrams 50, the oldest goes first, and one more is rejected",
        },
        Alternative {
            name: "latest",
            about: "One message, the newest: it takes the place of the one that waits, which is rejected",
        },
    ],
    values: &[SourceQueue::Transport, SourceQueue::Latest],
};

pub(crate) const CLASS: Choice<TrafficClass> = Choice {
    name: "class",
    about: "What kind of messages the flow carries, for schemes that treat them differently",
    among: &[
        Alternative { name: "text", about: "Each message matters, and somebody waits for it" },
        Alternative { name: "announcement", about: "Who a node is, said now and then" },
        Alternative {
            name: "report",
            about: "A state that the next report replaces: a position, a reading",
        },
    ],
    values: &[TrafficClass::Text, TrafficClass::Announcement, TrafficClass::Report],
};

pub(crate) const PAYLOAD: Size = Size {
    name: "payload",
    about: "Payload of a packet: for TCP, of a segment",
    default: Bytes(512),
    min: Bytes(1),
    max: Bytes(u32::MAX),
};

pub(crate) const START: Span = span("start", "When the flow starts", Duration::from_millis(1_000));

pub(crate) const START_JITTER: Span = span(
    "start_jitter",
    "A flow starts up to this much later, at random",
    Duration::from_millis(500),
);

pub(crate) const ROUTE_LEAD: Span = span(
    "route_lead",
    "Each flow sends three single packets, 0.5 s apart, the first this long before its start, so that its route and \
     the addresses on it are known when its load begins; from 1.5 s to start",
    Duration::from_millis(8_500),
);

pub(crate) const STAGGER: Span = span(
    "stagger",
    "Each flow starts this much later than the one before it, in the order of the flows; a flow of [[flow]] with a \
     start of its own does not",
    Duration::ZERO,
);

pub(crate) const STOP: Span = span("stop", "When the flow stops", Duration::from_millis(60_000));

pub(crate) const LIFETIME: Span = span(
    "lifetime",
    "The flow stops this long after its start, jitter not counted; instead of stop",
    Duration::from_millis(30_000),
);

pub(crate) const STOP_BEFORE_END: Span = span(
    "stop_before_end",
    "The flow stops this long before the end of the run, so that what is on its way can arrive; instead of stop",
    Duration::from_millis(5_000),
);

/// The parameters of `[traffic]` and `[[flow]]` whatever the kind.
pub static TRAFFIC: [Param; 11] = [
    TRANSPORT.param(),
    SOURCE_QUEUE.param(),
    CLASS.param(),
    PAYLOAD.param(),
    START.param(),
    START_JITTER.param(),
    ROUTE_LEAD.param().or("none"),
    STAGGER.param(),
    STOP.param().or("the end of the run"),
    LIFETIME.param().or("to the end of the run"),
    STOP_BEFORE_END.param().or("to the end of the run"),
];

/// What only [traffic] says: it is of all flows.
pub(crate) const OF_ALL: [&str; 2] = [ROUTE_LEAD.name, STAGGER.name];

/// Of these, one says when a flow stops.
pub(crate) const STOPS: [&str; 3] = [STOP.name, LIFETIME.name, STOP_BEFORE_END.name];
