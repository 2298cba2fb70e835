//! EZ-Flow at one node by hand: what the successor still has, and the window that follows.

use multihop_core::{FlowId, Heard, Hop, NodeId, Outcome, Packet, Params, Rate, TxRequest, Value};
use multihop_schemes::ezflow::SCHEME;
use multihop_testkit::{HopDesk, heard, packet};

const ME: NodeId = NodeId(1);
const NEXT: NodeId = NodeId(2);
const LAST: NodeId = NodeId(9);

/// How many samples a mean has, and how large a backlog is too large (`b_max`).
const SAMPLES: u32 = 50;
const LARGE: usize = 21;

struct Bench {
    desk: HopDesk<dyn Hop>,
    given: u32,
}

impl Bench {
    fn new(given: &[(&str, Value)]) -> Self {
        let given: Vec<_> =
            given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let params = Params::new(&SCHEME, &given, Rate(1_000_000)).expect("valid");
        Bench { desk: HopDesk::new(ME, (SCHEME.hop)(&params)), given: 0 }
    }

    /// A packet of this node to `destination` is handed to the MAC.
    fn offer(&mut self, destination: NodeId) -> TxRequest {
        self.desk.enqueue(packet(FlowId::between(ME, destination), self.given), NEXT);
        self.given += 1;
        self.desk.poll().expect("the MAC is free")
    }

    /// The successor gets a packet.
    fn send(&mut self) -> Packet {
        let request = self.offer(LAST);
        let sent = request.packet.clone();
        self.desk.done(request, Outcome::Acknowledged);
        sent
    }

    fn overhear(&mut self, from: NodeId, packet: &Packet) {
        self.desk.hear(&heard(from, Heard::Overheard, packet.clone()));
    }

    /// The window of the next packet, in slots; `None` for the MAC's own.
    fn window(&mut self) -> Option<u32> {
        let request = self.offer(LAST);
        let window = request.contention.map(|class| class.cw_min);
        let done = self.desk.report(request, Outcome::Failed);
        assert!(self.desk.call(|hop, cx| hop.on_tx_done(cx, &done)).is_some(), "routing decides");
        window
    }

    /// So many times a whole mean of this backlog.
    fn means(&mut self, backlog: usize, count: u32) {
        let first = self.send();
        (0..backlog).for_each(|_| drop(self.send()));
        (0..count * SAMPLES).for_each(|_| self.overhear(NEXT, &first));
    }
}

#[test]
fn the_window_is_802_11b_s_until_much_waits_at_the_successor() {
    let mut bench = Bench::new(&[]);
    assert_eq!(bench.window(), None, "nothing is known of the successor");
    bench.send();
    assert_eq!(bench.window(), Some(31));
}

#[test]
fn a_window_grows_after_as_many_large_means_as_it_has_bits() {
    let mut bench = Bench::new(&[]);
    bench.means(LARGE, 4);
    assert_eq!(bench.window(), Some(31));
    bench.means(LARGE, 1);
    assert_eq!(bench.window(), Some(63));
    // six bits now
    bench.means(LARGE, 5);
    assert_eq!(bench.window(), Some(63));
    bench.means(LARGE, 1);
    assert_eq!(bench.window(), Some(127));
}

#[test]
fn a_mean_in_between_starts_the_count_anew() {
    let mut bench = Bench::new(&[]);
    bench.means(LARGE, 4);
    bench.means(20, 1);
    bench.means(LARGE, 4);
    assert_eq!(bench.window(), Some(31));
}

#[test]
fn a_window_shrinks_after_as_many_empty_means_as_it_lacks_bits() {
    let mut bench = Bench::new(&[]);
    bench.means(0, 9);
    assert_eq!(bench.window(), Some(31));
    bench.means(0, 1);
    assert_eq!(bench.window(), Some(15));
    // not below 2^4
    bench.means(0, 100);
    assert_eq!(bench.window(), Some(15));
}

#[test]
fn windows_have_bounds() {
    let bounds = [("max_exponent", 6), ("first_exponent", 6), ("min_exponent", 6)];
    let given = bounds.map(|(name, exponent)| (name, Value::Count(exponent)));
    let mut bench = Bench::new(&given);
    bench.means(LARGE, 100);
    assert_eq!(bench.window(), Some(63));
}

#[test]
fn only_what_the_successor_forwards_from_here_counts() {
    let mut bench = Bench::new(&[]);
    let first = bench.send();
    (0..LARGE).for_each(|_| drop(bench.send()));
    let foreign = packet(FlowId::between(LAST, ME), 0);
    for _ in 0..100 * SAMPLES {
        bench.overhear(NodeId(3), &first);
        bench.overhear(NEXT, &foreign);
    }
    assert_eq!(bench.window(), Some(31));
}

#[test]
fn old_packets_are_forgotten() {
    let mut bench = Bench::new(&[("remembered", Value::Count(LARGE as u32))]);
    bench.means(LARGE, 5);
    assert_eq!(bench.window(), Some(31), "the first of them is not known any more");
    bench.means(LARGE - 1, 5);
    assert_eq!(bench.window(), Some(31), "20 are not too many");
}

#[test]
fn a_destination_forwards_nothing_and_gets_no_window() {
    let mut bench = Bench::new(&[]);
    for _ in 0..2 {
        let request = bench.offer(NEXT);
        assert_eq!(request.contention, None);
        bench.desk.done(request, Outcome::Acknowledged);
    }
    assert_eq!(bench.desk.hop.footprint(), 0);
}

#[test]
fn what_is_remembered_is_bounded() {
    let mut bench = Bench::new(&[]);
    for _ in 0..1_200 {
        bench.send();
    }
    assert_eq!(bench.desk.hop.footprint(), 1_000 + 1);
}
