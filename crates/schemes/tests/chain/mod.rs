//! A chain of four nodes of the test kit that run a scheme over a routing protocol.

use std::sync::OnceLock;

use multihop_core::{
    Capability, End, FlowId, LinkTiming, NodeId, Params, Rate, Routing, Scheme, Value, Values,
};
use multihop_routing::{FixedRoutes, Life, Routes, RoutingNode, RoutingProtocol};
use multihop_schemes::{SCHEMES, cxcc, flush, hxh, udp, wake};
use multihop_testkit::{Ends, Links, Net, Watch};

/// How many nodes there are.
pub const NODES: usize = 4;

/// The flows of the chain: both ways, and a short one.
pub fn flows() -> [FlowId; 3] {
    let flow = |a, b| FlowId::between(NodeId(a), NodeId(b));
    [flow(0, 3), flow(3, 0), flow(1, 2)]
}

/// How many packets share a frame at most in the schemes in batches.
const BATCH: u32 = 4;

/// Schemes that send packets in batches if they are told to, and told to.
fn in_batches() -> Vec<&'static Scheme> {
    static BATCHES: OnceLock<Vec<Scheme>> = OnceLock::new();
    let named = |scheme: &'static Scheme, name| Scheme {
        name,
        hop: Box::leak(Box::new(|params: &Params| {
            let given = [("batch".to_owned(), Value::Count(BATCH))];
            let values = Values::new(scheme.params, &given).expect("it has batches");
            let link = LinkTiming { batch: 64, ..params.link };
            (scheme.hop)(&Params { values, link, ..params.clone() })
        })),
        ..*scheme
    };
    let all = BATCHES.get_or_init(|| {
        vec![
            named(&wake::SCHEME, "wake in batches"),
            named(&hxh::SCHEME, "hxh in batches"),
            named(&flush::SCHEME, "flush in batches"),
            named(&cxcc::batches::SCHEME, "cxcc-batches in batches"),
            Scheme { name: "udp in batches", ..udp::SCHEME },
        ]
    });
    all.iter().collect()
}

/// Every scheme, WAKE with coding, which is off by default, and schemes that send several packets in a frame.
pub fn schemes() -> Vec<&'static Scheme> {
    static CODING: OnceLock<Scheme> = OnceLock::new();
    let coding = CODING.get_or_init(|| Scheme {
        name: "wake with coding",
        hop: &|params| {
            let given = [("coding".to_owned(), Value::Switch(true))];
            let values = Values::new(wake::SCHEME.params, &given).expect("it is a switch of WAKE");
            (wake::SCHEME.hop)(&Params { values, ..params.clone() })
        },
        ..wake::SCHEME
    });
    SCHEMES.iter().copied().chain([coding]).chain(in_batches()).collect()
}

/// The parameters of `scheme` by default.
pub fn params(scheme: &'static Scheme) -> Params {
    Params::new(scheme, &[], Rate(1_000_000)).expect("the defaults are valid")
}

/// The ends of [`flows`] at node `me`.
pub fn ends(scheme: &'static Scheme, me: NodeId) -> Ends {
    let params = params(scheme);
    let ends = [End::Source, End::Destination].map(|end| flows().map(|flow| (flow, end)));
    let here = |(flow, end): &(FlowId, End)| match end {
        End::Source => flow.source == me,
        End::Destination => flow.destination == me,
    };
    let make = |(flow, end)| (flow, (scheme.transport)(&params, flow, end));
    ends.concat().into_iter().filter(here).map(make).collect()
}

/// The routing of node `me` by `protocol`.
pub fn routing(protocol: &RoutingProtocol, me: NodeId) -> Box<dyn Routing> {
    let near = |at: u32| [at.wrapping_sub(1), at + 1].map(NodeId);
    let near = |at| near(at).into_iter().filter(|node| node.index() < NODES).collect();
    let neighbours = (0..NODES as u32).map(near).collect();
    let known = match protocol.routes {
        Routes::Known => FixedRoutes::shortest(&neighbours, &flows())[me.index()].clone(),
        Routes::Searched | Routes::None => FixedRoutes::default(),
    };
    let values = Values::new(protocol.params, &[]).expect("the defaults are valid");
    (protocol.make)(&values, RoutingNode { me, life: Life::default(), known })
}

/// The nodes, with `routing` at each.
pub fn net(
    scheme: &'static Scheme,
    seed: u64,
    routing: impl Fn(NodeId) -> Box<dyn Routing>,
) -> Net {
    let mut net = Net::new(Links::line(NODES), seed);
    net.air.acknowledges =
        scheme.doubles(|capability| capability == Capability::LinkAcknowledgment).is_none();
    if in_batches().contains(&scheme) {
        net.air.batch = BATCH as usize;
    }
    for me in (0..NODES as u32).map(NodeId) {
        let hop = Watch::new((scheme.hop)(&params(scheme)));
        net.add(hop, Watch::new(routing(me)), ends(scheme, me));
    }
    net
}

/// Says whose run failed, as the kit does not know: the scheme, and where its routes are from.
pub struct Named(pub &'static str, pub &'static str);

impl Drop for Named {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{} over {}", self.0, self.1);
        }
    }
}
