//! What developers of MeshCore propose, each rule by itself: one repeater, and frames that it hears.

use multihop_core::{
    Duration, EventKind, FlowId, Heard, Hop, NodeId, Outcome, Packet, Params, Payload, Rate, Rx,
    SignalStrength, Tag, Time, TrafficClass, TxRequest, Value, Verdict,
};
use multihop_schemes::meshcore::words::{FLOOD_LIMITED, RELAY_NEEDLESS, RELAY_REFUSED};
use multihop_schemes::meshcore::{Header, Key, Kind, Path, SCHEME};
use multihop_testkit::{HopDesk, heard};

const SOURCE: NodeId = NodeId(10);
const ME: NodeId = NodeId(20);
const OTHER: NodeId = NodeId(30);
const FAR: NodeId = NodeId(40);
const EVERYONE: FlowId = FlowId::between(SOURCE, NodeId::BROADCAST);
const PASSING: FlowId = FlowId::between(SOURCE, FAR);

/// Noise of 62.5 kHz, as the scheme's default has it.
const NOISE_DBM: f64 = -120.0;
const AT_ONCE: [(&str, Value); 2] =
    [("txdelay", Value::Number(0.0)), ("direct_txdelay", Value::Number(0.0))];

struct Bench(HopDesk<dyn Hop>);

fn node(given: &[(&str, Value)]) -> Bench {
    let given = AT_ONCE.iter().chain(given);
    let given = given.map(|(key, value)| ((*key).to_owned(), value.clone())).collect::<Vec<_>>();
    let params = Params::new(&SCHEME, &given, Rate(1_000)).expect("they are valid");
    Bench(HopDesk::new(ME, (SCHEME.hop)(&params)))
}

fn path(nodes: &[NodeId]) -> Path {
    nodes
        .iter()
        .fold(Path::empty(1), |path, node| path.with(&Key::of(*node, 1)).expect("there is room"))
}

fn packet(flow: FlowId, kind: Kind, (direct, id): (bool, u32), path: Path) -> Packet {
    let header = Header { kind, direct, scoped: false, attempt: 0, id, path, zeros: 7 };
    let mut packet = Packet::new(flow, Payload::Virtual(40), Tag { source: 0, number: id });
    header.write(&mut packet);
    packet
}

fn flood(id: u32, path: Path) -> Packet {
    packet(EVERYONE, Kind::Channel, (false, id), path)
}

fn along(id: u32, path: Path) -> Packet {
    packet(PASSING, Kind::Text, (true, id), path)
}

impl Bench {
    fn hear(&mut self, packet: Packet, snr: f64) -> Verdict {
        let signal = Some(SignalStrength::from_dbw(NOISE_DBM + snr - 30.0));
        self.0.hear(&Rx { signal, ..heard(NodeId(1), Heard::Broadcast, packet) })
    }

    /// The next frame is on the air for so long.
    fn transmit(&mut self, air_time: Duration) -> Option<TxRequest> {
        let request = self.0.poll()?;
        let mut done = self.0.report(request.clone(), Outcome::Sent);
        done.air_time = air_time;
        self.0.call(|hop, cx| hop.on_tx_done(cx, &done));
        Some(request)
    }

    fn sends(&mut self) -> bool {
        self.transmit(Duration::ZERO).is_some()
    }
}

fn redundancy(most: u32) -> Vec<(&'static str, Value)> {
    vec![("redundancy", Value::Count(most)), ("txdelay", Value::Number(2.0))]
}

/// A node whose relay waits: `txdelay` draws a wait above zero with this seed.
fn waiting(given: &[(&str, Value)]) -> Bench {
    let mut bench = node(given);
    bench.hear(flood(1, path(&[OTHER])), 5.0);
    assert!(bench.0.hop.backlog() == 1 && bench.0.hop.deadline() < Time::NEVER);
    bench
}

/// A copy from 9 dB on weighs 2, one below 0 dB nothing, and the first copy nothing.
#[test]
fn a_relay_is_given_up_once_overheard_copies_weigh_enough() {
    for (snrs, given_up) in [
        (&[5.0, 5.0][..], true),
        (&[9.5], true),
        (&[5.0], false),
        (&[-1.0, -1.0, -1.0, 5.0], false),
    ] {
        let mut bench = waiting(&redundancy(2));
        for (at, snr) in snrs.iter().enumerate() {
            bench.hear(flood(1, path(&[FAR, NodeId(50 + at as u32)])), *snr);
        }
        assert_eq!(bench.0.hop.backlog(), usize::from(!given_up), "{snrs:?}");
        let cause = [(&RELAY_NEEDLESS).into()];
        assert_eq!(bench.0.dropped(), if given_up { &cause[..] } else { &[] });
    }
    let mut stock = waiting(&[("txdelay", Value::Number(2.0))]);
    (0..9).for_each(|_| _ = stock.hear(flood(1, path(&[FAR])), 20.0));
    assert_eq!(stock.0.hop.backlog(), 1, "the firmware relays each flood");
}

#[test]
fn a_relay_that_the_mac_has_comes_back_and_is_given_up() {
    let mut bench = node(&[("redundancy", Value::Count(1))]);
    bench.hear(flood(1, path(&[OTHER])), 5.0);
    let relay = bench.0.poll().expect("it waits");
    bench.hear(flood(1, path(&[FAR])), 5.0);
    assert_eq!(bench.0.withdrawals(), 1);
    bench.0.done(relay, Outcome::Withdrawn);
    assert_eq!(bench.0.dropped(), [(&RELAY_NEEDLESS).into()]);
    assert!(!bench.sends());
}

#[test]
fn what_follows_a_path_and_own_floods_are_never_needless() {
    let mut bench = node(&[("redundancy", Value::Count(1))]);
    let mine = FlowId::between(ME, NodeId::BROADCAST);
    let own = Packet::new(mine, Payload::Virtual(40), Tag { source: 0, number: 1 });
    bench.0.enqueue(own, NodeId::BROADCAST);
    let sent = bench.transmit(Duration::ZERO).expect("it is sent");
    for _ in 0..3 {
        bench.hear(sent.packet.clone(), 20.0);
        bench.hear(along(7, path(&[ME, OTHER])), 20.0);
    }
    assert!(bench.sends() && bench.0.dropped().is_empty());
}

/// With one or two fresh neighbours a relay is kept in any case, with five two copies are enough.
#[test]
fn the_threshold_adapts_to_neighbours() {
    for (neighbours, kept) in [(0, false), (2, true), (3, true), (5, false)] {
        let adapts = [("redundancy_adapts", Value::Switch(true))];
        let mut bench = node(&[redundancy(2), adapts.into()].concat());
        for node in 0..neighbours {
            let said = FlowId::between(NodeId(60 + node), NodeId::BROADCAST);
            let said = said.of_class(TrafficClass::Announcement);
            bench.hear(packet(said, Kind::Advert, (true, node), path(&[])), 5.0);
        }
        bench.hear(flood(1, path(&[OTHER])), 5.0);
        (0..2).for_each(|_| _ = bench.hear(flood(1, path(&[FAR])), 5.0));
        assert_eq!(bench.0.hop.backlog() == 1, kept, "{neighbours}");
    }
}

/// 1500 ms, both air times of 600 ms, and the longest wait of the next relay, which is 0 here.
#[test]
fn what_follows_a_path_is_repeated_until_the_next_relay_is_heard() {
    let mut bench = node(&[("relay_attempts", Value::Count(3))]);
    bench.hear(along(7, path(&[ME, OTHER, SOURCE])), 5.0);
    assert!(bench.sends());
    let wait = bench.0.hop.deadline().since(bench.0.now);
    assert_eq!(wait, Duration::from_millis(1_500 + 2 * 600));
    bench.0.time_out();
    assert!(bench.0.traced(EventKind::Retransmission) && bench.sends());
    bench.hear(along(7, path(&[SOURCE])), 5.0);
    assert!(bench.0.traced(EventKind::ImplicitAcknowledgment));
    assert_eq!((bench.0.hop.backlog(), bench.0.hop.deadline()), (0, Time::NEVER));
    assert_eq!(bench.0.released(), [7], "the copy that was kept");
}

#[test]
fn a_relay_without_an_echo_is_sent_so_often_and_no_more() {
    let mut bench = node(&[("relay_attempts", Value::Count(3))]);
    bench.hear(along(7, path(&[ME, OTHER])), 5.0);
    bench.hear(along(7, path(&[ME, OTHER])), 5.0);
    let mut sent = u32::from(bench.sends());
    while bench.0.hop.deadline() < Time::NEVER {
        bench.0.time_out();
        sent += u32::from(bench.sends());
    }
    assert_eq!((sent, bench.0.hop.backlog()), (3, 0));
    assert!(bench.0.dropped().is_empty(), "others may have it");
    let mut last = node(&[("relay_attempts", Value::Count(3))]);
    last.hear(along(7, path(&[ME])), 5.0);
    assert!(last.sends() && last.0.hop.deadline() == Time::NEVER, "nobody relays behind it");
}

/// A frame that still waits for the medium is not sent twice, and an echo takes a repetition back.
#[test]
fn a_repetition_waits_for_the_frame_before_it_and_ends_with_the_echo() {
    let mut bench = node(&[("relay_attempts", Value::Count(2))]);
    bench.hear(along(7, path(&[ME, OTHER])), 5.0);
    let first = bench.0.poll().expect("it waits");
    bench.0.time_out();
    assert!(!bench.0.traced(EventKind::Retransmission));
    bench.0.done(first, Outcome::Sent);
    bench.0.time_out();
    let again = bench.0.poll().expect("it is repeated");
    bench.hear(along(7, path(&[])), 5.0);
    assert_eq!(bench.0.withdrawals(), 1);
    bench.0.done(again, Outcome::Withdrawn);
    assert!(bench.0.dropped().is_empty() && bench.0.hop.backlog() == 0);
}

/// 36 s of an hour are a hundredth.
#[test]
fn relays_have_their_share_of_an_hour_and_floods_theirs_of_it() {
    let second = Duration::from_millis(1_000);
    for (share, flood_only) in [("relay_share", false), ("flood_share", true)] {
        let mut bench = node(&[(share, Value::Number(0.01))]);
        bench.hear(flood(1, path(&[OTHER])), 5.0);
        assert!(bench.transmit(second * 36).is_some());
        bench.hear(flood(2, path(&[OTHER])), 5.0);
        assert!(bench.0.traced(EventKind::from(&RELAY_REFUSED)) && !bench.sends());
        bench.hear(along(3, path(&[ME, OTHER])), 5.0);
        assert_eq!(bench.sends(), flood_only, "{share}");
        bench.0.wait(second * 3_600);
        bench.hear(flood(4, path(&[OTHER])), 5.0);
        assert!(bench.sends(), "an hour has passed");
    }
}

/// Ten neighbours: 6.5, and up to 5 times as many air times of 600 ms.
#[test]
fn waits_grow_with_the_neighbours_whose_adverts_were_heard() {
    let longest = |neighbours: u32| {
        let mut longest = Duration::ZERO;
        let mut bench = node(&[("autotune", Value::Switch(true))]);
        for node in 0..neighbours {
            let said = FlowId::between(NodeId(60 + node), NodeId::BROADCAST);
            let said = said.of_class(TrafficClass::Announcement);
            bench.hear(packet(said, Kind::Advert, (true, node), path(&[])), 5.0);
        }
        for id in 0..100 {
            bench.hear(flood(id, path(&[OTHER])), 20.0);
            let start = bench.0.now;
            while !bench.sends() {
                bench.0.time_out();
            }
            longest = longest.max(bench.0.now.since(start));
        }
        longest.seconds()
    };
    let (few, many) = (longest(0), longest(10));
    assert!((1.3..=0.5 * 5.0 * 0.6).contains(&few), "{few}");
    assert!((16.0..=6.5 * 5.0 * 0.6).contains(&many), "{many}");
}

/// After a minute full of its own frames, in which half of the floods were copies, the score is 0.6: floods go over 4 hops in
/// place of 8.
#[test]
fn a_busy_repeater_relays_floods_over_fewer_hops() {
    let given = [("busy_tracker", Value::Switch(true))];
    for (busy, most) in [(false, 8), (true, 4)] {
        let mut bench = node(&given);
        for id in [1, 1] {
            bench.hear(flood(id, path(&[OTHER])), 5.0);
        }
        assert!(bench.sends());
        if busy {
            bench.0.cx.air.sending = Duration::from_millis(60_000);
        }
        for id in 2..=if busy { 1 } else { 3 } {
            bench.hear(flood(id, path(&[OTHER])), 5.0);
            bench.sends();
        }
        bench.0.time_out();
        for hops in [most - 1, most] {
            bench.hear(flood(10 + hops as u32, path(&[FAR; 8][..hops])), 5.0);
            assert_eq!(bench.0.traced(EventKind::from(&FLOOD_LIMITED)), hops == most);
            assert_eq!(bench.sends(), hops < most, "{busy} {hops}");
        }
    }
}
