//! Which of two overlapping frames is received: every line of ns-2's probe.

use multihop_core::{Bytes, Duration, Time};

use crate::dcf::{BROADCAST, Frame, FrameKind, Job};
use crate::tests::air::{Air, STRONG, at, frame, job};

/// A receiver to which interference is noise.
const DSSS: &str =
    "[radio]\nreception = \"first-decodable\"\ncapture_ratio = 1\ninterference = \"dsss\"";

const PROBE: &str = include_str!("../../../../docs/validation/data/micro_capture.txt");

/// Seeds per line: the backoff shifts the frames by up to 0.6 ms, and must not matter.
const TRIES: u64 = 20;

/// One line of the probe. A receiver at the origin, the wanted sender at (-wanted, 0), and the
/// others hear nobody but the receiver.
struct Line<'a> {
    text: &'a str,
    wanted_first: bool,
    places: Vec<(f64, f64)>,
    /// The share of each sender's frames that ns-2's receiver got.
    received: Vec<f64>,
}

fn parse(text: &str) -> Option<Line<'_>> {
    let mut line = Line { text, wanted_first: true, places: vec![(0.0, 0.0)], received: vec![] };
    let mut count = 0.0;
    for word in text.strip_prefix("RESULT ")?.split_whitespace() {
        let (key, value) = word.split_once('=')?;
        match key {
            "first" => line.wanted_first = value == "S",
            "sd" => line.places.push((-value.parse::<f64>().ok()?, 0.0)),
            "ipos" => {
                let numbers: Vec<f64> =
                    value.split(',').map(|n| n.parse().expect("a coordinate")).collect();
                line.places.extend(numbers.chunks(2).map(|place| (place[0], place[1])));
            }
            "n" => count = value.parse().ok()?,
            _ => line.received.push(value.parse::<f64>().ok()? / count),
        }
    }
    Some(line)
}

/// The share of each sender's frames that the receiver gets here.
fn run(line: &Line) -> Vec<f64> {
    let senders = line.places.len() as u32 - 1;
    let mut received = vec![0.0; senders as usize];
    for seed in 1..=TRIES {
        let mut air = Air::new(&line.places, "", seed);
        let wanted = |node: &u32| *node == 1;
        let (mut first, mut second): (Vec<u32>, Vec<u32>) = (1..=senders).partition(wanted);
        if !line.wanted_first {
            std::mem::swap(&mut first, &mut second);
        }
        for (start, nodes) in [(1000, first), (4000, second)] {
            air.run(at(start));
            for node in nodes {
                let bytes = Bytes(1520);
                air.give(node, Job { packet: node, bytes, ..job(BROADCAST) });
            }
        }
        air.run(at(50_000));
        for frame in air.received(0) {
            received[frame.from as usize - 1] += 1.0 / TRIES as f64;
        }
    }
    received
}

#[test]
fn the_same_frames_survive_as_in_ns2() {
    let lines: Vec<Line> = PROBE.lines().filter_map(parse).collect();
    assert_eq!(lines.len(), 29);
    for line in &lines {
        let ours = run(line);
        let same = ours.iter().zip(&line.received).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(same && ours.len() == line.received.len(), "{}: here {ours:?}", line.text);
    }
}

/// Interference is pairwise: any number of weak frames does no harm.
#[test]
fn ten_later_frames_of_a_twelfth_each_do_no_harm() {
    let mut places = vec![(0.0, 0.0), (-200.0, 0.0)];
    // Far enough from the sender not to hear it, each 12 times weaker at the receiver.
    places.extend((0..10).map(|n| (372.5, -5.0 + f64::from(n))));
    let mut air = Air::new(&places, "", 1);
    let job = |node| Job { packet: node, bytes: Bytes(1520), ..job(BROADCAST) };
    air.give(1, job(1));
    air.run(at(3000));
    for node in 2..12 {
        air.give(node, job(node));
    }
    air.run(at(300_000));
    assert_eq!(air.received(0).iter().filter(|frame| frame.from == 1).count(), 1);
}

/// Who of two is heard in the middle, of whom the one at `interferer` begins 3 ms earlier or later.
fn survivors(rules: &str, interferer: f64, starts: [u64; 2]) -> Vec<u32> {
    let places = [(0.0, 0.0), (-200.0, 0.0), (interferer, 0.0)];
    let mut air = Air::new(&places, &format!("[radio]\n{rules}\n"), 1);
    let mut starts: Vec<(u64, u32)> = starts.into_iter().zip([1, 2]).collect();
    starts.sort_unstable();
    for (start, node) in starts {
        air.run(at(start));
        let bytes = Bytes(1520);
        air.give(node, Job { packet: node, bytes, ..job(BROADCAST) });
    }
    air.run(at(50_000));
    air.received(0).iter().map(|frame| frame.from).collect()
}

/// With the rules `message-in-message`, the frame that is ten times stronger survives, whichever
/// comes first; without that margin both are lost as ever.
#[test]
fn message_in_message_lets_a_stronger_later_frame_take_over() {
    let late = |rules: &str, interferer| {
        survivors(&format!("reception = \"{rules}\""), interferer, [4000, 1000])
    };
    assert!(late("ns2", 400.0).is_empty());
    assert_eq!(late("message-in-message", 400.0), [1]);
    assert!(late("message-in-message", 355.0).is_empty());
}

/// With the rules `first-decodable`, a frame that cannot be decoded keeps the radio from none that can, if it is weak
/// enough; one that can be decoded is kept against others up to the capture ratio, also later stronger ones.
#[test]
fn the_first_decodable_frame_is_kept() {
    let who = |ratio: u32, interferer, starts| {
        let rules = format!("reception = \"first-decodable\"\ncapture_ratio = {ratio}");
        survivors(&rules, interferer, starts)
    };
    let (earlier, later) = ([1000, 4000], [4000, 1000]);
    for starts in [earlier, later] {
        assert_eq!(who(10, 400.0, starts), [1], "16 times weaker");
        assert_eq!(who(1, 355.0, starts), [1], "9.9 times weaker, and too weak to be decoded");
        assert!(who(10, 355.0, starts).is_empty(), "the same, where that is not enough");
    }
    // Of stations that do not hear each other.
    let first = |strength: f64| {
        let keys = "[radio]\nreception = \"first-decodable\"\ncapture_ratio = 1";
        let mut air = Air::alone(keys, 1);
        for (start, from, power) in [(1000, 1, STRONG), (2000, 2, strength * STRONG)] {
            let frame = &frame(FrameKind::UnacknowledgedData, from, BROADCAST, Duration::ZERO);
            air.hear_as(frame, power, at(start));
        }
        air.run(at(50_000));
        air.received(0).iter().map(|frame| frame.from).collect::<Vec<_>>()
    };
    assert_eq!(first(1.0), [1], "a later one of the same strength");
    assert!(first(1.01).is_empty(), "a stronger one destroys both");
}

/// With bit errors of 802.11b it is a matter of rate and of how much of the frame is left: what is heard of frames of
/// 1500 B at 2 Mbit/s, of which `left` us are met by others of the same strength.
#[test]
fn what_interference_does_depends_on_rate_and_time() {
    const TIMES: u64 = 400;
    let share = |rate: u64, left: u64, strength: f64| {
        let mut air = Air::alone(DSSS, 1);
        let air_time = Duration::from_micros(192 + 1500 * 8 / rate);
        for (number, start) in (0..TIMES).map(|number| (number as u32, 100_000 * (number + 1))) {
            let first = Frame {
                air_time,
                bytes: Bytes(1500),
                sequence: number,
                ..frame(FrameKind::UnacknowledgedData, 1, BROADCAST, Duration::ZERO)
            };
            let other = Frame { from: 2, ..first };
            let late = at(start) + air_time.saturating_sub(Duration::from_micros(left));
            for (frame, power, start) in
                [(&first, STRONG, at(start)), (&other, strength * STRONG, late)]
            {
                air.hear_as(frame, power, start);
            }
        }
        air.run(at(100_000 * (TIMES + 2)));
        air.received(0).iter().filter(|frame| frame.from == 1).count() as f64 / TIMES as f64
    };
    assert!(share(1, 6_000, 1.0) >= 1.0, "1 Mbit/s");
    // One bit in 5149 is wrong.
    for left in [300u64, 2_000] {
        let whole = (1.0 - 1.942e-4_f64).powf(2.0 * left as f64);
        let found = share(2, left, 1.0);
        assert!((found - whole).abs() < 0.08, "{left} us: {found}, not {whole}");
    }
    assert!(share(11, 300, 1.0) <= 0.0, "11 Mbit/s");
    assert!(share(11, 300, 0.1) >= 1.0, "10 dB weaker");
    assert!(share(1, 6_000, 10.0) <= 0.0, "10 dB stronger");
}

/// Of two frames that begin within 4 us the stronger is received if it is 4 dB above the other, else none.
#[test]
fn a_preamble_has_to_stand_out() {
    let who = |apart: u64, strength: f64| {
        let mut air = Air::alone(DSSS, 1);
        for (start, from, power) in [(1000, 1, STRONG), (1000 + apart, 2, strength * STRONG)] {
            let frame = &frame(FrameKind::UnacknowledgedData, from, BROADCAST, Duration::ZERO);
            air.hear_as(frame, power, at(start));
        }
        air.run(at(50_000));
        air.received(0).iter().map(|frame| frame.from).collect::<Vec<_>>()
    };
    assert!(who(3, 1.0).is_empty(), "at once");
    assert_eq!(who(4, 1.0), [1], "the first is noticed by then, and 1 Mbit/s survives the other");
    assert!(who(3, 0.45).is_empty(), "3.5 dB weaker");
    assert_eq!(who(3, 0.35), [1], "4.6 dB weaker");
}

/// Who of several is received by station 0, with what is on the air adding up: when each begins, in ns, and how strong
/// it is.
fn heard_of(signals: &[(u64, f64)]) -> Vec<u32> {
    let mut air = Air::alone(DSSS, 1);
    for (from, (start, strength)) in (1..).zip(signals) {
        let frame = &frame(FrameKind::UnacknowledgedData, from, BROADCAST, Duration::ZERO);
        let (power, start) = (strength * STRONG, Time::from_nanos(*start));
        air.hear_as(frame, power, start);
    }
    air.run(at(50_000));
    air.received(0).iter().map(|frame| frame.from).collect()
}

#[test]
fn what_is_on_the_air_adds_up() {
    assert_eq!(heard_of(&[(1000, 1.0), (1200, 0.3)]), [1], "5.2 dB above the other");
    assert!(heard_of(&[(1000, 1.0), (1200, 0.3), (1300, 0.2)]).is_empty(), "3 dB above both");
    assert_eq!(heard_of(&[(1000, 1.0), (9000, 0.3), (9100, 0.2)]), [1], "noticed by then");
    // One bit in 7 billion goes wrong beside one of the same strength, one in 50 beside seven.
    assert_eq!(heard_of(&[(1000, 1.0), (9000, 1.0)]), [1]);
    let many: Vec<_> = std::iter::once((1000, 1.0)).chain([(9000, 1.0); 7]).collect();
    assert!(heard_of(&many).is_empty(), "each of them alone would do nothing");
}

#[test]
fn the_strongest_of_those_that_begin_at_once_has_the_chance() {
    assert_eq!(heard_of(&[(1000, 0.3), (1200, 1.0)]), [2], "it stands out, though it comes later");
    assert_eq!(heard_of(&[(1000, 0.8), (5001, 1.0)]), [1], "noticed by then, and it survives");
    assert!(heard_of(&[(1000, 0.5), (1200, 1.0)]).is_empty(), "3 dB");
}

#[test]
fn what_is_not_noticed_keeps_the_radio_from_nothing() {
    // Two of a slot, and one in their midst that is far above both.
    assert_eq!(heard_of(&[(1000, 1.0), (1200, 1.0), (900_000, 10.0)]), [3]);
    // What the radio has ignored is still on the air when it is free again.
    let data = 4_720_000;
    let late = data + 2000;
    assert_eq!(heard_of(&[(1000, 1.0), (900_000, 1.0), (late, 10.0)]), [1, 3]);
    assert_eq!(heard_of(&[(1000, 1.0), (900_000, 1.0), (late, 1.0)]), [1], "as strong as that");
}
