//! Datagrams, or the same reliably: for schemes whose control lies in the hop protocol. What they promise
//! holds from hop to hop; what dies with a node, or has no route for too long, only the ends can repeat.
//!
//! Reliably means as in ATP, without its rates: the receiver delivers in order and each packet once, reports
//! from time to time what has arrived, and the source sends again what is missing. There is no rate to ask for,
//! so data opens the connection, and more follows before it is answered. How fast it sends is left to the hop
//! protocol. CXCC 6: "the transport layer protocol can focus on its main tasks: [...] optionally, [...]
//! preservation of packet ordering and/or reliability".

use multihop_core::{Duration, End, FlowId, Packet, Params, Span, Switch, Transport};

use crate::atp::{self, Settings};
use crate::datagram::{self, Datagram};
use crate::probing;

pub use crate::atp::FORMAT;

/// Whether ends repeat what is lost.
pub const RELIABLE: Switch = Switch {
    name: "reliable",
    about: "Whether the ends number packets, report what has arrived and repeat what has not, as ATP's do: \
            each packet is delivered once, in order; off: datagrams",
    default: false,
};

/// How often they do.
pub const REPORT_INTERVAL: Span = Span {
    name: "report_interval",
    about: "Time between two reports of a reliable flow's receiver, while something arrives; ATP's is 1 s, but \
            reports disturb what goes the other way",
    bare_unit: "s",
    default: Duration::from_millis(4_000),
    min: Duration::from_millis(10),
    max: Duration::from_millis(60_000),
};

/// The transport of one end of `flow`.
pub fn transport(params: &Params, flow: FlowId, end: End) -> Box<dyn Transport> {
    if params.get(RELIABLE) {
        let settings = Settings::without_rate(params.data_rate, params.get(REPORT_INTERVAL));
        let rare = probing::are_rare(params);
        atp::transport(if rare { settings.with_rare_probes() } else { settings }, flow, end)
    } else {
        Box::new(Datagram::new(flow))
    }
}

/// Whether such an end has sent `packet`.
pub fn carries(packet: &Packet) -> bool {
    datagram::carries(packet) || atp::carries(packet)
}
