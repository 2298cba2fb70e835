//! What a node knows of itself, and writes into packets.

use multihop_core::{Duration, FlowId, Hop, NodeId, Outcome, Value};
use multihop_schemes::atp::SCHEME;
use multihop_schemes::parts::reliable::{ATP_PATH, PATH_HEADER_LEN, PathHeader, PathKind};
use multihop_testkit::{HopDesk, packet};

use crate::pipe::params;

struct Bench(HopDesk<dyn Hop>);

impl Bench {
    fn new(given: &[(&str, Value)]) -> Self {
        Bench(HopDesk::new(NodeId(0), (SCHEME.hop)(&params(&SCHEME, given))))
    }

    /// A packet with this path header waits `waited` ms, and the MAC needs `service` ms for it. D
    /// as it leaves.
    fn pass(&mut self, path: &[u8], waited: u64, service: (u64, Outcome)) -> u32 {
        let mut packet = packet(FlowId::between(NodeId(0), NodeId(2)), 0);
        packet.headers.set(ATP_PATH, path);
        self.0.enqueue(packet, NodeId(1));
        self.0.now += Duration::from_millis(waited);
        let request = self.0.poll().expect("a packet waits");
        assert_eq!(request.packet.headers.len(), PATH_HEADER_LEN);
        let delay_us = PathHeader::of(&request.packet).expect("a header").delay_us;
        let (service, outcome) = service;
        self.0.now += Duration::from_millis(service);
        let done = self.0.report(request, outcome);
        let _ = self.0.call(|hop, cx| hop.on_tx_done(cx, &done));
        delay_us
    }

    fn data(&mut self, waited: u64, service: u64) -> u32 {
        let header = PathHeader::new(PathKind::Any).emit();
        self.pass(&header, waited, (service, Outcome::Acknowledged))
    }

    fn probe(&mut self) -> u32 {
        let header = PathHeader::new(PathKind::Probe).emit();
        self.pass(&header, 0, (4, Outcome::Acknowledged))
    }
}

#[test]
fn a_node_stamps_its_mean_queueing_and_transmission_delay() {
    let mut bench = Bench::new(&[]);
    assert_eq!(bench.0.hop.header_len(), PATH_HEADER_LEN);
    assert_eq!(bench.data(0, 4), 0, "it knows nothing of its transmissions yet");
    assert_eq!(bench.data(0, 8), 4_000);
    // T is 0.75 * 4 + 0.25 * 8 ms, Q is 0.25 * 2 ms.
    assert_eq!(bench.data(2, 5), 5_500);
    // Q is 0.75 * 0.5 ms + 0.25 * 8 ms.
    assert_eq!(bench.data(8, 5), 2_375 + 5_000);
}

#[test]
fn the_weight_of_the_old_mean_is_a_parameter() {
    let mut bench = Bench::new(&[("alpha", Value::Number(0.5))]);
    bench.data(0, 4);
    bench.data(0, 8);
    assert_eq!(bench.data(2, 5), 6_000 + 1_000);
}

#[test]
fn a_packet_keeps_the_largest_delay_of_its_way() {
    let mut bench = Bench::new(&[]);
    bench.data(0, 4);
    let done = (4, Outcome::Acknowledged);
    let stamped = |delay_us| PathHeader { kind: PathKind::Any, delay_us }.emit();
    assert_eq!(bench.pass(&stamped(9_000), 0, done), 9_000);
    assert_eq!(bench.pass(&stamped(1_000), 0, done), 4_000);
}

#[test]
fn a_transmission_that_fails_says_nothing() {
    let mut bench = Bench::new(&[]);
    bench.data(0, 4);
    bench.pass(&PathHeader::default().emit(), 0, (100, Outcome::Failed));
    assert_eq!(bench.data(0, 4), 4_000);
}

#[test]
fn a_packet_without_a_readable_header_gets_one() {
    let mut bench = Bench::new(&[]);
    bench.data(0, 4);
    for bytes in [&[][..], &[1; 3], &[7; 6], &[0; 16]] {
        assert_eq!(bench.pass(bytes, 0, (4, Outcome::Acknowledged)), 4_000);
    }
}

#[test]
fn an_idle_node_projects_contention_onto_a_probe() {
    let mut bench = Bench::new(&[]);
    assert_eq!(bench.probe(), 0, "its first packet of all");
    assert_eq!(bench.probe(), 12_000, "probes do not make it busy");
    bench.data(0, 4);
    assert_eq!(bench.probe(), 4_000, "busy");
    bench.0.now += Duration::from_millis(990);
    assert_eq!(bench.probe(), 4_000, "within an epoch");
    bench.0.now += Duration::from_millis(20);
    assert_eq!(bench.probe(), 12_000);
    assert_eq!(bench.data(0, 4), 4_000, "only onto a probe");
    let mut other = Bench::new(&[("eta", Value::Number(5.0)), ("epoch", Value::Number(0.1))]);
    other.data(0, 4);
    other.0.now += Duration::from_millis(110);
    assert_eq!(other.probe(), 20_000);
}
