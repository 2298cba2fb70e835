//! The layouts of messages are those that are written.

use multihop_core::{FlowId, NodeId};
use multihop_routing::aodv::{self, Message, Sequence, Timestamp, Unreachable};
use multihop_routing::dsr;
use multihop_testkit::fields;

/// The address of node 300, on the air.
const ADDRESS: u32 = 0x0A00_012C;

#[test]
fn of_aodv() {
    let (destination, originator) = (NodeId(300), NodeId(1));
    let request = Message::Request(aodv::Request {
        hop_count: 2,
        id: 3,
        destination,
        destination_sequence: Some(Sequence(4)),
        originator,
        originator_sequence: Sequence(5),
        timestamp: Timestamp(6),
    });
    assert_eq!(
        fields(&aodv::REQUEST_FORMAT, &request.emit()),
        [
            ("type", 1),
            ("flags", 0),
            ("hops", 2),
            ("id", 3),
            ("destination", ADDRESS),
            ("destination_sequence", 4),
            ("originator", 0x0A00_0001),
            ("originator_sequence", 5),
            ("timestamp_us", 6),
        ]
    );
    let reply = Message::Reply(aodv::Reply {
        hop_count: 2,
        destination,
        destination_sequence: Sequence(4),
        originator,
        lifetime_ms: 7,
        timestamp: Timestamp(6),
    });
    assert_eq!(
        fields(&aodv::REPLY_FORMAT, &reply.emit()),
        [
            ("type", 2),
            ("hops", 2),
            ("destination", ADDRESS),
            ("destination_sequence", 4),
            ("originator", 0x0A00_0001),
            ("lifetime_ms", 7),
            ("timestamp_us", 6),
        ]
    );
    let lost = [Unreachable(destination, Sequence(8)), Unreachable(originator, Sequence(9))];
    assert_eq!(
        fields(&aodv::ERROR_FORMAT, &Message::Error(lost.to_vec()).emit()),
        [("type", 3), ("count", 2), ("destination", ADDRESS), ("destination_sequence", 8)]
    );
}

#[test]
fn of_dsr() {
    let flow = FlowId::between(NodeId(1), NodeId(2));
    let header = dsr::Header::of_flow(0x0102).emit(flow);
    assert_eq!(fields(&dsr::FORMAT, &header), [("identification", 0x0102)]);
}
