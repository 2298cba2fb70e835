use multihop_core::Duration;

use super::*;

fn at(us: u64) -> Time {
    Time::ZERO + Duration::from_micros(us)
}

fn tag(source: u32) -> Tag {
    Tag { source, number: 1 }
}

/// The rows of the moments before `us`: node, flow, length.
fn settled(lengths: &mut Lengths, us: u64) -> Vec<(i64, i32, i32, i32)> {
    let mut rows = Vec::new();
    lengths.settle(at(us), |row| rows.push((row.time_ns, row.node, row.flow, row.length)));
    rows
}

#[test]
fn a_row_says_what_a_node_holds_of_a_flow_when_a_moment_is_over() {
    let mut lengths = Lengths::default();
    lengths.change(NodeId(2), tag(1), 1);
    lengths.change(NodeId(2), tag(1), 1);
    lengths.change(NodeId(2), tag(0), 1);
    assert_eq!(settled(&mut lengths, 0), [], "the moment is not over");
    assert_eq!(settled(&mut lengths, 7), [(0, 2, 1, 2), (0, 2, 0, 1)]);
    assert_eq!(settled(&mut lengths, 8), [], "nothing has changed since");
    lengths.change(NodeId(2), tag(1), -1);
    assert_eq!((lengths.at(2), lengths.at(0), lengths.at(9)), (2, 0, 0));
    assert_eq!(settled(&mut lengths, 9), [(8_000, 2, 1, 1)]);
}

#[test]
fn a_packet_that_comes_and_goes_in_one_moment_makes_no_row() {
    let mut lengths = Lengths::default();
    lengths.change(NodeId(0), tag(0), 1);
    lengths.change(NodeId(0), tag(0), -1);
    assert_eq!(settled(&mut lengths, 5), []);
    lengths.change(NodeId(0), tag(0), 1);
    assert_eq!(settled(&mut lengths, 6), [(5_000, 0, 0, 1)]);
}

#[test]
fn only_data_counts_and_nobody_holds_less_than_nothing() {
    let mut lengths = Lengths::default();
    lengths.change(NodeId(0), Tag::NONE, 1);
    lengths.change(NodeId(0), tag(0), -1);
    assert_eq!((settled(&mut lengths, 1), lengths.at(0)), (vec![], 0));
    lengths.change(NodeId(0), tag(0), 1);
    assert_eq!(lengths.at(0), 1);
}
