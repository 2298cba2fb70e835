//! Flush's two rules at one node by hand.

use multihop_core::{
    Bytes, DropCause, Duration, FlowId, Heard, Hop, LinkTiming, NodeId, Outcome, Packet, Params,
    Rate, Rx, SignalStrength, TxRequest, Value, Verdict,
};
use multihop_schemes::flush::{Header, SCHEME};
use multihop_testkit::{HopDesk, heard, packet};

/// The node on the desk, number 4 from the destination, and those around it.
const ME: NodeId = NodeId(4);
const BEFORE: NodeId = NodeId(5);
const NEXT: NodeId = NodeId(3);
const FARTHER: NodeId = NodeId(2);
const FIRST: NodeId = NodeId(9);
const LAST: NodeId = NodeId(0);

/// A unit of the header; all times of the tests are whole ones.
const UNIT: Duration = Duration::from_micros(32);

struct Bench(HopDesk<dyn Hop>);

fn through() -> FlowId {
    FlowId::between(FIRST, LAST)
}

/// The packet as the node so many hops from the source sends it.
fn after(hops: u8) -> Packet {
    let mut packet = packet(through(), 0);
    packet.ttl -= hops;
    packet
}

/// A header of these units: delta, f, D.
fn says(delivery: u64, interference: u64, interval: u64) -> Header {
    Header {
        delivery: UNIT * delivery,
        interference: UNIT * interference,
        interval: UNIT * interval,
    }
}

impl Bench {
    fn new(given: &[(&str, Value)]) -> Self {
        let given: Vec<_> =
            given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let params = Params::new(&SCHEME, &given, Rate(1_000_000)).expect("valid");
        Bench(HopDesk::new(ME, (SCHEME.hop)(&params)))
    }

    /// The predecessor's packet comes, this strong, and is to go on.
    fn come(&mut self, dbw: f64) {
        let signal = Some(SignalStrength::from_dbw(dbw));
        let rx = Rx { signal, ..heard(BEFORE, Heard::ForMe, after(4)) };
        assert_eq!(self.0.hear(&rx), Verdict::Accept);
        self.0.enqueue(after(5), NEXT);
    }

    /// A node nearer to the destination sends, so many hops from the source.
    fn overhear(&mut self, from: NodeId, hops: u8, dbw: f64, says: Header) {
        let mut packet = after(hops);
        says.write(&mut packet);
        let signal = Some(SignalStrength::from_dbw(dbw));
        self.0.hear(&Rx { signal, ..heard(from, Heard::Overheard, packet) });
    }

    /// The successor gets a packet after so many units.
    fn send(&mut self, units: u64) -> Header {
        let request = self.0.poll().expect("a packet may go");
        let header = Header::of(&request.packet).expect("it was written");
        self.0.now += UNIT * units;
        self.end(request, Outcome::Acknowledged);
        header
    }

    fn end(&mut self, request: TxRequest, outcome: Outcome) {
        let done = self.0.report(request, outcome);
        assert_eq!(self.0.call(|hop, cx| hop.on_tx_done(cx, &done)), None);
    }

    /// For how long after its last packet the node keeps the next one, in units; it took `units` itself.
    fn interval(&mut self, units: u64) -> u64 {
        assert_eq!(self.0.poll(), None);
        let waits = self.0.hop.deadline().since(self.0.now);
        units + waits.nanos() / UNIT.nanos()
    }
}

#[test]
fn headers_say_what_was_written() {
    let header = says(1, 2, 0xFFFF);
    assert_eq!(Header::parse(&header.emit()), Ok(header));
    let longer = says(1, 2, 0x1_0000);
    assert_eq!(Header::parse(&longer.emit()), Ok(header), "as long as can be written");
    assert!(Header::parse(&[0; 5]).is_err());
}

#[test]
fn a_node_waits_for_its_successor_and_for_those_that_disturb_it() {
    let mut bench = Bench::new(&[]);
    bench.come(-80.0);
    assert_eq!(bench.send(100), says(0, 0, 0), "nothing is known yet");
    bench.come(-80.0);
    bench.overhear(NEXT, 6, -80.0, says(110, 120, 0));
    // rule 1: d = 100 + 110 + 120
    assert_eq!(bench.interval(100), 330);
}

#[test]
fn a_node_is_not_faster_than_its_successor() {
    let mut bench = Bench::new(&[]);
    bench.come(-80.0);
    bench.send(100);
    bench.come(-80.0);
    bench.overhear(NEXT, 6, -80.0, says(110, 120, 500));
    assert_eq!(bench.interval(100), 500);
}

#[test]
fn a_node_announces_what_disturbs_it() {
    let mut bench = Bench::new(&[]);
    bench.come(-80.0);
    bench.send(100);
    bench.come(-80.0);
    // the successor, however weak; one that is less than 10 dB weaker than the predecessor; one that is not
    bench.overhear(NEXT, 6, -95.0, says(10, 0, 0));
    bench.overhear(FARTHER, 7, -89.0, says(20, 0, 0));
    bench.overhear(NodeId(1), 8, -91.0, says(40, 0, 0));
    // nodes before it are none of them
    bench.overhear(NodeId(6), 3, -80.0, says(80, 0, 0));
    bench.0.wait(UNIT * 300);
    assert_eq!(bench.send(100), says(100, 30, 110));
}

#[test]
fn what_was_overheard_long_ago_does_not_disturb() {
    let mut bench = Bench::new(&[]);
    bench.come(-80.0);
    bench.overhear(FARTHER, 7, -80.0, says(20, 0, 0));
    bench.0.wait(Duration::from_millis(1_000));
    bench.overhear(NEXT, 6, -80.0, says(10, 0, 0));
    assert_eq!(bench.send(100).interference, UNIT * 10);
}

#[test]
fn a_long_queue_is_announced_by_twice_the_time() {
    let mut bench = Bench::new(&[]);
    bench.come(-80.0);
    bench.send(100);
    (0..7).for_each(|_| bench.come(-80.0));
    bench.0.wait(UNIT * 300);
    assert_eq!(bench.send(100).delivery, UNIT * 200, "six wait behind it");
    bench.0.wait(UNIT * 300);
    assert_eq!(bench.send(100).delivery, UNIT * 100, "five");
}

#[test]
fn a_new_time_weighs_an_eighth() {
    let mut bench = Bench::new(&[]);
    bench.come(-80.0);
    bench.send(100);
    bench.come(-80.0);
    bench.0.wait(UNIT * 300);
    bench.send(180);
    bench.come(-80.0);
    bench.0.wait(UNIT * 300);
    assert_eq!(bench.send(100).delivery, UNIT * 110);
}

#[test]
fn a_source_hands_down_one_packet_at_a_time() {
    let mut bench = Bench::new(&[]);
    let own = FlowId::between(ME, LAST);
    assert!(bench.0.hop.admits(own));
    bench.0.enqueue(packet(own, 0), NEXT);
    assert!(!bench.0.hop.admits(own));
    let request = bench.0.poll().expect("it may go");
    assert!(!bench.0.hop.admits(own));
    bench.end(request, Outcome::Withdrawn);
    assert_eq!(bench.0.hop.backlog(), 1);
    let request = bench.0.poll().expect("it may go");
    bench.end(request, Outcome::Acknowledged);
    assert!(bench.0.hop.admits(own));
}

#[test]
fn a_full_relay_refuses() {
    let mut bench = Bench::new(&[("queue_limit", Value::Count(1))]);
    bench.come(-80.0);
    let rx = heard(BEFORE, Heard::ForMe, after(4));
    assert_eq!(bench.0.hear(&rx), Verdict::Refuse(DropCause::QueueFull));
}

#[test]
fn a_queue_is_bounded_when_a_route_is_found() {
    let mut bench = Bench::new(&[("queue_limit", Value::Count(3))]);
    (0..10).for_each(|number| bench.0.enqueue(packet(through(), number), NEXT));
    assert_eq!(bench.0.hop.backlog(), 3);
    // The next packet of a source whose queue is empty has its place.
    let own = FlowId::between(ME, LAST);
    bench.0.enqueue(packet(own, 0), NEXT);
    assert_eq!(bench.0.hop.backlog(), 4);
}

/// A node over a link whose frames carry many packets, of which three share one.
fn in_batches() -> Bench {
    let given = [("batch".to_owned(), Value::Count(3))];
    let params = Params::new(&SCHEME, &given, Rate(1_000_000)).expect("valid");
    let link = LinkTiming { batch: 64, ..params.link };
    Bench(HopDesk::new(ME, (SCHEME.hop)(&Params { link, ..params })))
}

impl Bench {
    /// What goes in one frame.
    fn batch(&mut self) -> Vec<TxRequest> {
        let first = self.0.poll().expect("a packet may go");
        let more = self.0.gather(NEXT, Bytes(2_000));
        std::iter::once(first).chain(more).collect()
    }
}

#[test]
fn a_batch_takes_the_place_of_a_packet_in_both_rules() {
    let mut bench = in_batches();
    (0..7).for_each(|_| bench.come(-90.0));
    bench.overhear(NEXT, 6, -90.0, says(50, 30, 0));
    let all = bench.batch();
    assert_eq!(all.len(), 3);
    bench.0.now += UNIT * 40;
    for request in all {
        bench.end(request, Outcome::Acknowledged);
    }
    // 40 of its own, and what the successor needs
    assert_eq!(bench.interval(40), 40 + 50 + 30);
    bench.0.wait(UNIT * 80);
    assert_eq!(Header::of(&bench.batch()[0].packet).expect("written").delivery, UNIT * 40);
}

#[test]
fn what_is_repeated_of_a_batch_takes_more_once_the_interval_is_over() {
    let mut bench = in_batches();
    (0..7).for_each(|_| bench.come(-90.0));
    bench.overhear(NEXT, 6, -90.0, says(50, 30, 0));
    let all = bench.batch();
    bench.0.now += UNIT * 40;
    bench.end(all[1].clone(), Outcome::Acknowledged);
    assert_eq!(bench.0.gather(NEXT, Bytes(2_000)), []);
    bench.0.now += UNIT * 80;
    assert_eq!(bench.0.gather(NEXT, Bytes(2_000)).len(), 1, "three are the most");
    assert_eq!(bench.0.hop.backlog(), 6);
}

#[test]
fn a_source_hands_down_a_batch_where_frames_carry_several() {
    let own = FlowId::between(ME, LAST);
    for (mut bench, most) in [(in_batches(), 3), (Bench::new(&[("batch", Value::Count(3))]), 1)] {
        let mut given = 0;
        while bench.0.hop.admits(own) {
            bench.0.enqueue(packet(own, given), NEXT);
            given += 1;
        }
        assert_eq!(given, most);
    }
}
