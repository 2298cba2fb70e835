//! Routes along a line: to the node with the next number. An example; no paper.

use multihop_core::{Count, Cx, NodeId, Packet, Route, Routing};

use crate::{Routes, RoutingProtocol};

/// Routes along a line.
pub static ROUTING: RoutingProtocol = RoutingProtocol {
    name: "line",
    title: "line routing",
    source: "None; an example",
    about: "To the node with the next number.",
    routes: Routes::Known,
    most_hops: None,
    bidirectional: None,
    words: &[],
    headers: &[],
    params: &[STRIDE.param()],
    make: &|values, place| Box::new(Line { me: place.me, stride: values.get(STRIDE) }),
};

const STRIDE: Count = Count {
    name: "stride",
    about: "By how much the number grows from hop to hop",
    unit: "",
    default: 1,
    min: 1,
    max: 10,
};

struct Line {
    me: NodeId,
    stride: u32,
}

impl Routing for Line {
    fn route(&mut self, _cx: &mut Cx, packet: &mut Packet) -> Route {
        let (here, there) = (self.me.0, packet.flow.destination.0);
        let hop = self.stride.min(here.abs_diff(there));
        Route::Via(NodeId(if there > here { here + hop } else { here - hop }))
    }
}
