//! Every case of two and three frames at a receiver of OFDM that was run in ns-3.37 (`docs/validation/data/ofdm_capture.txt`).

use multihop_core::{Bytes, Duration, Rate, Time};

use crate::dcf::{BROADCAST, Frame, FrameKind};
use crate::tests::air::{Air, frame};

const CASES: &str = include_str!("../../../../../docs/validation/data/ofdm_capture.txt");

/// So often every case is repeated, there and here.
const TIMES: u32 = 200;

/// One line of the file.
struct Case<'a> {
    text: &'a str,
    captures: bool,
    /// Rates in bit/s of the first frame and of the others.
    rates: [Rate; 2],
    /// When each frame begins, in ns, and how strong it is, in W.
    signals: Vec<(u64, f64)>,
    /// How often each is received in ns-3.
    received: Vec<f64>,
    /// For how many us the radio receives or is busy there.
    busy: f64,
}

fn parse(text: &str) -> Option<Case<'_>> {
    let words: Option<Vec<f64>> = text.split(' ').map(|word| word.parse().ok()).collect();
    let [capture, a, b, others, dbm, ratio, offset, received @ .., busy] = &words?[..] else {
        return None;
    };
    let watts = |dbm: f64| libm::pow(10.0, dbm / 10.0 - 3.0);
    let later = |number: f64| (((offset + number) * 1e3) as u64, watts(dbm - ratio));
    let mut signals = vec![(0, watts(*dbm)), later(0.0)];
    signals.extend((*others > 1.0).then(|| later(1.0)));
    Some(Case {
        text,
        captures: *capture > 0.0,
        rates: [a, b].map(|rate| Rate((rate * 1e6) as u64)),
        received: received[..signals.len()].to_vec(),
        signals,
        busy: *busy,
    })
}

/// How often each frame is received here, and until how many us after the first the medium is busy in the mean.
fn run(case: &Case) -> (Vec<f64>, f64) {
    let reception = if case.captures { "message-in-message" } else { "ns2" };
    let mut air =
        Air::alone(&format!("timing = \"ofdm-5\"\n[radio]\nreception = \"{reception}\""), 1);
    let frames = case.rates.map(|rate| Frame {
        bytes: Bytes(1064),
        mode: air.profile.mode(rate),
        air_time: air.profile.data(Bytes(1064), rate),
        ..frame(FrameKind::UnacknowledgedData, 1, BROADCAST, Duration::ZERO)
    });
    let mut busy = 0.0;
    for time in 1..=u64::from(TIMES) {
        let begin = Time::from_nanos(time * 20_000_000);
        for (from, (start, power)) in (1..).zip(&case.signals) {
            let frame = Frame { from, ..frames[usize::from(from > 1)] };
            air.hear_as(&frame, *power, begin + Duration::from_nanos(*start));
        }
        let station = &air.stations[0];
        let idle = station.lock.end.max(station.own.ignored_until);
        busy += idle.since(begin).seconds() * 1e6 / f64::from(TIMES);
    }
    air.run(Time::from_nanos(20_000_000 * u64::from(TIMES + 2)));
    let mut received = vec![0.0; case.signals.len()];
    for frame in air.received(0) {
        received[frame.from as usize - 1] += 1.0;
    }
    (received, busy)
}

/// Each probability within 0.12, three and a half standard errors of the difference of two means of 200, and the mean
/// difference within 0.01; the time that the medium is busy within 5 us in 95 % of the cases. ns-3 counts it from the
/// detection on.
#[test]
fn as_many_frames_survive_as_in_ns3() {
    let cases: Vec<Case> = CASES.lines().filter_map(parse).collect();
    assert_eq!(cases.len(), CASES.lines().filter(|line| !line.starts_with('#')).count());
    let (mut differences, mut apart, mut wrong) = (Vec::new(), 0, Vec::new());
    for case in &cases {
        let (received, busy) = run(case);
        let share = |count: f64| count / f64::from(TIMES);
        for (ours, theirs) in received.iter().zip(&case.received) {
            differences.push(share(*ours) - share(*theirs));
            if share(*ours - *theirs).abs() > 0.12 {
                wrong.push(format!("{}: here {received:?}", case.text));
            }
        }
        if (busy - 4.0 - case.busy).abs() > 5.0 {
            apart += 1;
            wrong.push(format!("{}: here busy for {busy}", case.text));
        }
    }
    let mean = differences.iter().map(|off| off.abs()).sum::<f64>() / differences.len() as f64;
    let report = wrong.join("\n");
    assert!(mean < 0.01, "{mean}\n{report}");
    assert!(apart * 20 <= cases.len(), "{apart} of {}\n{report}", cases.len());
    assert!(wrong.len() == apart, "{mean}\n{report}");
}
