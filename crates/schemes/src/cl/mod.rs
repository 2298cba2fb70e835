//! CL: cross-layer flow control. The rate of a source is that which its route's length carries best.
//!
//! Alex Varshavsky, Baochun Li, Eyal de Lara: *Cross-Layer Flow Control in Lightly-Loaded Multi-Hop Ad
//! Hoc Networks*. University of Toronto, undated.
//!
//! A chain of radios carries most at one sending rate, which depends on its length, and much less
//! slightly above it (3.1). So the application asks the routing layer to be told how long its route
//! is, and sends at the rate that was found for that length before (3.2).
//!
//! | In the paper | In the code | Unit | Default |
//! |---|---|---|---|
//! | precomputed sending rates (3.2) | `rates`, a table by hops | packets/s | computed |
//! | "analytical algorithm" (3.2, 6) | `rates` = "analytic": [`Rates::Analytic`] | | |
//! | registered callback (3.2) | `Transport::on_route` | | |
//! | "stop transmitting" or "periodically transmit" without a route (3.2) | `without_route`, `probe_interval` | | probe, 1 s |
//! | `CL_ack` (4) | `acknowledge`, `acknowledgment` | B | off, 100 |
//!
//! What the paper leaves open:
//!
//! | Place | Here |
//! |---|---|
//! | which rates | a table is measured with `multihop optimum --rates` for a radio; CL and `CL_ack` have one each |
//! | routes longer than those measured | have the rate of the longest: the curves are flat there |
//! | the analytic rate, which the paper only announces | one packet at a time within `reuse` hops, the acknowledgment's way included: 1 / (min(hops, reuse) x time of a hop). The default is the chain's of Li, Blake et al. (the paper's reference 10), who find a quarter |
//! | when a new rate begins | with the packet after the last one: a route that changes often does not let packets through besides |
//! | the first packet | goes in any case: without it no routing protocol would search |
//! | acknowledgments | as [`crate::parts::acknowledged`]; they do not change the rate, and nothing is sent again |

mod rates;
mod source;

pub use rates::Rates;
pub use source::{Paced, WithoutRoute};

use multihop_core::{
    Alternative, Capability, Choice, Count, Duration, End, FlowId, Forwarding, Param, Params, Plot,
    Scheme, Span, Switch, Table, Transport, While,
};

use crate::parts::acknowledged::{self, ACKNOWLEDGMENT};
use crate::parts::datagram::Datagram;
use crate::parts::fifo::{Fifo, QUEUE_LIMIT};

/// CL.
pub static SCHEME: Scheme = Scheme {
    name: "cl",
    title: "CL",
    paper: "Varshavsky, Li, de Lara: Cross-Layer Flow Control in Lightly-Loaded Multi-Hop Ad Hoc \
            Networks. University of Toronto, undated",
    plot: Plot { color: "#b8860b", marker: "+" },
    counters: &[],
    words: &[],
    headers: &[&acknowledged::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &PARAMS,
    hop: &|params| Box::new(Fifo::new(params)),
    transport: &transport,
    carries: acknowledged::carries,
};

const RATES: Table = Table {
    name: "rates",
    about: "Packets per second by the length of the route, from one hop on: the best ones, in \
            brackets or as a file that `multihop optimum --rates` has written (3.2)",
    unit: "packets/s",
    computed: "analytic",
    min: 0.001,
    max: 1e6,
};

const REUSE: Count = Count {
    name: "reuse",
    about: "Within so many hops one packet is on the air at a time; analytic rates only",
    unit: "hops",
    default: 4,
    min: 1,
    max: 1_000,
};

const ACKNOWLEDGE: Switch = Switch {
    name: "acknowledge",
    about: "CL_ack: the destination answers every packet with an acknowledgment (4)",
    default: false,
};

const WITHOUT_ROUTE: Choice<WithoutRoute> = Choice {
    name: "without_route",
    about: "What the source does while there is no route (3.2)",
    among: &[
        Alternative {
            name: "probe",
            about: "It sends a packet every probe_interval, to encourage a search",
        },
        Alternative { name: "stop", about: "After the first packet of all it sends nothing" },
    ],
    values: &[WithoutRoute::Probe, WithoutRoute::Stop],
};

const PROBE_INTERVAL: Span = Span {
    name: "probe_interval",
    about: "Between two packets while there is no route; our choice: the paper says only \
            periodically (3.2)",
    bare_unit: "",
    default: Duration::from_millis(1_000),
    min: Duration::from_millis(1),
    max: Duration::from_millis(3_600_000),
};

const PARAMS: [Param; 7] = [
    RATES.param(),
    REUSE.param().only_while("rates", While::Computed),
    ACKNOWLEDGE.param(),
    ACKNOWLEDGMENT.param().only_while("acknowledge", While::Switch(true)),
    WITHOUT_ROUTE.param(),
    PROBE_INTERVAL.param().only_while("without_route", While::Choice("probe")),
    QUEUE_LIMIT.param(),
];

fn transport(params: &Params, flow: FlowId, end: End) -> Box<dyn Transport> {
    let acknowledge = params.get(ACKNOWLEDGE);
    let inner: Box<dyn Transport> = if acknowledge {
        acknowledged::transport(params, flow, end)
    } else {
        Box::new(Datagram::new(flow))
    };
    match end {
        End::Destination => inner,
        End::Source => {
            let rates = match params.get(RATES) {
                Some(table) => Rates::Measured(table),
                None => Rates::analytic(params, acknowledge.then(|| params.get(ACKNOWLEDGMENT))),
            };
            let without_route = params.get(WITHOUT_ROUTE);
            let probe_interval = params.get(PROBE_INTERVAL);
            Box::new(Paced::new(inner, rates, without_route, probe_interval))
        }
    }
}
