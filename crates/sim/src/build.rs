//! From a setup to its nodes and to what carries their frames.

use multihop_core::{FlowId, NodeId, Purpose, Rng, Routing, Transport};
use multihop_node::{Addresses, Node, Parts, end_at};
use multihop_routing::aodv::Aodv;
use multihop_routing::{FixedRoutes, Neighbours};
use multihop_scenario::setup::{self, CarriedBy, Medium, Source};
use multihop_scenario::{Cells, Setup};
use multihop_schemes::datagram::Datagram;

use crate::carrier::Carrier;
use crate::channel::Channel;
use crate::mac::{Profile, Station};
use crate::radio::RadioCarrier;
use crate::wired::WiredCarrier;

/// Node `me` of `setup`, as the simulation builds it: to run a recording again.
pub fn build_node(setup: &Setup, me: NodeId) -> Node {
    let mut routes = carrier(setup).1;
    node_of(setup, me, routes.swap_remove(me.index()))
}

/// What carries the frames, and the shortest paths over it.
pub fn carrier(setup: &Setup) -> (Carrier, Vec<FixedRoutes>) {
    let (carrier, neighbours) = match &setup.medium {
        Medium::Radio(radio, mac) => {
            let channel = Channel::new(&setup.nodes, radio.clone(), setup.seed);
            let neighbours = channel.neighbours();
            let profile = Profile::new(mac.clone(), radio, channel.longest_delay());
            let stations = (0..setup.nodes.len() as u32)
                .map(|node| Station::new(NodeId(node), setup.seed, &profile))
                .collect();
            let radio = RadioCarrier::new(channel, profile, stations);
            (Carrier::Radio(Box::new(radio)), neighbours)
        }
        Medium::Wired(wired) => {
            let neighbours = within_range(setup, wired.neighbour_range);
            let carrier = WiredCarrier::new(&neighbours, wired.clone());
            (Carrier::Wired(carrier), neighbours)
        }
    };
    let flows = setup.sources.iter().map(|source| (source.flow, &source.way[..]));
    let routes = FixedRoutes::along(&neighbours, flows);
    (carrier, routes)
}

fn within_range(setup: &Setup, range: f64) -> Neighbours {
    let place = |node: &setup::Node| (node.x, node.y);
    let cells = Cells::new(setup.nodes.iter().map(place), range);
    let mut candidates = Vec::new();
    let near = |(at, here): (usize, &setup::Node)| {
        cells.near(place(here), &mut candidates);
        let linked = |&other: &usize| {
            let there = &setup.nodes[other];
            let distance = libm::hypot(here.x - there.x, here.y - there.y);
            (other != at && distance <= range).then_some(NodeId(other as u32))
        };
        candidates.iter().filter_map(linked).collect()
    };
    setup.nodes.iter().enumerate().map(near).collect()
}

/// Build node `me` of a scenario, as every host does: its hop protocol, its routes, and the
/// transports of the flows that start or end at it.
pub fn node_of(setup: &Setup, me: NodeId, routes: FixedRoutes) -> Node {
    let here = |source: &&Source| source.flow.source == me || source.flow.destination == me;
    let transport = |source: &Source| -> (FlowId, Box<dyn Transport>) {
        let flow = source.flow;
        let transport = match source.carried_by {
            CarriedBy::Scheme => (setup.scheme.transport)(&setup.params, flow, end_at(flow, me)),
            CarriedBy::Datagram => Box::new(Datagram::new(flow)),
        };
        (flow, transport)
    };
    let routing: Box<dyn Routing> = match setup.routing {
        setup::Routing::Fixed => Box::new(routes),
        setup::Routing::Aodv(settings) => Box::new(Aodv::new(me, settings)),
    };
    Node::new(Parts {
        me,
        rng: Rng::stream(setup.seed, me, Purpose::Protocol),
        hop: (setup.scheme.hop)(&setup.params),
        routing,
        addresses: match setup.arp {
            setup::Arp::Off => Addresses::Known,
            setup::Arp::Ns2 => Addresses::Asked,
        },
        transports: setup.sources.iter().filter(here).map(transport).collect(),
    })
}
