use multihop_core::{
    AddressTable, Bytes, Decoded, DropCause, Estimate, FlowId, FrameClass, Message, NodeId, Packet,
    Payload, Tag, Transmission,
};

use super::*;
use crate::Reach;

const FLOW: FlowId = FlowId::between(NodeId(0), NodeId(2));

fn at(nanos: u64) -> Time {
    Time::from_nanos(nanos)
}

fn table() -> EventTable {
    let (addresses, sources) = (AddressTable::default(), vec![NodeId(0)]);
    let network = Network { addresses, nodes: 3, sources, end: Time::NEVER };
    EventTable::new(network)
}

fn data(number: u32) -> Packet {
    Packet::new(FLOW, Payload::Virtual(100), Tag { source: 0, number })
}

fn frame(number: u32, packet: &Packet, wait: u64) -> Observation<'_> {
    Observation::Transmission(Transmission {
        number,
        from: NodeId(0),
        to: Some(NodeId(1)),
        class: FrameClass::Data,
        packet: Some(packet),
        bytes: Bytes(148),
        rate: multihop_core::Rate(0),
        air_time: Duration::from_nanos(500),
        wait: Duration::from_nanos(wait),
        reserved: Duration::ZERO,
        sequence: 1,
        aggregate: None,
    })
}

fn found(frame: u32, node: u32, end: u64, certain: u64, fate: Fate) -> Reception {
    let (end, certain) = (at(end), at(certain));
    Reception { frame, node: NodeId(node), end, certain, fate, by: None }
}

fn column<'a>(table: &'a Table, name: &str) -> &'a Column {
    &table.iter().find(|(known, _)| *known == name).expect("the table has the column").1
}

fn said(table: &Table, name: &str) -> Vec<&'static str> {
    let Column::Label(words) = column(table, name) else { panic!("{name} has no words") };
    words.clone()
}

fn counted(table: &Table, name: &str) -> Vec<i64> {
    let Column::Integer(numbers) = column(table, name) else { panic!("{name} has no integers") };
    numbers.clone()
}

fn measured(table: &Table, name: &str) -> Vec<f64> {
    let Column::Float(numbers) = column(table, name) else { panic!("{name} has no floats") };
    numbers.clone()
}

/// One event alone in a table.
fn alone(what: &Observation) -> Table {
    let mut events = table();
    events.observe(at(7), what);
    events.into_table()
}

#[test]
fn at_one_time_receptions_stand_before_and_losses_behind_what_is_told() {
    let (packet, mut events) = (data(4), table());
    for (number, sent) in [0, 100, 200].into_iter().enumerate() {
        events.observe(at(sent), &frame(number as u32, &packet, 0));
    }
    events.observe(at(600), &Observation::Restart { node: NodeId(2) });
    let transmitting = Fate::Lost(LossCause::Transmitting);
    let collided = Fate::Lost(LossCause::Collision);
    let known = [
        found(0, 1, 600, 600, collided),
        found(1, 1, 600, 600, Fate::Decoded(Decoded::Overheard)),
        found(2, 1, 700, 600, transmitting),
        found(2, 2, 700, 700, Fate::Sensed),
    ];
    events.observe(at(900), &Observation::Receptions(&known));
    let table = events.into_table();
    let sent = ["transmit_start"; 3];
    assert_eq!(said(&table, "event")[..3], sent);
    assert_eq!(said(&table, "event")[3..], ["receive", "loss", "restart", "loss", "loss"]);
    let lost = ["", transmitting.name(), "", collided.name(), Fate::Sensed.name()];
    assert_eq!(said(&table, "cause")[3..], lost);
    assert_eq!(counted(&table, "node")[3..], [1, 1, 2, 1, 2]);
    assert_eq!(counted(&table, "peer")[3..], [0, 0, -1, 0, 0], "the transmitter");
    assert_eq!(counted(&table, "packet")[3..], [4, 4, -1, 4, 4]);
    assert_eq!(counted(&table, "bytes")[3..], [148, 148, 0, 148, 148]);
    assert_eq!(measured(&table, "time_s")[6..], [6e-7, 7e-7]);
    assert_eq!(measured(&table, "duration_s")[5..], [0.0, 5e-7, 5e-7]);
}

#[test]
fn a_frame_begins_when_the_queue_of_its_wire_is_done() {
    let table = alone(&frame(0, &data(0), 3000));
    assert_eq!(measured(&table, "time_s"), [3.007e-6]);
    assert_eq!(said(&table, "frame"), ["data"]);
    assert_eq!((counted(&table, "node"), counted(&table, "peer")), (vec![0], vec![1]));
}

#[test]
fn what_flows_count_has_no_rows() {
    let message = Message { payload: Payload::Virtual(100), tag: Tag { source: 0, number: 0 } };
    let offer = Observation::Offer { node: NodeId(0), flow: FLOW, message: &message };
    let gauge = Gauge::Acknowledged(3);
    let gauge = Observation::Gauge { node: NodeId(0), flow: FLOW, source: 0, gauge };
    for what in [offer, gauge, Observation::MeasuringBegins(&[])] {
        assert!(column(&alone(&what), "event").is_empty(), "{what:?}");
    }
}

#[test]
fn an_estimate_says_what_links_carry() {
    let (interval, free) = (Duration::from_nanos(400), Duration::from_nanos(100));
    let estimate = Estimate { interval, free, throughput: 3_000_000_000 };
    let table = alone(&Observation::Estimate { node: NodeId(1), estimate });
    assert_eq!(counted(&table, "bytes"), [3_000_000_000]);
    assert_eq!(measured(&table, "value"), [0.25]);
    assert_eq!(measured(&table, "duration_s"), [4e-7]);
    assert_eq!(counted(&table, "flow"), [-1]);
}

#[test]
fn a_drop_and_a_broken_link_say_why() {
    let packet = data(9);
    let cause = DropCause::QueueFull;
    let table = alone(&Observation::Drop { node: NodeId(1), packet: &packet, cause });
    assert_eq!((said(&table, "event"), said(&table, "cause")), (vec!["drop"], vec![cause.name()]));
    assert_eq!((counted(&table, "packet"), counted(&table, "peer")), (vec![9], vec![-1]));
    let (node, next, reach) = (NodeId(1), NodeId(2), Reach::OutOfRange);
    let table = alone(&Observation::LinkBroken { node, next, reach });
    assert_eq!(said(&table, "cause"), ["out_of_range"]);
    assert_eq!((counted(&table, "node"), counted(&table, "peer")), (vec![1], vec![2]));
}
