//! Datagrams, or the same reliably: for schemes whose control lies in the hop protocol. What they promise
//! holds from hop to hop; what dies with a node, or has no route for too long, only the ends can repeat.
//!
//! Reliably means as in ATP, without its rates: the receiver delivers in order and each packet once, reports
//! from time to time what has arrived, and the source sends again what is missing. There is no rate to ask for,
//! so data opens the connection, and more follows before it is answered. How fast it sends is left to the hop
//! protocol. CXCC 6: "the transport layer protocol can focus on its main tasks: [...] optionally, [...]
//! preservation of packet ordering and/or reliability".

mod buffer;
mod header;
mod parameters;
pub mod path;
mod rate;
mod receiver;
mod sender;

pub use header::{ATP, Block, FORMAT, HEADER_LEN, Header, Kind, MOST_BLOCKS, MOST_ROOM};
pub use parameters::{ENDS, EPOCH, Settings};
pub use path::{ATP_PATH, PATH_FORMAT, PATH_HEADER_LEN, PathHeader, PathKind};
pub use rate::{Phase, Rate};
pub use receiver::Receiver;
pub use sender::Sender;

use multihop_core::{Duration, End, FlowId, Packet, Params, Span, Switch, Transport};

use super::datagram::{self, Datagram};
use super::probing;

/// One end of `flow` with these settings.
pub fn ends(settings: Settings, flow: FlowId, end: End) -> Box<dyn Transport> {
    match end {
        End::Source => Box::new(Sender::new(settings, flow)),
        End::Destination => Box::new(Receiver::new(settings, flow)),
    }
}

/// Whether such an end has sent `packet`, and numbered it.
pub fn numbers(packet: &Packet) -> bool {
    packet.headers.get(ATP).is_some()
}

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
        let settings = Settings::without_rate(params.link, params.get(REPORT_INTERVAL));
        let rare = probing::are_rare(params);
        ends(if rare { settings.with_rare_probes() } else { settings }, flow, end)
    } else {
        Box::new(Datagram::new(flow))
    }
}

/// Whether such an end has sent `packet`.
pub fn carries(packet: &Packet) -> bool {
    datagram::carries(packet) || numbers(packet)
}
