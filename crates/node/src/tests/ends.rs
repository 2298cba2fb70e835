//! A node with many ends of flows: who is asked, and in what order.

use multihop_core::{FlowId, Heard, NodeId, Time};

use super::script::Script;
use super::{INWARD, OUTWARD, THROUGH, at, done, heard, message, packet};
use crate::{Input, Node, Wish};

fn outward(label: u16) -> FlowId {
    FlowId { label, ..OUTWARD }
}

/// A node with so many ends of flows that start here, and one that wants to be called at 50 us.
fn many(ends: u16) -> Script {
    let deadlines = [Time::NEVER, at(50), Time::NEVER];
    Script { flows: (0..ends).map(outward).collect(), deadlines, ..Script::new() }
}

/// How many questions the node asks until the host sleeps again.
fn questions(script: &Script, node: &mut Node, input: Input) -> usize {
    script.questions();
    node.handle(at(50), input);
    while node.poll_output().is_some() {}
    node.poll_transmit(at(50));
    node.deadline();
    script.questions()
}

#[test]
fn nobody_asks_ends_that_have_nothing_to_say() {
    let inputs = [
        message(outward(7), 1),
        heard(Heard::ForMe, packet(outward(7).reverse(), 2)),
        heard(Heard::ForMe, packet(THROUGH, 3)),
        heard(Heard::Overheard, packet(THROUGH, 4)),
        done(packet(outward(7), 1)),
        Input::Sink { flow: outward(7), ready: true },
        Input::Deadline,
    ];
    let [few, many] = [10, 1000].map(|ends| {
        let script = many(ends);
        let mut node = script.node();
        node.handle(at(1), heard(Heard::Overheard, packet(THROUGH, 99)));
        inputs.clone().map(|input| questions(&script, &mut node, input))
    });
    assert_eq!(few, many);
    assert!(many.iter().all(|questions| (1..20).contains(questions)), "{many:?}");
}

#[test]
fn an_end_is_asked_once_its_deadline_has_come_whatever_has_happened() {
    let script = many(1000);
    let mut node = script.node();
    for (now, asked) in [(1, 0), (49, 0), (50, 3), (51, 3)] {
        script.questions();
        node.handle(at(now), heard(Heard::Overheard, packet(THROUGH, 99)));
        assert_eq!(script.questions(), asked, "at {now} us");
    }
}

#[test]
fn an_end_that_was_refused_is_asked_again_in_the_order_of_opening() {
    for ends in [10, 1000] {
        let script = Script { admits: 1, ..many(ends) };
        let mut node = script.node();
        for label in [9, 5, 2, 7] {
            node.handle(at(1), message(outward(label), u32::from(label)));
        }
        let mut sent = Vec::new();
        while let Some(request) = node.poll_transmit(at(2)) {
            sent.push(request.packet.tag.number);
            node.handle(at(3), done(request.packet));
        }
        assert_eq!(sent, [9, 2, 5, 7]);
    }
}

#[test]
fn ends_are_found_whatever_the_order_in_which_they_are_given() {
    let script = Script { flows: vec![outward(3), INWARD, outward(1)], ..Script::new() };
    let mut node = script.node();
    for flow in [INWARD, outward(1).reverse(), outward(3).reverse()] {
        script.told();
        node.handle(at(1), heard(Heard::ForMe, packet(flow, 1)));
        let end = if flow == INWARD { flow } else { flow.reverse() };
        assert!(script.told().contains(&format!("{end} gets 1")));
    }
}

#[test]
fn a_host_learns_which_transports_were_called() {
    let script = many(1000);
    let mut node = script.node();
    assert_eq!(std::iter::from_fn(|| node.poll_called()).count(), 1000, "at first all of them");
    node.handle(at(1), heard(Heard::Overheard, packet(THROUGH, 99)));
    while node.poll_called().is_some() {}
    node.handle(at(2), heard(Heard::Overheard, packet(THROUGH, 99)));
    assert_eq!(node.poll_called(), None);
    node.handle(at(3), message(outward(7), 1));
    node.handle(at(4), heard(Heard::ForMe, packet(outward(3).reverse(), 2)));
    assert_eq!([node.poll_called(), node.poll_called()], [3, 7].map(outward).map(Some));
    assert_eq!(node.poll_called(), None);
}

#[test]
fn who_has_no_flow_here_wishes_for_nothing() {
    let node = Script::new().node();
    assert_eq!(node.wish(OUTWARD), Wish::Message);
    assert_eq!(node.wish(FlowId::between(NodeId(8), NodeId(9))), Wish::Nothing);
}
