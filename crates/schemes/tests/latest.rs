//! A source queue of one message, the newest, before datagrams and before a transport that has a window.

use multihop_core::{DropCause, Effect, End, FlowId, NodeId, Packet, Params, Rate, Tag, Transport};
use multihop_schemes::parts::datagram::Datagram;
use multihop_schemes::parts::latest::Latest;
use multihop_schemes::tcp::newreno;
use multihop_testkit::{EndDesk, message};

fn flow() -> FlowId {
    FlowId::between(NodeId(0), NodeId(1))
}

fn source(transport: Box<dyn Transport>) -> EndDesk<Latest> {
    EndDesk::new(NodeId(0), Box::new(Latest::new(flow(), transport)))
}

fn give(source: &mut EndDesk<Latest>, numbers: impl IntoIterator<Item = u32>) {
    for number in numbers {
        source.call(|end, cx| end.on_message(cx, message(0, number)));
    }
}

fn number(packet: &Packet) -> u32 {
    packet.tag.number
}

/// Which messages were rejected because another one has taken their place.
fn rejected(source: &mut EndDesk<Latest>) -> Vec<u32> {
    let effects = source.call(|_, cx| std::mem::take(&mut cx.effects));
    let number = |effect: &Effect| match effect {
        Effect::Drop(packet, DropCause::SourceBufferFull) => Some(number(packet)),
        _ => None,
    };
    effects.iter().filter_map(number).collect()
}

#[test]
fn the_newest_message_takes_the_place_of_the_one_that_waits() {
    let mut source = source(Box::new(Datagram::new(flow())));
    give(&mut source, [0, 1, 2]);
    assert_eq!(source.end.backlog(), 1);
    assert_eq!(rejected(&mut source), [0, 1]);
    assert_eq!(source.sent().iter().map(number).collect::<Vec<_>>(), [2]);
    assert_eq!(source.end.backlog(), 0);
    give(&mut source, [3]);
    assert_eq!(source.sent().iter().map(number).collect::<Vec<_>>(), [3]);
    assert_eq!(rejected(&mut source), [], "nothing waited");
}

#[test]
fn what_waits_is_given_up_with_the_end() {
    let mut source = source(Box::new(Datagram::new(flow())));
    give(&mut source, [7]);
    assert_eq!(source.end.give_up().map(|packet| packet.tag), Some(Tag { source: 0, number: 7 }));
    assert_eq!((source.end.give_up(), source.end.backlog()), (None, 0));
}

#[test]
fn before_a_closed_window_only_the_newest_message_waits() {
    let params = Params::new(&newreno::SCHEME, &[], Rate(1_000_000)).expect("valid");
    let plain = (newreno::SCHEME.transport)(&params, flow(), End::Source);
    let header = plain.header_len();
    let mut source = source(plain);
    assert_eq!(source.end.header_len(), header);
    let mut sent = 0;
    for number in 0..20 {
        give(&mut source, [number]);
        sent += source.sent().len();
    }
    let rejected = rejected(&mut source);
    assert!(sent >= 1, "its first window");
    assert_eq!(rejected.len(), 20 - sent - 1, "{rejected:?}");
    assert_eq!(rejected.last(), Some(&18));
}
