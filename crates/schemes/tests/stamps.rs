//! LECN 3.2 and link RED: which packets a router marks.

use multihop_core::{
    Duration, Effect, EventKind, FlowId, FrameId, Hop, NodeId, Outcome, Params, Rate, Scheme,
    Stamp, Time, TxDone, TxRequest, Value,
};
use multihop_schemes::{lecn, link_red};
use multihop_testkit::{HopDesk, done, packet};

struct Bench(HopDesk<dyn Hop>);

impl Bench {
    fn new(scheme: &'static Scheme, given: &[(&str, f64)]) -> Self {
        let given: Vec<_> =
            given.iter().map(|(name, value)| ((*name).to_owned(), Value::Number(*value))).collect();
        let params = Params::new(scheme, &given, Rate(2_000_000)).expect("valid");
        Bench(HopDesk::new(NodeId(0), (scheme.hop)(&params)))
    }

    /// A packet goes into the MAC.
    fn forward(&mut self) -> TxRequest {
        let flow = FlowId::between(NodeId(0), NodeId(2));
        self.0.enqueue(packet(flow, 0), NodeId(1));
        self.0.poll().expect("a packet waits")
    }

    fn done(&mut self, request: TxRequest, retries: u32) {
        let done = TxDone { retries, ..done(request, Outcome::Acknowledged) };
        let _ = self.0.call(|hop, cx| hop.on_tx_done(cx, &done));
    }

    /// Whether the frame below is marked, and whether that is traced.
    fn marks(&self) -> (bool, bool) {
        (self.0.effects.contains(&Effect::Mark(FrameId::ONLY)), self.0.traced(EventKind::Marked))
    }

    /// What it marks within so many milliseconds.
    fn wait(&mut self, ms: u64) -> (bool, bool) {
        self.0.wait(Duration::from_millis(ms));
        self.marks()
    }
}

#[test]
fn lecn_marks_what_stays_longer_than_the_threshold() {
    let mut bench = Bench::new(&lecn::SCHEME, &[]);
    let request = bench.forward();
    assert_eq!(bench.wait(59), (false, false));
    bench.done(request, 0);
    assert_eq!(bench.0.hop.deadline(), Time::NEVER, "it was in time");
    let request = bench.forward();
    assert_eq!(bench.wait(60), (true, true), "60 ms by default");
    assert_eq!(bench.wait(60), (false, false), "once");
    bench.done(request, 3);
    assert_eq!(bench.0.hop.backlog(), 0);
}

#[test]
fn lecn_with_threshold_zero_marks_everything() {
    let mut bench = Bench::new(&lecn::SCHEME, &[("threshold", 0.0)]);
    let request = bench.forward();
    assert!(request.packet.congestion_experienced);
    assert_eq!(bench.marks(), (false, true));
    assert_eq!(bench.0.hop.deadline(), Time::NEVER);
}

#[test]
fn lecn_may_count_the_exchanges_that_there_was_time_for() {
    let mut bench = Bench::new(&lecn::SCHEME, &[("threshold_exchanges", 11.0)]);
    let request = bench.forward();
    let eleven = Rate(2_000_000).air_time(request.packet.len()) * 11;
    bench.0.wait(eleven.saturating_sub(Duration::from_millis(1)));
    assert_eq!(bench.marks(), (false, false), "on this link an exchange is a packet's bits");
    assert_eq!(bench.wait(1), (true, true));
}

#[test]
fn link_red_marks_more_the_more_retries_there_are() {
    let mut shares = Vec::new();
    for retries in [0, 1, 2, 3] {
        let given = [("min_threshold", 1.0), ("max_threshold", 3.0), ("max_probability", 0.8)];
        let mut bench = Bench::new(&link_red::SCHEME, &given);
        let mut marked = 0;
        for packet in 0..1_100 {
            let request = bench.forward();
            assert_eq!(bench.marks().1, request.packet.congestion_experienced);
            marked += u32::from(packet >= 100 && request.packet.congestion_experienced);
            bench.done(request, retries);
        }
        shares.push(f64::from(marked) / 1_000.0);
    }
    assert!(shares[0] == 0.0 && shares[1] == 0.0, "up to the lower threshold: {shares:?}");
    assert!((shares[2] - 0.5).abs() < 0.05 && (shares[3] - 0.8).abs() < 0.05, "{shares:?}");
}

/// Fu et al. 2003: `avg_retry` is 7/8 of what it was and 1/8 of the new sample.
#[test]
fn link_red_weighs_a_new_sample_with_one_eighth() {
    let given = [("min_threshold", 0.0), ("max_threshold", 8.0), ("max_probability", 1.0)];
    let given = given.map(|(name, value)| (name.to_owned(), Value::Number(value)));
    let params = Params::new(&link_red::SCHEME, &given, Rate(2_000_000)).expect("valid");
    let mut bench = Bench::new(&link_red::SCHEME, &[]);
    let mut stamp = link_red::LinkRed::new(&params);
    let request = bench.forward();
    // the probability is the mean over 8
    for (retries, eighths) in [(8, 1.0), (8, 1.875), (0, 1.640_625), (8, 2.435_546_875)] {
        let done = TxDone { retries, ..done(request.clone(), Outcome::Acknowledged) };
        bench.0.call(|_, cx| stamp.on_tx_done(cx, &done));
        let expected = eighths / 8.0;
        assert!((stamp.probability() - expected).abs() < 1e-12, "{retries}: {expected}");
    }
}
