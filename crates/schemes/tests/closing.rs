//! An end of a flow that is closed gives up everything that waits there.

use multihop_core::{
    Cx, Effect, End, FlowId, Message, NodeId, Params, Payload, Purpose, Rate, Rng, Scheme, Tag,
};
use multihop_schemes::SCHEMES;

const FLOW: FlowId = FlowId::between(NodeId(0), NodeId(1));

/// The numbers of the messages that a source has taken, when it has sent some of them, and of those
/// that it gives up.
fn given_up(scheme: &Scheme) -> (Vec<u32>, Vec<u32>) {
    let params = Params::new(scheme, &[], Rate(1_000_000)).expect("the defaults are valid");
    let mut transport = (scheme.transport)(&params, FLOW, End::Source);
    let cx = &mut Cx::new(NodeId(0), Rng::stream(1, NodeId(0), Purpose::Protocol));
    for number in 0..100 {
        let tag = Tag { source: 0, number };
        transport.on_message(cx, Message { payload: Payload::Virtual(100), tag });
    }
    let mut taken: Vec<u32> = (0..100).collect();
    let reliable = transport.backlog();
    let sent = transport.poll_send(cx).expect("there is something to send");
    // A datagram that has been sent is gone.
    if transport.backlog() < reliable {
        taken.retain(|number| *number != sent.tag.number);
    }
    for effect in cx.effects.drain(..) {
        if let Effect::Drop(packet, _) = effect {
            taken.retain(|number| *number != packet.tag.number);
        }
    }
    let gone = std::iter::from_fn(|| transport.give_up()).map(|packet| packet.tag.number).collect();
    assert_eq!((transport.backlog(), transport.give_up()), (0, None), "{}", scheme.name);
    (taken, gone)
}

#[test]
fn every_source_gives_up_what_it_has_taken() {
    for scheme in SCHEMES {
        let (taken, gone) = given_up(scheme);
        assert!(taken.len() > 10, "{}: {taken:?}", scheme.name);
        assert_eq!(gone, taken, "{}", scheme.name);
    }
}
