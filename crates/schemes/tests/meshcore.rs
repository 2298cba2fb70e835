//! The rules of the MeshCore firmware, each by itself: one node, and frames that it hears. Rules have the numbers of the
//! table in `meshcore/mod.rs`.

use multihop_core::{
    Bytes, DropCause, Duration, EventKind, FlowId, Heard, Hop, HopStep, NodeId, Outcome, Packet,
    Params, Payload, Purpose, Rate, Rng, Rx, SignalStrength, Tag, Time, TrafficClass, TxRequest,
    Value, Verdict,
};
use multihop_schemes::meshcore::words::{
    ADVERT_TOO_LONG, FLOOD_DENIED, FLOOD_LIMITED, LOOP_DETECTED, PATH_LEARNED, POOL_EMPTY,
};
use multihop_schemes::meshcore::{Header, Key, Kind, MESHCORE, Path, RETURN, Return, SCHEME};
use multihop_testkit::{HopDesk, heard};

const SOURCE: NodeId = NodeId(10);
const ME: NodeId = NodeId(20);
const OTHER: NodeId = NodeId(30);
const FAR: NodeId = NodeId(40);
const EVERYONE: FlowId = FlowId::between(SOURCE, NodeId::BROADCAST);
const MINE: FlowId = FlowId::between(ME, NodeId::BROADCAST);
const TO_FAR: FlowId = FlowId::between(ME, FAR);

/// What the keys of nodes are drawn from.
const KEYS: u64 = 1;

struct Bench(HopDesk<dyn Hop>);

fn node(given: &[(&str, Value)]) -> Bench {
    let given = given.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
    let params = Params::new(&SCHEME, &given.collect::<Vec<_>>(), Rate(1_000));
    Bench(HopDesk::new(ME, (SCHEME.hop)(&params.expect("they are valid"))))
}

const COMPANION: (&str, Value) = ("role", Value::Choice(1));
const AT_ONCE: (&str, Value) = ("txdelay", Value::Number(0.0));

/// A path over these nodes, with hashes of so many bytes.
fn path(size: u8, nodes: &[NodeId]) -> Path {
    nodes.iter().fold(Path::empty(size), |path, node| {
        path.with(&Key::of(*node, KEYS)).expect("there is room")
    })
}

fn flood(kind: Kind, id: u32, path: Path) -> Header {
    Header { kind, direct: false, scoped: false, attempt: 0, id, path, zeros: 7 }
}

fn direct(kind: Kind, id: u32, path: Path) -> Header {
    Header { direct: true, ..flood(kind, id, path) }
}

/// A packet of `flow` with this header.
fn copy(flow: FlowId, header: Header) -> Packet {
    let mut packet = Packet::new(flow, Payload::Virtual(40), Tag { source: 0, number: header.id });
    if matches!(header.kind, Kind::Ack | Kind::Path) {
        (packet.payload, packet.tag) = (Payload::Virtual(0), packet.tag.control());
    }
    header.write(&mut packet);
    packet
}

/// A returned path.
fn returned(flow: FlowId, header: Header, said: Return) -> Packet {
    let mut packet = copy(flow, header);
    let (id, attempt) = said.acknowledges.unwrap_or_default();
    let fixed = u32::from(said.acknowledges.is_some()) << 31
        | u32::from(said.path.size()) << 25
        | u32::from(said.path.hops()) << 19
        | u32::from(attempt) << 17
        | id;
    let body = [&fixed.to_be_bytes()[..], said.path.bytes()].concat();
    packet.headers.set(RETURN, &body);
    packet
}

fn header(request: &TxRequest) -> Header {
    Header::of(&request.packet).expect("every frame has one")
}

fn millis(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Bytes on the air.
fn on_air(request: &TxRequest) -> u32 {
    request.packet.len().0 - 20
}

impl Bench {
    fn hear(&mut self, packet: Packet) -> Verdict {
        self.0.hear(&heard(NodeId(1), Heard::Broadcast, packet))
    }

    /// The application sends packet `number` with so many bytes.
    fn send(&mut self, flow: FlowId, number: u32, bytes: u32) {
        let packet = Packet::new(flow, Payload::Virtual(bytes), Tag { source: 0, number });
        self.0.enqueue(packet, NodeId::BROADCAST);
    }

    /// The next frame is on the air, after as long as it waits.
    fn transmit(&mut self) -> TxRequest {
        let request = loop {
            if let Some(request) = self.0.poll() {
                break request;
            }
            assert!(self.0.hop.deadline() < Time::NEVER, "a frame waits");
            self.0.time_out();
        };
        self.0.done(request.clone(), Outcome::Sent);
        request
    }

    /// How long the next frame waits.
    fn wait(&self) -> Duration {
        self.0.hop.deadline().since(self.0.now)
    }

    fn is_silent(&mut self) -> bool {
        self.0.poll().is_none() && self.0.hop.deadline() == Time::NEVER
    }

    /// This node knows that it reaches `FAR` over `OTHER`.
    fn learn(&mut self) {
        let said = Return { acknowledges: None, path: path(1, &[OTHER]) };
        let header = direct(Kind::Path, 900, Path::empty(1));
        self.hear(returned(TO_FAR.reverse(), header, said));
        assert!(self.0.traced(EventKind::from(&PATH_LEARNED)));
    }
}

/// Rule 1.
#[test]
fn a_repeater_relays_a_flood_once_with_its_hash_behind_the_path() {
    let mut bench = node(&[]);
    let came = path(1, &[OTHER]);
    assert_eq!(bench.hear(copy(EVERYONE, flood(Kind::Channel, 7, came))), Verdict::Deliver);
    let relayed = header(&bench.transmit());
    assert_eq!((relayed.id, relayed.path), (7, path(1, &[OTHER, ME])));
    assert_eq!(relayed.zeros, 7, "what else it says stays");
    assert_eq!(bench.hear(copy(EVERYONE, flood(Kind::Channel, 7, came))), Verdict::Done);
    assert!(bench.0.traced(EventKind::DuplicateIgnored) && bench.is_silent());
    let mut companion = node(&[COMPANION]);
    assert_eq!(companion.hear(copy(EVERYONE, flood(Kind::Channel, 7, came))), Verdict::Deliver);
    assert!(companion.is_silent(), "a companion relays nothing");
}

/// Rule 1: a ring of 160.
#[test]
fn a_repeater_forgets_a_flood_after_160_others() {
    let mut bench = node(&[AT_ONCE]);
    for id in (0..161).chain([0]) {
        bench.hear(copy(EVERYONE, flood(Kind::Channel, id, Path::empty(1))));
        assert_eq!(header(&bench.transmit()).id, id);
    }
}

/// Rule 2.
#[test]
fn floods_end_at_their_limits_of_hops() {
    let limits = [("flood_max", 3), ("flood_max_unscoped", 2), ("flood_max_advert", 1)];
    let given = limits.map(|(name, most)| (name, Value::Count(most)));
    for (kind, scoped, most) in
        [(Kind::Channel, true, 3), (Kind::Channel, false, 2), (Kind::Advert, false, 1)]
    {
        for hops in 0..4 {
            let mut bench = node(&given);
            let came = path(1, &[OTHER, FAR, SOURCE, NodeId(50)][..hops]);
            bench.hear(copy(EVERYONE, Header { scoped, ..flood(kind, 1, came) }));
            assert_eq!(bench.0.hop.backlog(), usize::from(hops < most), "{kind:?} {hops}");
            assert_eq!(bench.0.traced(EventKind::from(&FLOOD_LIMITED)), hops >= most);
        }
    }
}

/// `MyMesh.cpp`, `allowPacketForward`.
#[test]
fn a_repeater_relays_floods_of_regions_that_it_serves() {
    for (knows_region, relays_unscoped) in [(true, true), (true, false), (false, true)] {
        let given = [
            ("knows_region", Value::Switch(knows_region)),
            ("relays_unscoped", Value::Switch(relays_unscoped)),
        ];
        for (scoped, relayed) in [(true, knows_region), (false, relays_unscoped)] {
            let mut bench = node(&given);
            let header = Header { scoped, ..flood(Kind::Channel, 1, path(1, &[OTHER])) };
            assert_eq!(bench.hear(copy(EVERYONE, header)), Verdict::Deliver, "it reads all");
            assert_eq!(bench.0.hop.backlog(), usize::from(relayed));
            assert_eq!(bench.0.traced(EventKind::from(&FLOOD_DENIED)), !relayed);
        }
    }
}

/// Rule 2: a path has 64 B.
#[test]
fn a_path_without_room_ends_a_flood() {
    let many: Vec<NodeId> = (100..163).map(NodeId).collect();
    for (size, most) in [(1, 63), (2, 32), (3, 21)] {
        for (hops, kept) in [(most - 1, 1), (most, 0)] {
            let mut bench = node(&[("loop_detect", Value::Choice(3))]);
            bench.hear(copy(EVERYONE, flood(Kind::Channel, 1, path(size, &many[..hops]))));
            assert_eq!(bench.0.hop.backlog(), kept, "{size} {hops}");
        }
    }
}

/// Rule 2: minimal, moderate, strict, off.
#[test]
fn a_repeater_that_stands_in_the_path_too_often_does_not_relay() {
    for (choice, most) in [(0, [4, 2, 1]), (1, [2, 1, 1]), (2, [1, 1, 1])] {
        for size in 1..=3 {
            let most = most[usize::from(size) - 1];
            for (times, kept) in [(most - 1, 1), (most, 0)] {
                let mut bench = node(&[("loop_detect", Value::Choice(choice))]);
                bench.hear(copy(EVERYONE, flood(Kind::Channel, 1, path(size, &vec![ME; times]))));
                assert_eq!(bench.0.hop.backlog(), kept, "{choice} {size} {times}");
                assert_eq!(bench.0.traced(EventKind::from(&LOOP_DETECTED)), kept == 0);
            }
        }
    }
    let mut bench = node(&[("loop_detect", Value::Choice(3))]);
    bench.hear(copy(EVERYONE, flood(Kind::Channel, 1, path(1, &[ME; 30]))));
    assert_eq!(bench.0.hop.backlog(), 1);
}

/// Rule 3: 0 to 5 t, t the whole ms of half the air time; of an advert with its path 0.3 of it.
#[test]
fn a_relay_waits_for_whole_ms_up_to_five_times_its_part_of_the_air_time() {
    let mut longest = Duration::ZERO;
    for id in 0..400 {
        let mut bench = node(&[]);
        bench.0.cx.rng = Rng::stream(id.into(), ME, Purpose::Protocol);
        bench.hear(copy(EVERYONE, flood(Kind::Channel, id, Path::empty(1))));
        let wait = if bench.0.hop.deadline() < Time::NEVER { bench.wait() } else { millis(0) };
        assert_eq!(wait.nanos() % 1_000_000, 0);
        longest = longest.max(wait);
        // network header 20 B, prefix 2, fields 4, path 1, zeros 7, data 40, at 1 kbit/s
        let air_time = Rate(1_000).air_time(Bytes(74));
        assert!(wait <= air_time.scaled(2.5), "{wait}");
    }
    assert!(longest > millis(5 * 296 * 9 / 10), "{longest}");
}

/// Rule 4: a flood is held for (b^(0.85 - score) - 1) air times; score = (SNR - least) / 10 (1 - len / 256).
#[test]
fn a_weak_flood_is_held_so_that_a_stronger_copy_comes_first() {
    let hear = |bench: &mut Bench, snr: f64, header: Header| {
        let signal = Some(SignalStrength::from_dbw(-120.0 + snr - 30.0));
        let packet = copy(EVERYONE, header);
        bench.0.hear(&Rx { signal, ..heard(NodeId(1), Heard::Broadcast, packet) })
    };
    let held = [("rxdelay", Value::Number(3.0)), AT_ONCE];
    let weak = flood(Kind::Channel, 1, path(1, &[OTHER]));
    let mut bench = node(&held);
    assert_eq!(hear(&mut bench, -10.0, weak), Verdict::Done, "score 0");
    // 74 B at 1 kbit/s: 592 ms, times 3^0.85 - 1
    let expected = (3_f64.powf(0.85) - 1.0) * 592.0;
    assert_eq!(bench.wait(), millis(expected as u64));
    let strong = flood(Kind::Channel, 1, path(1, &[FAR]));
    assert_eq!(hear(&mut bench, 10.0, strong), Verdict::Deliver, "score 1");
    assert_eq!(header(&bench.transmit()).path, path(1, &[FAR, ME]));
    bench.0.time_out();
    assert!(bench.0.traced(EventKind::DuplicateIgnored) && bench.is_silent());
    let mut alone = node(&held);
    hear(&mut alone, -10.0, weak);
    alone.0.time_out();
    assert!(
        matches!(alone.0.call(Hop::poll), Some(HopStep::Arrive(_, NodeId(1)))),
        "it arrives late"
    );
    assert_eq!(header(&alone.transmit()).path, path(1, &[OTHER, ME]));
    let mut off = node(&[]);
    assert_eq!(hear(&mut off, -10.0, weak), Verdict::Deliver);
}

/// Rule 6: among those that are due the smallest number.
#[test]
fn what_follows_a_path_goes_before_floods_and_near_floods_before_far_ones() {
    let mut bench = node(&[AT_ONCE, ("direct_txdelay", Value::Number(0.0))]);
    bench.send(MINE.of_class(TrafficClass::Announcement), 0, 20);
    let far = path(1, &[OTHER, FAR, SOURCE]);
    bench.hear(copy(EVERYONE, flood(Kind::Channel, 1, far)));
    bench.hear(copy(EVERYONE, flood(Kind::Channel, 2, path(1, &[OTHER]))));
    let flow = FlowId::between(SOURCE, FAR);
    bench.hear(copy(flow, direct(Kind::Text, 3, path(1, &[ME]))));
    bench.send(MINE, 1, 40);
    let order: Vec<_> = (0..5).map(|_| header(&bench.transmit())).collect();
    let said = |header: &Header| (header.kind, header.path.hops());
    let expected = [
        (Kind::Text, 0),
        (Kind::Channel, 0),
        (Kind::Channel, 2),
        (Kind::Advert, 0),
        (Kind::Channel, 4),
    ];
    assert_eq!(order.iter().map(said).collect::<Vec<_>>(), expected);
}

/// Rule 6, of a frame that the MAC has.
#[test]
fn a_frame_that_the_mac_has_gives_way() {
    let mut bench = node(&[AT_ONCE]);
    bench.hear(copy(EVERYONE, flood(Kind::Channel, 2, path(1, &[OTHER]))));
    let relay = bench.0.poll().expect("it waits");
    bench.send(MINE, 1, 40);
    assert_eq!(bench.0.withdrawals(), 1);
    bench.send(MINE, 2, 40);
    assert_eq!(bench.0.withdrawals(), 0, "it was asked for");
    bench.0.done(relay, Outcome::Withdrawn);
    let hops = [0; 3].map(|_| header(&bench.transmit()).path.hops());
    assert_eq!(hops, [0, 0, 2]);
}

/// Rule 6: 32 packets, 16 at a companion.
#[test]
fn a_node_has_so_many_packets() {
    for (given, most) in [(vec![], 32), (vec![COMPANION], 16)] {
        let mut bench = node(&given);
        for number in 0..=most {
            bench.send(MINE, number, 40);
        }
        assert_eq!(bench.0.dropped(), [DropCause::QueueFull]);
        assert_eq!(bench.0.hop.backlog(), most as usize);
        let received = bench.hear(copy(EVERYONE, flood(Kind::Channel, 1, Path::empty(1))));
        assert_eq!(received, Verdict::Done, "no packet is left to receive it");
        assert!(bench.0.traced(EventKind::from(&POOL_EMPTY)));
    }
}

/// Rule 8: it floods; 500 ms and 16 air times; the acknowledgment comes with the path; the answer follows that.
#[test]
fn a_text_without_a_path_is_flooded_and_the_path_that_comes_back_is_answered() {
    let mut bench = node(&[("attempts", Value::Count(2))]);
    bench.send(TO_FAR, 0, 40);
    let sent = bench.transmit();
    let text = header(&sent);
    assert_eq!((text.kind, text.direct, text.path.hops()), (Kind::Text, false, 0));
    // 2 B, two hashes, a code of 2 B, and 45 B in blocks of 16
    assert_eq!(on_air(&sent), 2 + 2 + 2 + 48);
    // with the network header of 20 B, at 1 kbit/s
    assert_eq!(bench.wait(), millis(500 + 16 * 592));
    let said = Return { acknowledges: Some((text.id, 0)), path: path(1, &[OTHER, SOURCE]) };
    let came = path(1, &[SOURCE, OTHER]);
    bench.hear(returned(TO_FAR.reverse(), flood(Kind::Path, 5, came), said));
    assert!(bench.0.traced(EventKind::ExplicitAcknowledgment));
    assert_eq!(bench.wait(), millis(500));
    let answer = bench.transmit();
    let reciprocal = header(&answer);
    assert_eq!((reciprocal.kind, reciprocal.direct), (Kind::Path, true));
    assert_eq!(reciprocal.path, said.path);
    assert_eq!(Return::of(&answer.packet), Ok(Return { acknowledges: None, path: came }));
    // 2 B, the path, two hashes, a code of 2 B, and 1 + 2 + 1 + 4 B in a block
    assert_eq!(on_air(&answer), 2 + 2 + 2 + 2 + 16);
    assert!(bench.is_silent() && bench.0.hop.backlog() == 0);
    bench.send(TO_FAR, 1, 40);
    let next = header(&bench.transmit());
    assert_eq!((next.direct, next.path), (true, said.path));
    // 500 + (6 T + 250) (2 + 1)
    assert_eq!(bench.wait(), millis(500 + (6 * 592 + 250) * 3));
}

/// Rule 8: the receiver floods the path with the acknowledgment inside, 200 ms later.
#[test]
fn a_text_that_was_flooded_is_answered_with_its_path() {
    let mut bench = node(&[]);
    let flow = FlowId::between(FAR, ME);
    let came = path(1, &[OTHER, SOURCE]);
    assert_eq!(bench.hear(copy(flow, flood(Kind::Text, 7, came))), Verdict::Deliver);
    assert_eq!(bench.wait(), millis(200));
    let answer = bench.transmit();
    assert_eq!((header(&answer).direct, header(&answer).path.hops()), (false, 0));
    let said = Return { acknowledges: Some((7, 0)), path: came };
    assert_eq!(Return::of(&answer.packet), Ok(said));
    assert!(bench.is_silent(), "who a text is for does not relay it");
    let again = Header { attempt: 1, ..flood(Kind::Text, 7, came) };
    assert_eq!(bench.hear(copy(flow, again)), Verdict::Done, "it is delivered once");
    let answer = bench.transmit();
    let said = Return { acknowledges: Some((7, 1)), path: came };
    assert_eq!(Return::of(&answer.packet), Ok(said), "and acknowledged again");
}

/// Rule 8: the acknowledgment goes along the path, or is flooded where that is not known.
#[test]
fn a_text_that_came_along_a_path_is_acknowledged_along_one() {
    let flow = FlowId::between(FAR, ME);
    for (knows, size) in [(true, 2 + 1 + 6), (false, 2 + 6)] {
        let mut bench = node(&[]);
        if knows {
            bench.learn();
        }
        bench.hear(copy(flow, direct(Kind::Text, 7, Path::empty(1))));
        assert_eq!(bench.wait(), millis(200));
        let sent = bench.transmit();
        let ack = header(&sent);
        assert_eq!((ack.kind, ack.id, ack.direct), (Kind::Ack, 7, knows));
        assert_eq!(ack.path, path(1, if knows { &[OTHER] } else { &[] }));
        assert_eq!(on_air(&sent), size);
    }
}

/// Rule 8: each repeater strips itself; an acknowledgment does not wait.
#[test]
fn only_the_first_of_a_path_sends_on_what_follows_it() {
    let flow = FlowId::between(SOURCE, FAR);
    for (kind, waits) in [(Kind::Text, true), (Kind::Ack, false)] {
        let mut bench = node(&[]);
        bench.0.cx.rng = Rng::stream(5, ME, Purpose::Protocol);
        let packet = copy(flow, direct(kind, 7, path(1, &[ME, OTHER])));
        assert_eq!(bench.hear(packet.clone()), Verdict::Done);
        assert_eq!(bench.0.hop.deadline() < Time::NEVER, waits);
        let relayed = header(&bench.transmit());
        assert_eq!((relayed.direct, relayed.path), (true, path(1, &[OTHER])));
        bench.hear(packet);
        assert!(bench.is_silent(), "once");
        bench.hear(copy(flow, direct(kind, 8, path(1, &[OTHER, ME]))));
        assert!(bench.is_silent(), "it is not its turn");
        let mut companion = node(&[COMPANION]);
        companion.hear(copy(flow, direct(kind, 7, path(1, &[ME]))));
        assert!(companion.is_silent());
    }
}

/// Rule 8: an acknowledgment counts where it is overheard on its way.
#[test]
fn an_acknowledgment_counts_before_it_has_come_to_its_end() {
    let mut bench = node(&[COMPANION]);
    bench.learn();
    bench.send(TO_FAR, 0, 40);
    let id = header(&bench.transmit()).id;
    bench.hear(copy(TO_FAR.reverse(), direct(Kind::Ack, id, path(1, &[OTHER]))));
    assert!(bench.0.traced(EventKind::ExplicitAcknowledgment));
    bench.hear(copy(TO_FAR.reverse(), direct(Kind::Ack, id, Path::empty(1))));
    assert!(!bench.0.traced(EventKind::ExplicitAcknowledgment), "once");
}

/// A flooded acknowledgment from a contact whose path is known: its own path goes to it, 3 s later.
#[test]
fn a_contact_that_floods_its_acknowledgment_is_told_its_path() {
    let mut bench = node(&[COMPANION]);
    bench.learn();
    bench.send(TO_FAR, 0, 40);
    let id = header(&bench.transmit()).id;
    let came = path(1, &[SOURCE]);
    bench.hear(copy(TO_FAR.reverse(), flood(Kind::Ack, id, came)));
    assert_eq!(bench.wait(), millis(3_000));
    let told = bench.transmit();
    assert_eq!((header(&told).direct, header(&told).path), (true, path(1, &[OTHER])));
    assert_eq!(Return::of(&told.packet), Ok(Return { acknowledges: None, path: came }));
}

/// Rule 8: the app repeats, and floods in the end.
#[test]
fn a_text_is_repeated_and_flooded_in_the_end() {
    let mut bench = node(&[("attempts", Value::Count(4))]);
    bench.learn();
    bench.send(TO_FAR, 0, 40);
    let first = header(&bench.transmit());
    for attempt in 1..4 {
        bench.0.time_out();
        assert!(bench.0.traced(EventKind::Retransmission));
        let again = header(&bench.transmit());
        assert_eq!((again.id, again.attempt, again.direct), (first.id, attempt, attempt < 2));
    }
    bench.0.time_out();
    assert_eq!(bench.0.dropped(), [DropCause::RetriesSpent]);
    assert!(bench.is_silent() && bench.0.hop.backlog() == 0);
    let said = Return { acknowledges: Some((first.id, 2)), path: path(1, &[OTHER]) };
    bench.hear(returned(TO_FAR.reverse(), direct(Kind::Path, 5, Path::empty(1)), said));
    assert!(bench.0.traced(EventKind::ExplicitAcknowledgment), "late, and yet it counts");
}

/// Eight texts are awaited at most.
#[test]
fn the_ninth_text_takes_the_place_of_the_first() {
    let mut bench = node(&[("attempts", Value::Count(2))]);
    for number in 0..9 {
        bench.send(TO_FAR, number, 40);
    }
    assert_eq!(bench.0.dropped(), [DropCause::RetriesSpent]);
}

/// Rule 9: 100 B and what name and place take.
#[test]
fn adverts_are_flooded_or_go_to_neighbours() {
    let mine = MINE.of_class(TrafficClass::Announcement);
    for (every, flooded) in
        [(1, [true, true, true]), (2, [true, false, true]), (0, [false, false, false])]
    {
        let mut bench = node(&[("flood_adverts", Value::Count(every))]);
        let sent = [0, 1, 2].map(|number| {
            bench.send(mine, number, 20);
            let request = bench.transmit();
            assert_eq!((header(&request).kind, on_air(&request)), (Kind::Advert, 122));
            !header(&request).direct
        });
        assert_eq!(sent, flooded);
    }
    let mut bench = node(&[]);
    bench.send(mine, 0, 33);
    assert_eq!(bench.0.dropped(), [(&ADVERT_TOO_LONG).into()]);
    let zero_hop = direct(Kind::Advert, 1, Path::empty(1));
    assert_eq!(bench.hear(copy(EVERYONE, zero_hop)), Verdict::Deliver);
    assert!(bench.is_silent(), "neighbours do not relay it");
}

/// Bytes on the air: 1 B of channel, a code of 2 B, and time, name and text in blocks of 16.
#[test]
fn a_text_to_everyone_is_as_long_as_the_firmware_s() {
    for (name, bytes, expected) in [(1, 40, 53), (2, 40, 69), (8, 33, 53), (8, 34, 69)] {
        let mut bench = node(&[("sender_name", Value::Size(Bytes(name)))]);
        bench.send(MINE, 0, bytes);
        assert_eq!(on_air(&bench.transmit()), expected, "{name} {bytes}");
    }
    let mut scoped = node(&[("scoped", Value::Switch(true)), ("path_hash", Value::Count(3))]);
    scoped.send(MINE, 0, 40);
    let sent = scoped.transmit();
    assert_eq!((on_air(&sent), header(&sent).path.size()), (73, 3));
}

/// Whatever a header says, a node does not panic, and remembers no more than its tables have room for.
#[test]
fn forged_headers_are_read_or_refused() {
    let mut bench = node(&[]);
    for byte in 0..=255_u8 {
        for at in 0..8 {
            let mut bytes = vec![byte; 4 + usize::from(byte)];
            bytes.truncate(200);
            bytes[at.min(3)] = !byte;
            let flow = FlowId::between(NodeId(u32::from(byte)), ME);
            let mut packet = copy(flow, flood(Kind::Text, 1, Path::empty(1)));
            packet.headers.set(MESHCORE, &bytes);
            packet.headers.set(RETURN, &bytes);
            packet.ttl = byte;
            bench.hear(packet.clone());
            packet.payload = Payload::Virtual(0);
            bench.hear(packet);
        }
    }
    assert!(bench.0.hop.footprint() <= 160 + 160 + 350 + 32 + 8, "{}", bench.0.hop.footprint());
    let bare = Packet::new(EVERYONE, Payload::Virtual(9), Tag::default());
    assert_eq!(bench.hear(bare), Verdict::Done);
    assert!(bench.0.traced(EventKind::Malformed));
    let empty = returned(
        TO_FAR.reverse(),
        flood(Kind::Path, 1, Path::empty(1)),
        Return { acknowledges: None, path: Path::empty(1) },
    );
    let mut short = empty;
    short.headers.set(RETURN, &[1, 2]);
    assert_eq!(bench.hear(short), Verdict::Done);
    assert!(bench.0.traced(EventKind::Malformed));
}
