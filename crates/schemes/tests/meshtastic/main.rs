//! The rules of the Meshtastic firmware, each by itself: one node, and frames that it hears.

mod others;

use multihop_core::{
    AirTime, Duration, EventKind, FlowId, Heard, Hop, NodeId, Outcome, Packet, Params, Payload,
    Rate, Rx, SignalStrength, Tag, Time, TrafficClass, TxRequest, Value, Verdict,
};
use multihop_schemes::meshtastic::words::{DUTY_CYCLE, NEXT_HOP, SKIPPED, SUPPRESSED};
use multihop_schemes::meshtastic::{Acknowledgment, Header, ROUTING, SCHEME};
use multihop_testkit::{HopDesk, heard};

const SOURCE: NodeId = NodeId(10);
const ME: NodeId = NodeId(20);
const OTHER: NodeId = NodeId(30);
const FAR: NodeId = NodeId(40);
const EVERYONE: FlowId = FlowId::between(SOURCE, NodeId::BROADCAST);
const MINE: FlowId = FlowId::between(ME, NodeId::BROADCAST);
const TO_FAR: FlowId = FlowId::between(ME, FAR);

/// Noise of 250 kHz, as the scheme's default has it.
const NOISE_DBM: f64 = -114.0;

struct Bench(HopDesk<dyn Hop>);

fn node(given: &[(&str, Value)]) -> Bench {
    let given = given.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
    let params = Params::new(&SCHEME, &given.collect::<Vec<_>>(), Rate(1_000));
    Bench(HopDesk::new(ME, (SCHEME.hop)(&params.expect("they are valid"))))
}

/// The values of `role` and `rules` in the order of the scheme's list.
fn role(name: &str) -> (&'static str, Value) {
    let at = ["client", "client_mute", "router", "router_late", "repeater", "client_base"];
    ("role", Value::Choice(at.iter().position(|known| *known == name).expect("it is one")))
}

const SIMULATOR: (&str, Value) = ("rules", Value::Choice(1));

/// Packet `id` of `flow`, with so many hops left of three, from the node with the last byte `relay`.
fn copy(flow: FlowId, id: u32, hop_limit: u8, relay: NodeId) -> Packet {
    let header =
        Header { id, hop_limit, want_ack: true, hop_start: 3, next_hop: 0, relay: relay.0 as u8 };
    let mut packet = Packet::new(flow, Payload::Virtual(40), Tag { source: 0, number: id });
    header.write(&mut packet);
    packet
}

fn header(request: &TxRequest) -> Header {
    Header::of(&request.packet).expect("every frame has one")
}

fn in_millis(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

impl Bench {
    fn hear(&mut self, packet: Packet) -> Verdict {
        self.0.hear(&heard(NodeId(1), Heard::Broadcast, packet))
    }

    /// It is heard with this signal-to-noise ratio.
    fn hear_at(&mut self, packet: Packet, snr: f64) -> Verdict {
        let signal = SignalStrength::from_dbw(NOISE_DBM + snr - 30.0);
        self.0.hear(&Rx { signal: Some(signal), ..heard(NodeId(1), Heard::Broadcast, packet) })
    }

    /// The application sends packet `number`.
    fn send(&mut self, flow: FlowId, number: u32) {
        let packet = Packet::new(flow, Payload::Virtual(40), Tag { source: 0, number });
        self.0.enqueue(packet, NodeId::BROADCAST);
    }

    fn poll(&mut self) -> TxRequest {
        self.0.poll().expect("a frame waits")
    }

    /// The next frame is on the air.
    fn transmit(&mut self) -> TxRequest {
        let request = self.poll();
        self.0.done(request.clone(), Outcome::Sent);
        request
    }

    /// The MAC gets a frame that is not to be sent, waits for it, and gives it back.
    fn waits_in_vain(&mut self, what: &str) {
        let request = self.poll();
        self.0.time_out();
        assert_eq!(self.0.withdrawals(), 1, "{what}");
        assert_ne!(self.0.hop.deadline(), Time::ZERO, "{what}: it is told once");
        self.0.done(request, Outcome::Withdrawn);
        assert_eq!(
            (self.0.hop.backlog(), self.0.dropped()),
            (0, vec![(&SUPPRESSED).into()]),
            "{what}"
        );
    }

    /// All frames that wait go on the air: their numbers.
    fn transmit_all(&mut self) -> Vec<u32> {
        let next = || {
            let request = self.0.poll()?;
            self.0.done(request.clone(), Outcome::Sent);
            Some(header(&request).id)
        };
        std::iter::from_fn(next).collect()
    }

    /// This node has sent a direct message that `OTHER` relayed and `FAR` acknowledged: the number of the message.
    fn learn(&mut self) -> u32 {
        self.hear(copy(FlowId::between(OTHER, NodeId::BROADCAST), 1, 3, OTHER));
        self.hear(copy(FlowId::between(FAR, NodeId::BROADCAST), 2, 2, OTHER));
        self.transmit_all();
        self.send(TO_FAR, 0);
        let id = header(&self.transmit()).id;
        self.hear(copy(TO_FAR, id, 2, OTHER));
        self.hear(acknowledgment(TO_FAR, id, 2, OTHER));
        id
    }
}

/// An acknowledgment of packet `request` of `flow`, with so many hops left of three.
fn acknowledgment(flow: FlowId, request: u32, hop_limit: u8, relay: NodeId) -> Packet {
    let of = copy(flow.reverse(), 1_000 + request, hop_limit, relay);
    let mut packet = Packet { payload: Payload::Virtual(0), tag: of.tag.control(), ..of };
    packet.headers.set(ROUTING, &Acknowledgment { request }.emit());
    packet
}

/// Rules 7 and 11.
#[test]
fn the_first_copy_is_handed_up_and_relayed_with_one_hop_less() {
    let mut bench = node(&[]);
    assert_eq!(bench.hear(copy(EVERYONE, 7, 3, SOURCE)), Verdict::Deliver);
    let relayed = header(&bench.transmit());
    assert_eq!((relayed.id, relayed.hop_limit, relayed.hop_start, relayed.relay), (7, 2, 3, 20));
    assert_eq!(bench.hear(copy(EVERYONE, 8, 0, OTHER)), Verdict::Deliver);
    assert_eq!(bench.0.poll(), None, "its hops are used up");
    assert_eq!(node(&[role("client_mute")]).hear(copy(EVERYONE, 7, 3, SOURCE)), Verdict::Deliver);
}

/// Rule 7.
#[test]
fn a_mute_client_relays_nothing() {
    let mut bench = node(&[role("client_mute")]);
    bench.hear(copy(EVERYONE, 7, 3, SOURCE));
    assert_eq!((bench.0.poll(), bench.0.hop.backlog()), (None, 0));
}

/// Rule 8.
#[test]
fn another_relay_cancels_that_of_a_client_but_not_that_of_a_router() {
    for (name, kept) in [("client", false), ("router", true), ("repeater", true)] {
        let mut bench = node(&[role(name)]);
        bench.hear(copy(EVERYONE, 7, 3, SOURCE));
        assert_eq!(bench.hear(copy(EVERYONE, 7, 2, OTHER)), Verdict::Done);
        assert!(bench.0.traced(EventKind::DuplicateIgnored));
        assert_eq!(bench.0.traced(EventKind::from(&SUPPRESSED)), !kept, "{name}");
        assert_eq!(bench.transmit_all().len(), usize::from(kept), "{name}");
    }
}

/// Rule 8, of a frame that the MAC has.
#[test]
fn a_cancelled_relay_comes_back_from_the_mac() {
    let mut bench = node(&[]);
    bench.hear(copy(EVERYONE, 7, 3, SOURCE));
    let request = bench.poll();
    bench.hear(copy(EVERYONE, 7, 2, OTHER));
    assert_eq!(bench.0.withdrawals(), 1);
    bench.hear(copy(EVERYONE, 7, 1, FAR));
    assert_eq!(bench.0.withdrawals(), 0, "it was asked for");
    bench.0.done(request, Outcome::Withdrawn);
    assert_eq!(bench.0.dropped(), [(&SUPPRESSED).into()]);
    assert_eq!(bench.0.hop.backlog(), 0);
}

/// Rule 8: now + (16 + 2^CW) slots, CW = 8 at 10 dB.
#[test]
fn a_late_router_moves_its_relay_to_the_late_window_once() {
    let mut bench = node(&[role("router_late")]);
    bench.hear_at(copy(EVERYONE, 7, 3, SOURCE), 20.0);
    let request = bench.poll();
    bench.hear(copy(EVERYONE, 7, 2, OTHER));
    assert_eq!(bench.0.withdrawals(), 1);
    bench.0.done(request, Outcome::Withdrawn);
    let due = bench.0.hop.deadline().since(bench.0.now);
    assert_eq!(due, in_millis((16 + 256) * 28));
    bench.hear(copy(EVERYONE, 8, 3, SOURCE));
    assert_eq!(bench.transmit_all(), [8], "what is not late goes first");
    bench.0.wait(due);
    bench.hear(copy(EVERYONE, 7, 1, FAR));
    assert_eq!(bench.transmit_all(), [7]);
}

/// Rule 9.
#[test]
fn a_copy_straight_from_its_source_cancels_nothing_and_is_relayed_again() {
    let mut bench = node(&[]);
    bench.hear(copy(EVERYONE, 7, 3, SOURCE));
    bench.hear(copy(EVERYONE, 7, 3, SOURCE));
    assert_eq!(bench.transmit_all(), [7], "one waited already");
    assert_eq!(bench.hear(copy(EVERYONE, 7, 3, SOURCE)), Verdict::Done, "it is handed up once");
    assert_eq!(bench.transmit_all(), [7]);
    let mut simulator = node(&[SIMULATOR]);
    simulator.hear(copy(EVERYONE, 7, 3, SOURCE));
    assert_eq!(simulator.transmit_all(), [7]);
    simulator.hear(copy(EVERYONE, 7, 3, SOURCE));
    assert_eq!(simulator.transmit_all(), [0; 0], "not so in Meshtasticator");
}

/// Rule 10.
#[test]
fn a_copy_with_more_hops_left_takes_the_place_of_a_relay_that_waits() {
    let mut bench = node(&[]);
    bench.hear(copy(EVERYONE, 7, 1, FAR));
    bench.hear(copy(EVERYONE, 7, 2, OTHER));
    assert_eq!(header(&bench.transmit()).hop_limit, 1);
    assert_eq!((bench.0.poll(), bench.0.hop.backlog()), (None, 0));
}

/// Rules 2 and 3.
#[test]
fn windows_follow_from_utilisation_and_signal() {
    let mut bench = node(&[]);
    bench.hear_at(copy(EVERYONE, 7, 3, SOURCE), -8.0);
    let class = bench.transmit().contention.expect("every frame has one");
    assert_eq!((class.first, class.cw_min), (16, 32));
    bench.0.cx.air = AirTime { sensed: in_millis(30_000), ..AirTime::default() };
    bench.send(MINE, 0);
    let class = bench.transmit().contention.expect("every frame has one");
    assert_eq!((class.first, class.cw_min), (0, 32), "half of a minute");
}

/// Rule 6.
#[test]
fn a_text_overtakes_a_report_that_the_mac_has() {
    let mut bench = node(&[]);
    bench.send(MINE.of_class(TrafficClass::Report), 0);
    let report = bench.poll();
    bench.send(MINE, 1);
    assert_eq!(bench.0.withdrawals(), 1);
    bench.0.done(report.clone(), Outcome::Withdrawn);
    let sent = bench.transmit_all();
    assert_eq!(sent.len(), 2);
    assert_eq!(sent[1], header(&report).id, "the report is the last");
}

/// Rules 12 and 13: three attempts, 5.8 s apart: two frames of 71 B at 1 kbit/s, 56 slots and 4.5 s.
#[test]
fn a_text_is_repeated_until_somebody_relays_it() {
    let mut bench = node(&[]);
    bench.send(MINE, 0);
    let request = bench.transmit();
    let first = header(&request);
    assert!(first.want_ack && first.hop_limit == 3 && first.hop_start == 3);
    let frame = Rate(1_000).air_time(request.packet.len());
    let expected = frame * 2 + in_millis(56 * 28 + 4_500);
    for _ in 0..2 {
        assert_eq!(bench.0.hop.deadline().since(bench.0.now), expected);
        bench.0.time_out();
        assert!(bench.0.traced(EventKind::Retransmission));
        assert_eq!(bench.transmit_all(), [first.id]);
    }
    bench.0.time_out();
    assert_eq!(bench.0.dropped(), [multihop_core::DropCause::RetriesSpent]);
    assert_eq!((bench.0.hop.backlog(), bench.0.hop.deadline()), (0, Time::NEVER));
    bench.send(MINE, 1);
    let id = header(&bench.transmit()).id;
    bench.hear(copy(MINE, id, 2, OTHER));
    assert!(bench.0.traced(EventKind::ImplicitAcknowledgment));
    assert_eq!((bench.0.hop.backlog(), bench.0.hop.deadline()), (0, Time::NEVER));
}

/// Rule 12: never position, telemetry, nodeinfo.
#[test]
fn reports_and_announcements_are_sent_once() {
    for class in [TrafficClass::Report, TrafficClass::Announcement] {
        let mut bench = node(&[]);
        bench.send(MINE.of_class(class), 0);
        assert!(!header(&bench.transmit()).want_ack);
        assert_eq!((bench.0.hop.backlog(), bench.0.hop.deadline()), (0, Time::NEVER));
    }
}

/// Rule 13: longer by every frame that is received meanwhile.
#[test]
fn a_repetition_waits_for_the_time_in_which_nothing_could_be_heard() {
    let mut bench = node(&[]);
    bench.send(MINE, 0);
    bench.transmit();
    let due = bench.0.hop.deadline();
    let air_time = in_millis(700);
    let packet = copy(EVERYONE, 7, 0, SOURCE);
    bench.0.hear(&Rx { air_time, ..heard(SOURCE, Heard::Broadcast, packet) });
    assert_eq!(bench.0.hop.deadline(), due + air_time);
}

/// Rule 14.
#[test]
fn a_direct_message_is_acknowledged_and_the_acknowledgment_too() {
    let mut bench = node(&[]);
    let flow = FlowId::between(FAR, ME);
    assert_eq!(bench.hear(copy(flow, 7, 2, OTHER)), Verdict::Deliver);
    let request = bench.transmit();
    assert_eq!(request.packet.flow, flow.reverse());
    assert_eq!(Acknowledgment::of(&request.packet), Ok(Some(7)));
    let ack = header(&request);
    assert!(ack.want_ack && ack.hop_limit == 3, "one hop there, and two more than that back");
    assert!(bench.0.hop.deadline() < Time::NEVER, "it is repeated");
    bench.hear(acknowledgment(flow.reverse(), ack.id, 2, OTHER));
    assert!(bench.0.traced(EventKind::ExplicitAcknowledgment));
    assert_eq!(bench.0.hop.deadline(), Time::NEVER);
    assert_eq!(
        bench.0.poll(),
        None,
        "and the acknowledgment of that is not acknowledged over hops"
    );
}

/// Rule 14: what came directly is answered with hop limit 0.
#[test]
fn an_acknowledgment_from_a_neighbour_is_answered_without_hops() {
    let mut bench = node(&[]);
    bench.send(TO_FAR, 0);
    let id = header(&bench.transmit()).id;
    bench.hear(acknowledgment(TO_FAR, id, 3, FAR));
    let answer = header(&bench.transmit());
    assert!(!answer.want_ack && answer.hop_limit == 0);
    assert_eq!((bench.0.hop.backlog(), bench.0.hop.deadline()), (0, Time::NEVER));
}

/// Rule 15.
#[test]
fn an_acknowledgment_that_comes_back_by_a_relay_shows_the_next_hop() {
    let mut bench = node(&[]);
    bench.learn();
    assert!(bench.0.traced(EventKind::from(&NEXT_HOP)));
    bench.transmit_all();
    bench.send(TO_FAR, 1);
    assert_eq!(header(&bench.transmit()).next_hop, 30);
    bench.0.time_out();
    assert_eq!(header(&bench.transmit()).next_hop, 30);
    bench.0.time_out();
    assert_eq!(header(&bench.transmit()).next_hop, 0, "the last attempt floods");
    bench.send(TO_FAR, 2);
    assert_eq!(header(&bench.transmit()).next_hop, 0, "and forgets the way");
    let mut floods = node(&[("next_hops", Value::Switch(false))]);
    floods.learn();
    floods.transmit_all();
    floods.send(TO_FAR, 1);
    assert_eq!(header(&floods.transmit()).next_hop, 0);
}

/// `NEXTHOP_EARLY_FLOOD_ON_UNVERIFIED`, and the record of a route, which outlives its next hop.
#[test]
fn a_route_that_has_failed_may_be_given_up_one_attempt_earlier() {
    for (early, second) in [(false, 30), (true, 0)] {
        let mut bench = node(&[("early_flood", Value::Switch(early))]);
        bench.learn();
        bench.transmit_all();
        let mut hops = |number| {
            bench.send(TO_FAR, number);
            let first = header(&bench.transmit()).next_hop;
            bench.0.time_out();
            let second = header(&bench.transmit()).next_hop;
            bench.0.time_out();
            let last = header(&bench.transmit()).next_hop;
            bench.0.time_out();
            // An acknowledgment for another node shows the same next hop again.
            let flow = FlowId::between(SOURCE, FAR);
            bench.hear(copy(flow, 50 + number, 3, SOURCE));
            bench.transmit_all();
            bench.hear(copy(flow, 50 + number, 1, OTHER));
            bench.hear(acknowledgment(flow, 50 + number, 2, OTHER));
            bench.transmit_all();
            [first, second, last]
        };
        assert_eq!(hops(1), [30, 30, 0], "the route has served");
        assert_eq!(hops(2), [30, second, 0], "a message has failed since");
        assert_eq!(hops(3), [30, second, 0]);
        assert_eq!(hops(4), [0, 0, 0], "three have");
    }
}

/// Rule 15: only the addressed node relays.
#[test]
fn only_the_named_node_relays_a_directed_packet() {
    let flow = FlowId::between(SOURCE, FAR);
    for (named, relays) in [(ME, true), (OTHER, false)] {
        let mut bench = node(&[]);
        let mut packet = copy(flow, 7, 3, SOURCE);
        let directed =
            Header { next_hop: named.0 as u8, ..Header::of(&packet).expect("it has one") };
        directed.write(&mut packet);
        bench.hear(packet);
        assert_eq!(bench.transmit_all().len(), usize::from(relays));
    }
}

/// Rule 16.
#[test]
fn an_acknowledgment_that_is_overheard_cancels_the_relay_of_its_message() {
    let mut bench = node(&[]);
    let flow = FlowId::between(SOURCE, FAR);
    bench.hear(copy(flow, 7, 3, SOURCE));
    let request = bench.poll();
    bench.hear(acknowledgment(flow, 7, 3, FAR));
    assert_eq!(bench.0.withdrawals(), 1);
    bench.0.done(request, Outcome::Withdrawn);
    assert_eq!(bench.0.dropped(), [(&SUPPRESSED).into()]);
    assert_eq!(bench.transmit_all(), [1_007], "the acknowledgment goes on");
}

/// Rule 18: 25 and 40 % of the last minute.
#[test]
fn periodic_messages_are_skipped_while_the_channel_is_busy() {
    let cases = [(14, [true, true, true]), (16, [true, true, false]), (25, [true, false, false])];
    for (seconds, sent) in cases {
        let mut bench = node(&[]);
        bench.0.cx.air = AirTime { receiving: in_millis(1_000 * seconds), ..AirTime::default() };
        let classes = [TrafficClass::Text, TrafficClass::Announcement, TrafficClass::Report];
        for (class, sent) in classes.into_iter().zip(sent) {
            bench.send(MINE.of_class(class), 0);
            let dropped = bench.0.dropped();
            assert_eq!(dropped.is_empty(), sent, "{class:?} at {seconds} s");
            assert!(sent || dropped == [(&SKIPPED).into()]);
        }
    }
}

/// Rule 18: relays neither.
#[test]
fn a_node_that_has_spent_its_duty_cycle_sends_nothing() {
    let mut bench = node(&[("duty_cycle", Value::Number(0.01))]);
    bench.0.cx.air = AirTime { sending: in_millis(36_000), ..AirTime::default() };
    bench.hear(copy(EVERYONE, 7, 3, SOURCE));
    assert_eq!(bench.0.dropped(), [(&DUTY_CYCLE).into()]);
    assert_eq!(bench.0.poll(), None);
}

/// Section 5: dropped when more than one copy was heard, a router when more than two were.
/// Rule 8.
/// Rule 11.
/// A copy too many is heard when the MAC has the relay already: it comes back when the MAC lets it, and the next one waits.
/// All nodes share a list: a source does not repeat what a relay has heard again, unless that relay has dropped it since.
/// Section 5: four attempts, first come first served, the signal of the last copy.
/// Whatever a header says, a node does not panic, and remembers no more than its tables have room for.
#[test]
fn forged_headers_are_read_or_refused() {
    let mut bench = node(&[]);
    for byte in 0..=255_u8 {
        for at in 0..7 {
            let mut bytes = [byte; 7];
            bytes[at] = !byte;
            let mut packet = copy(FlowId::between(NodeId(u32::from(byte)), ME), 1, 3, SOURCE);
            packet.headers.set(multihop_schemes::meshtastic::MESHTASTIC, &bytes);
            packet.ttl = byte;
            bench.hear(packet);
        }
    }
    assert!(bench.0.hop.footprint() < 200 + 100 + 33, "{}", bench.0.hop.footprint());
    let bare = Packet::new(EVERYONE, Payload::Virtual(9), Tag::default());
    assert_eq!(bench.hear(bare), Verdict::Done);
    assert!(bench.0.traced(EventKind::Malformed));
    let mut short = acknowledgment(TO_FAR, 1, 3, FAR);
    short.headers.set(ROUTING, &[1, 2]);
    assert_eq!(bench.hear(short), Verdict::Done);
    assert!(bench.0.traced(EventKind::Malformed));
}

/// Issue 10687: mobile clients relay behind those at good places.
#[test]
fn a_client_waits_so_many_slots_more_than_others_before_it_relays() {
    let offset = ("relay_offset", Value::Count(300));
    for (name, first) in [("client", 316), ("client_base", 16), ("router", 0), ("router_late", 16)]
    {
        let mut bench = node(&[role(name), offset.clone()]);
        bench.hear_at(copy(EVERYONE, 7, 3, SOURCE), -20.0);
        let window = bench.poll().contention.expect("it asks for one");
        assert_eq!(window.first, first, "{name}");
    }
}

/// Hop scaling: an hour of congestion among 60 neighbours.
#[test]
fn hop_scaling_shortens_announcements_and_reports_and_no_texts() {
    let mut bench = node(&[("hop_scaling", Value::Choice(2))]);
    for neighbour in 0..60 {
        let from = NodeId(100 + neighbour);
        bench.hear(copy(FlowId::between(from, NodeId::BROADCAST), 1, 3, from));
    }
    bench.transmit_all();
    for _ in 0..14 {
        bench.0.cx.air.receiving += in_millis(100_000);
        bench.0.time_out();
    }
    bench.0.cx.air = AirTime::default();
    bench.0.wait(in_millis(100_000));
    for (class, hops) in
        [(TrafficClass::Text, 3), (TrafficClass::Announcement, 0), (TrafficClass::Report, 0)]
    {
        bench.send(MINE.of_class(class), 1);
        let sent = header(&bench.transmit());
        assert_eq!((sent.hop_limit, sent.hop_start), (hops, hops), "{class:?}");
    }
}

/// Custody: the second text waits until the first was relayed twice, and for three mean relays.
#[test]
fn with_custody_a_text_waits_for_the_flood_before_it() {
    let mut bench = node(&[("flood_custody", Value::Switch(true))]);
    bench.send(MINE, 1);
    let first = header(&bench.transmit());
    bench.send(MINE, 2);
    assert!(bench.0.poll().is_none() && bench.0.hop.backlog() == 2);
    bench.hear(copy(MINE, first.id, 2, OTHER));
    bench.hear(copy(MINE, first.id, 1, FAR));
    bench.0.time_out();
    assert_eq!(header(&bench.transmit()).id, first.id + 1);
    let mut stock = node(&[]);
    (1..3).for_each(|number| stock.send(MINE, number));
    assert_eq!(stock.transmit_all().len(), 2);
}

/// Custody: a report waits behind a text, and while all that is heard are duplicates.
#[test]
fn with_custody_a_report_waits_for_a_calm_channel() {
    let mut bench = node(&[("flood_custody", Value::Switch(true)), role("client_mute")]);
    bench.send(MINE.of_class(TrafficClass::Report), 1);
    assert!(bench.0.poll().is_some(), "nothing was heard yet");
    let mut bench = node(&[("flood_custody", Value::Switch(true)), role("client_mute")]);
    for _ in 0..9 {
        let packet = copy(EVERYONE, 7, 2, OTHER);
        bench
            .0
            .hear(&Rx { air_time: in_millis(500), ..heard(NodeId(1), Heard::Broadcast, packet) });
    }
    bench.send(MINE.of_class(TrafficClass::Report), 1);
    assert!(bench.0.poll().is_none());
    while bench.0.poll().is_none() {
        bench.0.time_out();
    }
    assert!(bench.0.now >= Time::ZERO + in_millis(60_000), "a minute later they are forgotten");
}
