//! What the carriers report: service time, attempts, rate, signal, and who acknowledges.

use multihop_core::{
    Below, ContentionClass, Duration, FlowId, FrameClass, Heard, Medium, NodeId, Outcome, Packet,
    Payload, Rate, Receiver, Report, Rx, Tag, Time, Told, TxDone, TxRequest, Wakes,
};
use multihop_scenario::from_toml;

use crate::medium;
use crate::tests::air::{at, micros};

const A: NodeId = NodeId(0);
const B: NodeId = NodeId(1);

fn carrier(scheme: &str, section: &str) -> Box<dyn Medium> {
    let text = format!(
        "[topology]\nkind = \"chain\"\nhops = 1\n{section}\n[scheme]\nname = \"{scheme}\"\n\
         [traffic]\nload = \"1 kbit/s\"\n"
    );
    let setup = from_toml(&text).and_then(|scenario| scenario.setup());
    medium(&setup.unwrap_or_else(|error| panic!("{error}")))
}

fn radio(scheme: &str) -> Box<dyn Medium> {
    carrier(scheme, "[radio]")
}

/// 532 bytes with the network header.
fn request(to: Receiver) -> TxRequest {
    TxRequest::new(to, Packet::new(FlowId::between(A, B), Payload::Virtual(512), Tag::default()))
}

/// A hands `request` over at 100 us: what it gets back and when, and what B hears.
fn run(radio: &mut dyn Medium, request: &TxRequest) -> (TxDone, Time, Vec<Rx>) {
    let mut wakes = Wakes::new(2);
    let (mut now, mut heard, mut told) = (at(100), Vec::new(), Told::default());
    let lag = Duration::ZERO;
    radio.offer(A, request, FrameClass::Data, &mut Below { now, lag, wakes: &mut wakes });
    for _ in 0..100 {
        let (due, node) = wakes.next();
        now = due;
        let below = &mut Below { now, lag, wakes: &mut wakes };
        let woken = radio.on_deadline(node, below);
        let more = if woken.on_air { radio.transmit(node, below) } else { 0 };
        for _ in 0..woken.reports.max(more) {
            match radio.poll_report(now, &mut told) {
                (_, Report::Done) => return (told.done, now, heard),
                (_, Report::Hears) => heard.push(told.heard.clone()),
                _ => {}
            }
        }
    }
    panic!("it never ends");
}

#[test]
fn the_dcf_acknowledges_what_goes_to_one_node_and_the_reduced_csma_nothing() {
    for (scheme, unicast) in [("udp", Outcome::Acknowledged), ("cxcc", Outcome::Sent)] {
        let (done, ..) = run(&mut *radio(scheme), &request(Receiver::Node(B)));
        assert_eq!(done.outcome, unicast, "{scheme}");
        let (done, ..) = run(&mut *radio(scheme), &request(Receiver::Broadcast));
        assert_eq!(done.outcome, Outcome::Sent, "{scheme}");
    }
}

#[test]
fn a_frame_that_is_acknowledged_reports_its_service() {
    let (done, now, heard) = run(&mut *radio("udp"), &request(Receiver::Node(B)));
    assert_eq!(done.service, now.since(at(100)));
    assert!(done.service > micros(4720 + 10 + 304), "DIFS, backoff, data, SIFS, ACK: {done:?}");
    assert_eq!((done.attempts, done.retries, done.rate), (1, 0, Rate(1_000_000)));
    assert_eq!(done.air_time, micros(4720));
    let [rx] = &heard[..] else { panic!("B hears it once: {heard:?}") };
    assert_eq!((rx.from, rx.heard, rx.rate), (A, Heard::ForMe, Rate(1_000_000)));
    // Two-ray ground at 200 m: 0.2818 W x 1.5^4 / 200^4.
    let signal = rx.signal.expect("the radio knows").dbm();
    assert!((signal + 60.50).abs() < 0.01, "{signal}");
}

#[test]
fn a_frame_that_nobody_answers_reports_every_attempt() {
    let mut radio = radio("udp");
    let (done, now, heard) = run(&mut *radio, &request(Receiver::Node(NodeId(7))));
    assert_eq!((done.outcome, heard), (Outcome::Failed, vec![]));
    assert_eq!((done.attempts, done.retries), (7, 6));
    assert_eq!(done.air_time, micros(7 * 4720));
    assert_eq!(done.service, now.since(at(100)));
}

#[test]
fn a_frame_with_wishes_reports_them() {
    let wished = |radio: &mut dyn Medium| {
        let mut request = request(Receiver::Node(B));
        request.rate = Some(Rate(11_000_000));
        request.contention = Some(ContentionClass::window(1));
        run(radio, &request)
    };
    let (done, _, heard) = wished(&mut *radio("udp"));
    // 192 us of preamble, and 566 B.
    let air_time = Duration::from_nanos(603_636);
    assert_eq!((done.rate, done.air_time), (Rate(11_000_000), air_time));
    // No slot of backoff: DIFS, data, SIFS and the ACK, and the way there and back (667 ns each).
    let whole = air_time + micros(50 + 10 + 304);
    assert!(done.service >= whole && done.service < whole + micros(3), "{done:?}");
    assert_eq!((heard[0].rate, heard[0].air_time), (Rate(11_000_000), air_time));
}

#[test]
fn a_wish_for_no_rate_or_no_window_is_none() {
    let mut request = request(Receiver::Node(B));
    request.rate = Some(Rate(0));
    request.contention = Some(ContentionClass::window(0));
    let (done, ..) = run(&mut *radio("udp"), &request);
    assert_eq!(done.rate, Rate(1_000_000));
}

#[test]
fn wires_keep_nobody_waiting() {
    let mut wires = carrier("udp", "[wired]");
    let below = &mut Below { now: at(100), lag: Duration::ZERO, wakes: &mut Wakes::new(2) };
    let reports = wires.offer(A, &request(Receiver::Node(B)), FrameClass::Data, below);
    let mut told = Told::default();
    let ended = (0..reports).any(|_| wires.poll_report(at(100), &mut told) == (A, Report::Done));
    assert!(ended, "at once");
    let done = told.done;
    assert_eq!((done.outcome, done.service), (Outcome::Acknowledged, Duration::ZERO));
    assert_eq!((done.attempts, done.rate), (1, Rate(1_000_000)));
}
