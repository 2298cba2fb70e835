//! No routing: every packet goes to all neighbours, and the hop protocol decides which of them pass it on.

use multihop_core::{Cx, Packet, Route, Routing};

use crate::{Routes, RoutingProtocol};

/// No routing.
pub static ROUTING: RoutingProtocol = RoutingProtocol {
    name: "none",
    title: "no routing",
    source: "Ni, Tseng, Chen and Sheu, MobiCom 1999, section 2: a packet reaches all nodes because they pass it on",
    about: "No routes: packets go to all neighbours. For schemes that flood, and their default.",
    routes: Routes::None,
    most_hops: None,
    bidirectional: None,
    words: &[],
    headers: &[],
    params: &[],
    make: &|_, _| Box::new(Everywhere),
};

/// All neighbours are the next hop.
struct Everywhere;

impl Routing for Everywhere {
    fn is_settled(&self) -> bool {
        true
    }

    fn route(&mut self, _cx: &mut Cx, _packet: &mut Packet) -> Route {
        Route::Flood
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::{FlowId, Forwarding, NodeId, Payload, Purpose, Rng, Tag};

    use super::*;

    #[test]
    fn every_packet_goes_to_all_neighbours() {
        let mut cx = Cx::new(NodeId(1), Rng::stream(1, NodeId(1), Purpose::Protocol));
        for to in [NodeId(7), NodeId::BROADCAST] {
            let flow = FlowId::between(NodeId(0), to);
            let mut packet = Packet::new(flow, Payload::Virtual(1), Tag::default());
            assert_eq!(Everywhere.route(&mut cx, &mut packet), Route::Flood);
        }
    }

    #[test]
    fn it_serves_those_who_flood_and_nobody_else_does() {
        for routing in crate::ROUTINGS {
            let floods = routing.name == ROUTING.name;
            assert_eq!(routing.serves(Forwarding::Flood), floods, "{}", routing.name);
            assert_eq!(routing.serves(Forwarding::NextHop), !floods, "{}", routing.name);
        }
    }
}
