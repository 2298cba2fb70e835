//! The congestion window, change by change, as ns-2 2.35 traces it.
//!
//! `data/two_hops.txt` is what `ns tcp.tcl -hops 2 -rp STATIC -window 20 -tcp X -cwndtrace F` of the
//! reference runs prints, the same for Tahoe, Reno, Newreno and Sack1: the values of `cwnd_` over
//! the first 200 acknowledgments. `data/losses_X.txt` has what `data/wired.tcl` prints, as
//! `benches/ns2/draw_losses.py` writes it: a line for each case, which names the packets that a link
//! loses, and in `data/marks.txt` (with `ECN=1`) those that it marks. Every change of `cwnd_` follows:
//! its time in 0.1 ms after the change before, and by how many thousandths of a packet it grows.

mod pipe;

use multihop_core::{Duration, Time, Value};
use multihop_schemes::find;
use pipe::{Fate, Pipe};

#[test]
fn without_losses_the_window_over_200_acknowledgments_is_that_of_ns_2() {
    let expected: Vec<&str> = include_str!("data/two_hops.txt").split_whitespace().collect();
    assert_eq!(expected.len(), 201);
    for name in ["tahoe", "reno", "newreno", "sack"] {
        let scheme = find(name).expect("a TCP");
        let mut pipe = Pipe::new(scheme, &[], Duration::from_millis(17));
        pipe.run(Time::ZERO + Duration::from_millis(3_000));
        let windows = pipe.windows.iter().map(|(_, w)| format!("{:.3}", f64::from(*w) / 1_000.0));
        let windows: Vec<String> = windows.take(expected.len()).collect();
        assert_eq!(windows, expected, "{name}");
    }
}

/// ns-2 starts with a threshold of 20 on wireless nodes whatever `window_` is: with `-window` 4, 8, 32
/// and 64 it prints the same 201 values.
#[test]
fn slow_start_ends_where_it_does_in_ns_2_whatever_the_limit() {
    let expected: Vec<&str> = include_str!("data/two_hops.txt").split_whitespace().collect();
    for limit in [4.0, 8.0, 32.0, 64.0] {
        let given = [("window_limit", Value::Number(limit))];
        let scheme = find("newreno").expect("a TCP");
        let mut pipe = Pipe::new(scheme, &given, Duration::from_millis(17));
        pipe.run(Time::ZERO + Duration::from_millis(5_000));
        let windows = pipe.windows.iter().map(|(_, w)| format!("{:.3}", f64::from(*w) / 1_000.0));
        let windows: Vec<String> = windows.take(expected.len()).collect();
        assert_eq!(windows, expected, "limit {limit}");
    }
}

#[test]
fn slow_start_ends_at_the_threshold_that_is_given() {
    let given = [("initial_threshold", Value::Number(6.0)), ("window_limit", Value::Number(32.0))];
    let mut pipe = Pipe::new(find("newreno").expect("a TCP"), &given, Duration::from_millis(17));
    pipe.run(Time::ZERO + Duration::from_millis(1_000));
    let windows: Vec<u32> = pipe.windows.iter().map(|(_, window)| *window).take(7).collect();
    assert_eq!(windows, [1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 6_167]);
}

/// The times in seconds and the windows in packets after every change of a case.
fn changes(steps: &str) -> Vec<(f64, f64)> {
    let (mut at, mut window) = (0, 0);
    let mut number = |step: &str| {
        let sign = step.find(['+', '-']).expect("a time and a signed window");
        at += step[..sign].parse::<i64>().expect("a time");
        window += step[sign..].parse::<i64>().expect("a window");
        (at as f64 / 1e4, window as f64 / 1e3)
    };
    steps.split_whitespace().map(&mut number).collect()
}

/// How many cases of `data` there are, and of each whose windows are others what and where.
fn compare(name: &str, how: &'static str, data: &str) -> (usize, Vec<String>) {
    let mut differences = Vec::new();
    let cases: Vec<_> = data.lines().map(|line| line.strip_prefix(how).expect("a case")).collect();
    for case in &cases {
        let (drops, steps) = case.split_once(':').expect("packets, and what becomes of the window");
        let lost: Vec<usize> =
            drops.split_whitespace().map(|n| n.parse().expect("a number")).collect();
        let given = [("min_rto", Value::Number(1_000.0))];
        let mut pipe = Pipe::new(find(name).expect("a TCP"), &given, Duration::from_micros(52_300));
        pipe.data_path = Box::new(move |n, packet| {
            let hit = lost.contains(&n);
            packet.congestion_experienced = hit && how == "mark";
            if hit && how == "drop" { Fate::IsLost } else { Fate::Arrives }
        });
        pipe.run(Time::ZERO + Duration::from_millis(20_000));
        let expected = changes(steps);
        let windows = pipe.windows.iter().map(|(at, w)| (at.seconds(), f64::from(*w) / 1_000.0));
        let got: Vec<(f64, f64)> = windows.take(expected.len()).collect();
        let alike = |(one, other): &(&(f64, f64), &(f64, f64))| {
            (one.0 - other.0).abs() < 1e-4 && (one.1 - other.1).abs() < 1e-6
        };
        let same = got.iter().zip(&expected).take_while(alike).count();
        if same < expected.len() {
            differences.push(format!(
                "{name}, {how}{drops}: after {same} changes {:?} instead of {:?}",
                &got[same.saturating_sub(3)..got.len().min(same + 5)],
                &expected[same.saturating_sub(3)..expected.len().min(same + 5)]
            ));
        }
    }
    (cases.len(), differences)
}

fn check(name: &str, how: &'static str, data: &str) {
    let (cases, differences) = compare(name, how, data);
    assert!(cases > 3 && differences.is_empty(), "{}", differences.join("\n"));
}

/// Losses drawn at random, where the folder `MULTIHOP_LOSSES` has what ns-2 did with them (`benches/ns2/draw_losses.py`).
fn check_drawn(name: &str, allowed_percent: usize) {
    let Ok(folder) = std::env::var("MULTIHOP_LOSSES") else { return };
    let file = format!("{folder}/losses_{name}.txt");
    let data = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let (cases, differences) = compare(name, "drop", &data);
    println!("{name}: {} of {cases} drawn ones alike", cases - differences.len());
    assert!(
        cases > 0 && differences.len() * 100 <= allowed_percent * cases,
        "{}",
        differences.join("\n")
    );
}

#[test]
fn tahoe_recovers_as_in_ns_2() {
    check("tahoe", "drop", include_str!("data/losses_tahoe.txt"));
    check_drawn("tahoe", 0);
    check("tahoe", "mark", include_str!("data/marks.txt"));
}

#[test]
fn reno_recovers_as_in_ns_2() {
    check("reno", "drop", include_str!("data/losses_reno.txt"));
    check_drawn("reno", 0);
    check("reno", "mark", include_str!("data/marks.txt"));
}

#[test]
fn newreno_recovers_as_in_ns_2() {
    check("newreno", "drop", include_str!("data/losses_newreno.txt"));
    check_drawn("newreno", 0);
    check("newreno", "mark", include_str!("data/marks.txt"));
}

#[test]
fn sack_recovers_as_in_ns_2() {
    check("sack", "drop", include_str!("data/losses_sack.txt"));
    check_drawn("sack", 0);
    check("sack", "mark", include_str!("data/marks.txt"));
}

#[test]
fn vegas_recovers_as_in_ns_2() {
    check("vegas", "drop", include_str!("data/losses_vegas.txt"));
    // It goes on timing a segment that it sends twice, against RFC 6298, and a SYN that is lost twice is asked for.
    check_drawn("vegas", 3);
}
