//! Way-points, random and scripted.

use multihop_core::Time;

use super::{CHAIN, EXPLICIT, right, with, wrong};
use multihop_setup::{Node, Setup};

pub(super) fn at(seconds: f64) -> Time {
    Time::from_nanos(libm::round(seconds * 1e9) as u64)
}

/// Where a node is at a time.
pub(super) fn place(node: &Node, time: Time) -> (f64, f64) {
    let begun = node.track.legs.iter().rev().find(|leg| leg.start <= time);
    begun.map_or((node.x, node.y), |leg| leg.position(time))
}

pub(super) fn close(a: (f64, f64), b: (f64, f64)) -> bool {
    (a.0 - b.0).abs() < 1e-6 && (a.1 - b.1).abs() < 1e-6
}

/// Every track is a way without jumps: in order, not overlapping, from where the last one ended.
pub(super) fn assert_whole(setup: &Setup) {
    for node in &setup.nodes {
        let (mut time, mut here) = (Time::ZERO, (node.x, node.y));
        for leg in &node.track.legs {
            assert!(time <= leg.start && leg.start < leg.end, "{}: {leg:?}", node.name);
            assert!(close(here, leg.from), "{}: {here:?} {leg:?}", node.name);
            (time, here) = (leg.end, leg.to);
        }
    }
}

fn random(keys: &str) -> String {
    let topology = "\"random\"\nnodes = 30\nwidth = \"800 m\"\nheight = \"500 m\"\nflows = 2\n\
                    topology_seed = 7";
    let mobility = format!("[mobility]\nkind = \"random-waypoint\"\n{keys}\n[scheme]");
    let text = with(CHAIN, "\"chain\"\nhops = 4", topology);
    with(&text, "[scheme]", &mobility)
}

const WALKERS: &str =
    "min_speed = \"2 m/s\"\nmax_speed = \"36 km/h\"\nmin_pause = \"1 s\"\nmax_pause = \"3 s\"";

#[test]
fn random_ways_keep_to_their_bounds() {
    let setup = right(&random(WALKERS));
    assert_whole(&setup);
    let mut speeds = Vec::new();
    for node in &setup.nodes {
        let mut rested = Time::ZERO;
        for leg in &node.track.legs {
            let pause = leg.start.since(rested).seconds();
            assert!((1.0..3.0).contains(&pause), "a pause of {pause} s");
            assert!((0.0..800.0).contains(&leg.to.0) && (0.0..500.0).contains(&leg.to.1));
            let way = libm::hypot(leg.to.0 - leg.from.0, leg.to.1 - leg.from.1);
            let speed = way / leg.end.since(leg.start).seconds();
            assert!(speed > 1.999_999 && speed < 10.000_001, "{speed} m/s");
            speeds.push(speed);
            rested = leg.end;
        }
        assert!(rested + multihop_core::Duration::from_millis(3000) >= setup.end, "{}", node.name);
    }
    // each is uniform, so that the mean of many lies near the middle
    let mean = speeds.iter().sum::<f64>() / speeds.len() as f64;
    assert!(speeds.len() > 30 && (5.0..7.0).contains(&mean), "{} of mean {mean}", speeds.len());
}

#[test]
fn random_ways_depend_on_their_seed_alone() {
    let tracks =
        |text: &str| -> Vec<_> { right(text).nodes.into_iter().map(|node| node.track).collect() };
    let setup = tracks(&random(WALKERS));
    assert_eq!(setup, tracks(&random(&format!("{WALKERS}\nmobility_seed = 1"))));
    let other = tracks(&random(&format!("{WALKERS}\nmobility_seed = 2")));
    assert_ne!(setup, other);
    let seeded = format!("seed = 2\n{}", random(WALKERS));
    assert_eq!(other, tracks(&seeded), "the default is the scenario's seed");
    assert_ne!(setup[0], setup[1], "every node goes its own way");
    // without pauses it sets out at once and never rests
    let restless = tracks(&random("min_speed = \"5 m/s\"\nmax_speed = \"5 m/s\""));
    for track in restless {
        assert_eq!(track.legs[0].start, Time::ZERO);
        assert!(track.legs.windows(2).all(|pair| pair[0].end == pair[1].start));
    }
}

#[test]
fn nodes_of_other_topologies_move_in_the_rectangle_that_they_take_up() {
    let mobility = format!("[mobility]\nkind = \"random-waypoint\"\n{WALKERS}\n[scheme]");
    let cross = with(CHAIN, "\"chain\"", "\"cross\"");
    let setup = right(&with(&cross, "[scheme]", &mobility));
    let legs = || setup.nodes.iter().flat_map(|node| &node.track.legs);
    assert!(legs().all(|leg| (0.0..800.0).contains(&leg.to.0) && (0.0..800.0).contains(&leg.to.1)));
    assert!(legs().any(|leg| leg.to.0 > 600.0) && legs().any(|leg| leg.to.1 > 600.0));
    let message = wrong(&with(CHAIN, "[scheme]", &mobility));
    assert!(message.starts_with("line 7: mobility.kind: \"random-waypoint\" needs an area"));
}

#[test]
fn random_ways_that_cannot_be_are_refused() {
    for (keys, message) in [
        (
            "max_speed = \"5 m/s\"",
            "line 10: mobility.min_speed: is missing; kind \"random-waypoint\" needs it, as in \
             min_speed = \"1 m/s\"",
        ),
        (
            "min_speed = \"5 m/s\"",
            "line 10: mobility.max_speed: is missing; kind \"random-waypoint\" needs it, as in \
             max_speed = \"20 m/s\"",
        ),
        (
            "min_speed = \"5 m/s\"\nmax_speed = \"4 m/s\"",
            "line 13: mobility.max_speed: must not be less than min_speed",
        ),
        (
            "min_speed = \"5 m/s\"\nmax_speed = \"6 m/s\"\nmin_pause = \"2 s\"\nmax_pause = \"1 s\"",
            "line 15: mobility.max_pause: must not be shorter than min_pause",
        ),
        (
            "min_speed = \"5 m\"",
            "line 12: mobility.min_speed: \"5 m\" is a length; a speed wants m/s or km/h",
        ),
        (
            "min_speed = 5",
            "line 12: mobility.min_speed: 5 has no unit; a speed wants m/s or km/h, \
          as in \"5 m/s\"",
        ),
        (
            "file = \"x.txt\"",
            "line 12: mobility.file: does not apply to kind \"random-waypoint\", which takes \
             min_speed, max_speed, min_pause, max_pause, mobility_seed; it belongs to ns2",
        ),
        (
            "min_speed = \"3e8 m/s\"\nmax_speed = \"3e8 m/s\"",
            "line 13: mobility.max_speed: makes more than 1000000 ways until the end of the run; \
             pause longer, go slower, or shorten the run",
        ),
    ] {
        assert_eq!(wrong(&random(keys)), message);
    }
    let message = wrong(&random("min_speed = \"0 m/s\"\nmax_speed = \"5 m/s\""));
    let remedy =
        "line 12: mobility.min_speed: must be above zero, as in min_speed = \"1 m/s\": with";
    assert!(message.starts_with(remedy), "{message}");
}

/// [`EXPLICIT`] with moves of its nodes: who, when, where, how fast.
fn moves(moves: &[(&str, &str, [&str; 2], &str)]) -> String {
    moves.iter().fold(EXPLICIT.to_owned(), |text, (node, at, [x, y], speed)| {
        format!(
            "{text}[[move]]\nnode = \"{node}\"\nat = \"{at}\"\nx = \"{x}\"\ny = \"{y}\"\n\
             speed = \"{speed}\"\n"
        )
    })
}

#[test]
fn a_script_moves_a_node_as_setdest_does() {
    // in no order: a stop, a new goal on the way, the way before both, and one from rest
    let setup = right(&moves(&[
        ("beta", "8 s", ["0 m", "0 m"], "0 m/s"),
        ("beta", "5 s", ["240 m", "100 m"], "10 m/s"),
        ("beta", "1 s", ["300 m", "0 m"], "10 m/s"),
        ("beta", "20 s", ["240 m", "70 m"], "1 m/s"),
    ]));
    assert_whole(&setup);
    let beta = &setup.nodes[1];
    for (second, expected) in [
        (0.0, (200.0, 0.0)),
        (1.0, (200.0, 0.0)),
        (3.5, (225.0, 0.0)),
        (5.0, (240.0, 0.0)),
        (6.5, (240.0, 15.0)),
        (8.0, (240.0, 30.0)),
        (19.9, (240.0, 30.0)),
        (21.0, (240.0, 31.0)),
        (60.0, (240.0, 70.0)),
        (90.0, (240.0, 70.0)),
    ] {
        let there = place(beta, at(second));
        assert!(close(there, expected), "{second} s: {there:?}");
    }
    assert!(setup.nodes[0].track.legs.is_empty() && setup.nodes[2].track.legs.is_empty());
    assert_eq!(beta.track.legs.len(), 3);
}

#[test]
fn of_two_orders_at_the_same_time_the_later_one_counts() {
    let setup = right(&moves(&[
        ("alpha", "2 s", ["10 m", "0 m"], "1 m/s"),
        ("alpha", "2 s", ["0 m", "10 m"], "1 m/s"),
    ]));
    assert_whole(&setup);
    assert!(close(place(&setup.nodes[0], at(60.0)), (0.0, 10.0)));
    assert_eq!(setup.nodes[0].track.legs.len(), 1);
}

#[test]
fn the_slowest_and_the_fastest_are_where_they_should_be() {
    let setup = right(&moves(&[
        ("alpha", "0 s", ["1e6 km", "0 m"], "1e-9 m/s"),
        ("beta", "0 s", ["200.000000001 m", "0 m"], "3e8 m/s"),
        ("gamma", "3 s", ["400 m", "0 m"], "5 m/s"),
    ]));
    assert_whole(&setup);
    // 1e-9 m/s for 1e9 s: 1 m, and 1 um after 1000 s
    let alpha = &setup.nodes[0].track.legs[0];
    assert!(close(alpha.to, (1.0, 0.0)), "{alpha:?}");
    assert!((alpha.position(at(1000.0)).0 - 1e-6).abs() < 1e-9, "{alpha:?}");
    assert_eq!(setup.nodes[1].track.legs[0].end, Time::from_nanos(1));
    assert!(setup.nodes[2].track.legs.is_empty(), "it is there");
}

#[test]
fn a_script_takes_the_place_of_random_ways() {
    let script =
        "[[move]]\nnode = \"n3\"\nat = \"4 s\"\nx = \"0 m\"\ny = \"0 m\"\nspeed = \"0 m/s\"\n";
    let setup = right(&format!("{}{script}", random(WALKERS)));
    let still: Vec<_> = setup.nodes.iter().filter(|node| node.track.legs.is_empty()).collect();
    assert_eq!((still.len(), still[0].name.as_str()), (1, "n3"));
}

#[test]
fn moves_that_cannot_be_are_refused() {
    let one = |node, at, speed| moves(&[(node, at, ["0 m", "-5 m"], speed)]);
    for (text, message) in [
        (
            one("beat", "1 s", "5 m/s"),
            "line 28: move[0].node: unknown node 'beat', did you mean 'beta'?",
        ),
        (
            one("beta", "-1 s", "5 m/s"),
            "line 29: move[0].at: \"-1 s\" is negative; a time cannot be",
        ),
        (
            one("beta", "1 s", "-5 m/s"),
            "line 32: move[0].speed: \"-5 m/s\" is negative; a speed cannot be",
        ),
        (
            one("beta", "1 s", "4e8 m/s"),
            "line 32: move[0].speed: \"4e8 m/s\" is too large; a speed may be at most 3e8 m/s",
        ),
        (
            with(&one("beta", "1 s", "5 m/s"), "speed =", "sped ="),
            "line 32: move[0].sped: unknown key 'sped', did you mean 'speed'? known: node, at, x, y, speed",
        ),
    ] {
        assert_eq!(wrong(&text), message);
    }
    let script =
        "[[move]]\nnode = \"n7\"\nat = \"4 s\"\nx = \"0 m\"\ny = \"0 m\"\nspeed = \"1 m/s\"\n";
    let message = wrong(&format!("{CHAIN}{script}"));
    assert_eq!(message, "line 11: move[0].node: unknown node 'n7'; there are n0 to n4");
    let wired = format!("{}[wired]\n", moves(&[("beta", "1 s", ["0 m", "0 m"], "5 m/s")]));
    assert_eq!(
        wrong(&wired),
        "line 27: move: moves nodes, which [wired] links do not follow; use [radio] and [mac] \
         instead of [wired], or leave the nodes where they are"
    );
    let wired = format!("{}[wired]\n", random(WALKERS));
    assert!(wrong(&wired).starts_with("line 10: mobility: moves nodes, which [wired]"));
}
