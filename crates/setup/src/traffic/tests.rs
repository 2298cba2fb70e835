//! When sources of every kind send.

use multihop_core::{Bytes, Content, Duration, NodeId, Purpose, Rng, Time, Value, Values};

use super::{Pattern, Poisson, Sender, TRAFFICS, Terms, replay};

fn rng(seed: u64) -> Rng {
    Rng::stream(seed, NodeId(0), Purpose::Jitter)
}

/// The times of the first messages of a Poisson process with a mean interval of 1 s.
fn times(seed: u64, count: usize) -> Vec<Time> {
    let poisson = Poisson { payload: Bytes(40), interval: Duration::from_millis(1_000) };
    let messages = poisson.messages(Time::ZERO, rng(seed)).expect("it sends by itself");
    messages.take(count).map(|(at, _)| at).collect()
}

#[test]
fn the_times_of_a_poisson_process_are_pinned() {
    let nanos: Vec<u64> = times(1, 4).iter().map(|at| at.nanos()).collect();
    assert_eq!(nanos, PINNED, "every seed would give other results");
}

const PINNED: [u64; 4] = [452_628_549, 805_766_002, 1_557_619_605, 5_045_945_355];

#[test]
fn intervals_are_exponentially_distributed() {
    const COUNT: usize = 20_000;
    let times = times(7, COUNT + 1);
    let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1].since(pair[0]).seconds()).collect();
    let mean = gaps.iter().sum::<f64>() / COUNT as f64;
    let square = gaps.iter().map(|gap| (gap - mean) * (gap - mean)).sum::<f64>() / COUNT as f64;
    // four standard errors of the mean, and of the deviation of an exponential distribution
    assert!((mean - 1.0).abs() < 4.0 / (COUNT as f64).sqrt(), "{mean}");
    assert!((libm::sqrt(square) - 1.0).abs() < 8.0 / (COUNT as f64).sqrt(), "{square}");
    for (longer, share) in [(0.5, 0.606_530_7), (1.0, 0.367_879_4), (3.0, 0.049_787_1)] {
        let found = gaps.iter().filter(|gap| **gap > longer).count() as f64 / COUNT as f64;
        let error = libm::sqrt(share * (1.0 - share) / COUNT as f64);
        assert!((found - share).abs() < 4.0 * error, "{longer}: {found} instead of {share}");
    }
    // without memory: what follows a long gap is as long as any
    let after: Vec<f64> =
        gaps.windows(2).filter(|pair| pair[0] > 2.0).map(|pair| pair[1]).collect();
    let mean = after.iter().sum::<f64>() / after.len() as f64;
    assert!((mean - 1.0).abs() < 4.0 / (after.len() as f64).sqrt(), "{mean} of {}", after.len());
}

#[test]
fn the_longest_interval_ends_before_time_does() {
    let interval = Duration::from_millis(500_000_000_000);
    let poisson = Poisson { payload: Bytes(1), interval };
    let begins = Time::ZERO + interval;
    for seed in 0..200 {
        let first = poisson.messages(begins, rng(seed)).and_then(|mut all| all.next());
        assert!(first.is_some_and(|(at, _)| at.since(begins) <= interval), "{seed}");
    }
}

/// What a flow from `ends.0` to `ends.1` sends by this table.
fn replayed(table: &str, ends: (&str, &str)) -> Result<Vec<(u64, u32)>, String> {
    let text = Value::Text(Content::from(table).into());
    let values = Values::new(replay::KIND.params, &[("times".to_owned(), text)]).expect("text");
    let terms = Terms {
        values: &values,
        payload: Bytes(100),
        largest_payload: Bytes(2_000),
        ends,
        rng: rng(1),
        stock: None,
        sender: Sender { nodes: 2, role: None, moves: false },
    };
    let pattern = (replay::KIND.make)(&terms).map_err(|refusal| refusal.message)?;
    (replay::KIND.check)(&values, &[ends]).map_err(|refusal| refusal.message)?;
    let messages = pattern.messages(Time::ZERO, rng(1)).expect("it sends by itself");
    Ok(messages.map(|(at, payload)| (at.nanos(), payload.0)).collect())
}

#[test]
fn a_table_is_replayed_in_the_order_of_time() {
    let table = "# made by hand\ntime_s, payload_bytes\n2.5,40\n\n0.000000001,\n2.5,7\r\n";
    let sent = replayed(table, ("a", "b")).expect("a table");
    assert_eq!(sent, [(1, 100), (2_500_000_000, 40), (2_500_000_000, 7)]);
}

#[test]
fn a_row_is_of_the_flow_between_its_ends() {
    let table = "from,time_s,to\na,1,b\n,2,b\na,3,\n";
    assert_eq!(replayed(table, ("a", "b")).expect("a table").len(), 3);
    let elsewhere = replayed(table, ("a", "c")).expect_err("two rows go to b");
    assert_eq!(
        elsewhere,
        "line 2 of the text: no flow of the table's goes from 'a' to 'b'; name both in from and to of the flow"
    );
}

#[test]
fn tables_that_cannot_be_are_refused_by_line() {
    for (table, expected) in [
        ("", "the text is empty; its first line names the columns, as in time_s,payload_bytes"),
        ("time_s\n", "the text has no row below its header"),
        (
            "time,payload_bytes\n1,2\n",
            "line 1 of the text: there is no column 'time'; a table has some of time_s, payload_bytes, from, to",
        ),
        (
            "time_s,time_s\n",
            "line 1 of the text: column 'time_s' stands there twice; remove one of the two",
        ),
        ("to\nb\n", "line 1 of the text: column time_s is missing: in s from the start of the run"),
        ("time_s\n1\nx\n", "line 3 of the text: 'x' is not a time in s between 0 and 5e8"),
        ("time_s\n-1\n", "line 2 of the text: '-1' is not a time in s between 0 and 5e8"),
        ("time_s\nnan\n", "line 2 of the text: 'nan' is not a time in s between 0 and 5e8"),
        (
            "time_s,payload_bytes\n1,0\n",
            "line 2 of the text: '0' is not a payload in bytes, a whole number from 1 on",
        ),
        ("to,time_s\nb\n", "line 2 of the text: has 1 cells, and column 2 is missing"),
        (
            "time_s,payload_bytes\n1,2001\n",
            "line 2 of the text: a payload of 2001 B does not fit into a frame; it may be up to 2000 B",
        ),
    ] {
        assert_eq!(replayed(table, ("a", "b")).expect_err(table), expected);
    }
}

#[test]
fn every_kind_describes_itself() {
    for kind in TRAFFICS {
        assert!(![kind.title, kind.source, kind.about].contains(&""), "{}", kind.name);
        let twin = |other: &&&super::TrafficKind| other.name == kind.name;
        assert_eq!(TRAFFICS.iter().filter(twin).count(), 1, "{}", kind.name);
        for file in kind.files {
            let has = |name| kind.params.iter().any(|param| param.name == name);
            assert!(has(file.file.name) && has(file.text.name), "{}", kind.name);
        }
    }
}
