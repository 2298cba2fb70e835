//! The arithmetic of stations, by hand and with random packets.

use proptest::prelude::*;

use super::*;
use crate::parts::explicit::header::{LARGEST_WINDOW, LONGEST_ROUND_TRIP_US};

const SECOND: Duration = Duration::from_millis(1_000);
const TENTH: Duration = Duration::from_millis(100);

fn packet(round_trip_ms: u32, window: u32, length: u32, throughput: u32) -> Passing {
    let flow = FlowState { round_trip_us: round_trip_ms * 1_000, window };
    Passing::new(flow, length, throughput, SECOND)
}

/// What is left is counted.
fn counted(shuffle: i64) -> Division {
    Division { shuffle, residue: true }
}

fn sums(packets: &[Passing]) -> Sums {
    let mut sums = Sums::default();
    for packet in packets {
        sums.add(packet);
    }
    sums
}

/// Katabi 3.5: two flows of the same round trip. The one with the smaller window has fewer packets, each
/// of which gains more, so that both gain the same.
#[test]
fn positive_feedback_is_the_same_for_every_flow_of_a_round_trip() {
    // in one interval of 100 ms: four packets of a flow with a window of 4, two of one with 2
    let (large, small) = (packet(100, 4_000, 1_000, 1), packet(100, 2_000, 1_000, 1));
    let all = sums(&[large, large, large, large, small, small]);
    assert_eq!(all.mean_round_trip(), Some(Duration::from_millis(100)));
    let mut shares = Shares::new(800 * MILLION, all, Duration::from_millis(100), counted(0));
    let gains: Vec<i32> = [large, large, large, large, small, small]
        .iter()
        .map(|packet| shares.take(packet, i32::MAX))
        .collect();
    // 800 bytes: 400 for each flow, in thousandths
    assert_eq!(gains, [100_000, 100_000, 100_000, 100_000, 200_000, 200_000]);
    assert_eq!(shares.left(), (0, 0));
    assert_eq!(shares.take(&small, i32::MAX), 0, "all is given away");
}

/// Equation 4: the change of a window goes with rtt² · s / cwnd, and that of a rate with rtt · s / cwnd.
#[test]
fn a_flow_of_twice_the_round_trip_gains_twice_the_window() {
    // as many packets per interval as its window and round trip say: 2 of 100 ms, 1 of 200 ms
    let (near, far) = (packet(100, 2_000, 1_000, 1), packet(200, 2_000, 1_000, 1));
    let all = sums(&[near, near, far]);
    let mut shares = Shares::new(600 * MILLION, all, Duration::from_millis(100), counted(0));
    let near = shares.take(&near, i32::MAX) + shares.take(&near, i32::MAX);
    let far = shares.take(&far, i32::MAX);
    assert_eq!((near, far), (300_000, 600_000));
}

/// 3.3: active time is what grows alike: "the change in the congestion window of flow i should be
/// proportional to the flow's RTT and link layer throughput."
#[test]
fn time_fairness_gives_the_faster_link_more() {
    let (fast, slow) = (packet(100, 2_000, 1_000, 150_000), packet(100, 2_000, 1_000, 50_000));
    let mut shares = Shares::new(400 * MILLION, sums(&[fast, slow]), TENTH, counted(0));
    let gains = (shares.take(&fast, i32::MAX), shares.take(&slow, i32::MAX));
    assert_eq!(gains, (300_000, 100_000));
}

/// Equations 6 and 7: negative feedback goes with rtt · s, whatever the link.
#[test]
fn negative_feedback_goes_with_the_length() {
    let (long, short) = (packet(100, 2_000, 1_500, 9), packet(100, 2_000, 500, 1));
    let mut shares = Shares::new(-400 * MILLION, sums(&[long, short]), TENTH, counted(0));
    let losses = (shares.take(&long, i32::MAX), shares.take(&short, i32::MAX));
    assert_eq!(losses, (-300_000, -100_000));
}

/// Katabi 3.5, equation 4: without an aggregate a tenth of the traffic changes hands.
#[test]
fn shuffling_moves_windows_from_the_larger_flow_to_the_smaller() {
    let (large, small) = (packet(100, 9_000, 1_000, 1), packet(100, 1_000, 1_000, 1));
    let mut all = sums(&[[large; 9].as_slice(), &[small]].concat());
    (0..10).for_each(|_| all.on_arrival(1_000));
    let mut shares = Shares::new(0, all, TENTH, counted(millionths(0.1)));
    let lost: i32 = (0..9).map(|_| shares.take(&large, i32::MAX)).sum();
    let gained = shares.take(&small, i32::MAX);
    // 1,000 bytes from all by their bytes, and to both flows alike
    assert!((-400_100..=-399_900).contains(&lost), "{lost}");
    assert!((399_900..=400_100).contains(&gained), "{gained}");
}

#[test]
fn nobody_gets_more_than_the_tightest_station_allows() {
    let one = packet(100, 1_000, 1_000, 1);
    let mut shares = Shares::new(500 * MILLION, sums(&[one]), TENTH, counted(0));
    assert_eq!(shares.take(&one, 20_000), 20_000);
    let mut shares = Shares::new(-500 * MILLION, sums(&[one, one]), TENTH, counted(0));
    assert_eq!(shares.take(&one, -300_000), -300_000);
    assert_eq!(shares.take(&one, 0), -200_000, "another station has taken the rest away");
}

/// draft-falk-xcp-spec-03 and ns-2's xcpq.cc, on departure: what the packet does not get, because another
/// station gives less, is left for those who come later.
#[test]
fn what_another_station_does_not_let_a_packet_have_is_left() {
    let one = packet(100, 1_000, 1_000, 1);
    let mut shares = Shares::new(400 * MILLION, sums(&[one, one]), TENTH, counted(0));
    assert_eq!(shares.take(&one, 50_000), 50_000);
    assert_eq!(shares.left(), (350 * MILLION, 0));
    assert_eq!(shares.take(&one, -50_000), -50_000);
    assert_eq!(shares.left(), (350 * MILLION, 0), "it gets nothing here");
    let got: Vec<_> = (0..3).map(|_| shares.take(&one, i32::MAX)).collect();
    assert_eq!(got, [200_000, 150_000, 0]);
    // with shuffling: what it gets here is what it is given, and what is taken away
    let mut all = sums(&[one, one]);
    (0..2).for_each(|_| all.on_arrival(1_000));
    let mut shares = Shares::new(0, all, TENTH, counted(MILLION / 10));
    assert_eq!(shares.left(), (200 * MILLION, 200 * MILLION));
    assert_eq!(shares.take(&one, -20_000), -20_000);
    assert_eq!(shares.left(), (100 * MILLION, 80 * MILLION));
}

/// Equations 4 to 7 alone: every packet gets its share, however many come.
#[test]
fn without_a_residue_every_packet_gets_its_share() {
    let one = packet(100, 1_000, 1_000, 1);
    let division = Division { shuffle: 0, residue: false };
    let mut shares = Shares::new(400 * MILLION, sums(&[one, one]), TENTH, division);
    assert_eq!([(); 4].map(|()| shares.take(&one, i32::MAX)), [200_000; 4]);
    let mut shares = Shares::new(-400 * MILLION, sums(&[one, one]), TENTH, division);
    assert_eq!([(); 4].map(|()| shares.take(&one, i32::MAX)), [-200_000; 4]);
}

#[test]
fn an_empty_interval_says_nothing() {
    let one = packet(100, 1_000, 1_000, 1);
    for (sums, interval) in [
        (Sums::default(), SECOND),
        (sums(&[one]), Duration::ZERO),
        (Sums::default(), Duration::ZERO),
    ] {
        for aggregate in [i64::MIN, -1, 0, 1, i64::MAX] {
            let mut shares = Shares::new(aggregate, sums, interval, counted(MILLION));
            assert_eq!(shares.take(&one, 7), 0);
            assert_eq!(shares.take(&one, -7), -7);
            assert_eq!(shares.left(), (0, 0));
        }
    }
    assert_eq!(Sums::default().mean_round_trip(), None);
}

/// Integers all the way: the same numbers on every platform and with every compiler.
#[test]
fn the_sums_of_fixed_packets_are_these_numbers() {
    let mut state = 1u64;
    let mut next = |most: u32| {
        // Knuth's MMIX generator.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1 + ((state >> 33) as u32) % most
    };
    let mut packets = Vec::new();
    for _ in 0..200 {
        let flow = FlowState { round_trip_us: next(900_000), window: next(LARGEST_WINDOW) };
        packets.push(Passing::new(flow, next(2_000), next(2_000_000), SECOND));
    }
    let all = sums(&packets);
    let mut told = Vec::new();
    for aggregate in [7_654_321 * MILLION, -987_654 * MILLION, i64::MAX] {
        let mut shares =
            Shares::new(aggregate, all, Duration::from_nanos(123_456_789), counted(MILLION / 10));
        let sum: i64 = packets.iter().map(|one| i64::from(shares.take(one, i32::MAX))).sum();
        told.push((sum, shares.left()));
    }
    assert_eq!(all.mean_round_trip().map(Duration::nanos), Some(643_259_203));
    let pinned = [(5_525_000_820, (99, 0)), (-3_677_543_508, (0, 99)), (385_227_084_949, (100, 0))];
    assert_eq!(told, pinned);
}

fn any_packet() -> impl Strategy<Value = Passing> {
    let extreme = |most: u32| prop_oneof![Just(1), 1..=most, Just(most)];
    let length = prop_oneof![Just(0u32), 1u32..2_000, Just(u32::MAX)];
    let throughput = prop_oneof![Just(0u32), 1u32..2_000_000, Just(u32::MAX)];
    (extreme(LONGEST_ROUND_TRIP_US), extreme(LARGEST_WINDOW), length, throughput).prop_map(
        |(round_trip_us, window, length, throughput)| {
            Passing::new(FlowState { round_trip_us, window }, length, throughput, SECOND)
        },
    )
}

fn any_aggregate() -> impl Strategy<Value = i64> {
    prop_oneof![any::<i64>(), -1_000_000_000..1_000_000_000i64, Just(i64::MIN), Just(i64::MAX)]
}

proptest! {
    /// What is handed out, as rates, never exceeds the aggregate and the shuffled traffic, whoever comes.
    #[test]
    fn no_more_than_the_aggregate_is_handed_out(
        before in prop::collection::vec(any_packet(), 0..20),
        later in prop::collection::vec((any_packet(), any::<i32>()), 0..40),
        aggregate in any_aggregate(),
        interval in prop_oneof![Just(0u64), 1u64..10_000_000_000],
        shuffle in 0..=MILLION,
    ) {
        let mut sums = sums(&before);
        for packet in &before {
            sums.on_arrival(packet.length.min(2_000));
        }
        let interval = Duration::from_nanos(interval);
        let mut shares = Shares::new(aggregate, sums, interval, counted(shuffle));
        let (most_plus, most_minus) = shares.left();
        prop_assert!(most_plus >= 0 && most_minus >= 0);
        let mut given = 0i128;
        let (mut plus, mut minus) = (most_plus, most_minus);
        for (packet, asked) in later {
            let feedback = shares.take(&packet, asked);
            prop_assert!(feedback <= asked.max(-LARGEST_FEEDBACK), "never more than asked");
            let (next_plus, next_minus) = shares.left();
            prop_assert!((0..=plus).contains(&next_plus) && (0..=minus).contains(&next_minus));
            (plus, minus) = (next_plus, next_minus);
            // as a rate: thousandths of a byte · interval / rtt
            let rate = i128::from(feedback) * i128::from(interval.nanos()) * PER_UNIT;
            given += rate.div_euclid(i128::from(packet.round_trip)).max(0);
        }
        prop_assert!(given <= i128::from(most_plus), "{given} of {most_plus}");
    }

    #[test]
    fn a_part_is_no_more_than_the_whole(amount in 0..=i64::MAX, one: u128, other: u128) {
        let got = part(amount, one, other);
        prop_assert!((0..=amount).contains(&got));
        if one >= other && other > 0 {
            prop_assert_eq!(got, amount);
        }
    }
}
