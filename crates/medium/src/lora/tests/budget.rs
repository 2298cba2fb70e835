//! The duty cycle.

use multihop_core::{Duration, Time};
use proptest::prelude::*;

use super::air::{Air, NEAR, What, at, broadcast, millis};
use crate::lora::budget::{Budget, Leave, Limit};
use crate::lora::parameters::Beyond;

/// Offers a frame as often as the MAC has room, until `end`: when frames were sent, and how many were dropped.
fn sent(keys: &str, end: u64) -> (Vec<Time>, usize) {
    let mut air = Air::new(&format!("window = 1\ncad = false\n{keys}"), NEAR);
    for ms in (0..end).step_by(100) {
        air.run(at(ms));
        if multihop_core::Medium::is_free(&air.medium, multihop_core::NodeId(0)) {
            air.offer(0, &broadcast(49));
        }
    }
    let dropped = |entry: &&(Time, u32, What)| matches!(entry.2, What::Drops("over_duty_cycle"));
    (air.transmissions(0), air.log.iter().filter(dropped).count())
}

#[test]
fn beyond_its_duty_cycle_a_station_of_meshtastic_drops_frames() {
    // 682 ms a frame, and 6 s in a minute: the ninth is the first beyond it
    let keys = "duty_cycle = 0.1\nduty_window = \"60 s\"";
    let (begins, dropped) = sent(keys, 59_000);
    assert_eq!(begins.len(), 9);
    assert!(dropped > 400, "{dropped}");
    let (begins, _) = sent(keys, 120_000);
    assert!(begins[9] >= begins[0] + millis(60_000), "until the first is a window ago");
}

#[test]
fn beyond_its_duty_cycle_a_station_of_meshcore_waits() {
    let keys = "duty_cycle = 0.1\nduty_window = \"60 s\"\nover_duty_cycle = \"wait\"";
    let (begins, dropped) = sent(keys, 120_000);
    assert_eq!(dropped, 0);
    // The bucket of 6 s, and 0.1 of the time: 18 s in two minutes, less what is kept for a long frame.
    assert!((23..=26).contains(&begins.len()), "{}", begins.len());
    let gaps: Vec<Duration> = begins.windows(2).map(|pair| pair[1].since(pair[0])).collect();
    let last = gaps[gaps.len() - 5..].iter().fold(Duration::ZERO, |sum, gap| sum + *gap);
    assert!((last.seconds() / 5.0 - 6.82).abs() < 0.2, "one frame in 6.82 s: {gaps:?}");
}

fn any_limit() -> impl Strategy<Value = Limit> {
    let beyond = prop::sample::select(vec![Beyond::Drop, Beyond::Wait]);
    (0.01..1.0, 10_000..100_000_u64, beyond).prop_map(|(share, window, beyond)| Limit {
        share,
        window: millis(window),
        beyond,
        reserve: millis(100),
    })
}

proptest! {
    /// No window has more than the duty cycle and the frame with which it was used up; a bucket that was full may be emptied
    /// besides. The reserve is as long as any frame: a bucket forgives what a frame takes beyond it.
    #[test]
    fn nobody_sends_more_than_the_duty_cycle(
        limit in any_limit(),
        frames in prop::collection::vec((0..3_000_u64, 20..100_u64), 1..200),
    ) {
        let (mut budget, mut now, mut sent) = (Budget::new(limit), Time::ZERO, Vec::new());
        for (gap, length) in frames {
            now += millis(gap);
            if let Leave::From(at) = budget.leave(now) {
                prop_assert!(at > now);
                now = at;
                prop_assert_eq!(budget.leave(now), Leave::Granted);
            }
            if budget.leave(now) == Leave::Granted {
                now += millis(length);
                budget.spend(now, millis(length));
                sent.push((now, millis(length)));
            }
        }
        let most = limit.window.scaled(limit.share);
        let most = if limit.beyond == Beyond::Wait { most * 2 } else { most };
        for (end, _) in &sent {
            let within = sent.iter().filter(|(at, _)| at <= end && end.since(*at) < limit.window);
            let spent = within.fold(Duration::ZERO, |sum, (_, length)| sum + *length);
            prop_assert!(spent <= most + millis(100), "{spent} of {most}");
        }
    }
}
