//! A scenario and a seed fix every event; a recorded node answers the same when run again.

use multihop_compose::fixed_routes;
use multihop_compose::record::{ReplayError, replay};
use multihop_core::NodeId;
use multihop_medium::medium;
use multihop_node::Node;
use multihop_routing::Life;
use multihop_setup::Channel;
use multihop_setup::Setup;

use crate::Options;
use crate::tests::{fingerprint, run, setup};

const BASE: &str = "warmup = \"1 s\"\nduration = \"4 s\"\n\
                    [topology]\nkind = \"bidirectional-cross\"\nhops = 4\n\
                    [traffic]\nload = \"60 kbit/s\"\nstart = \"0.1 s\"\n";

const KINDS: [&str; 6] = [
    "[scheme]\nname = \"udp\"\n",
    "[scheme]\nname = \"udp\"\n[mac]\nrts_cts = true\n",
    "[scheme]\nname = \"cxcc\"\n",
    "[scheme]\nname = \"cxcc\"\n[radio]\npropagation = \"log-normal-shadowing\"\n\
     bit_error_rate = 1e-5\n",
    "[scheme]\nname = \"udp\"\n[wired]\nqueue = 5\n",
    // It asks what its radio does with its time.
    "[scheme]\nname = \"cxcc\"\ncount_deaf_time = false\n",
];

fn scenario(kind: &str, seed: u64) -> Setup {
    Setup { seed, ..setup(&format!("{BASE}{kind}")) }
}

/// Node `me` alone, as in a run.
fn build(setup: &Setup, me: NodeId) -> Node {
    let medium = medium(setup);
    let mut routes = fixed_routes(setup, &medium.neighbours(), &*medium);
    multihop_compose::node(setup, me, routes.swap_remove(me.index()), Life::default())
}

/// The run's fingerprint and all its statistics.
fn outcome(kind: &str, seed: u64, options: Options) -> String {
    let tables = run(scenario(kind, seed), options);
    let fingerprint = fingerprint(&tables);
    format!("{fingerprint} {:?} {:?} {:?}", tables.runs, tables.flows, tables.nodes)
}

#[test]
fn the_same_seed_gives_the_same_run() {
    for kind in KINDS {
        let first = outcome(kind, 1, Options::default());
        assert_eq!(first, outcome(kind, 1, Options::default()), "{kind}");
    }
}

#[test]
fn another_seed_gives_another_run() {
    for kind in KINDS {
        let mut seen: Vec<String> = (1..=5)
            .map(|seed| fingerprint(&run(scenario(kind, seed), Options::default())))
            .collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 5, "{kind}");
    }
}

/// Tracing wakes stations more often, and must not change what they do.
#[test]
fn looking_does_not_change_the_run() {
    for kind in KINDS {
        let plain = run(scenario(kind, 3), Options::default());
        for options in [
            Options { trace: true, ..Options::default() },
            Options { record: Some(NodeId(2)), ..Options::default() },
            Options { trace: true, record: Some(NodeId(0)), ..Options::default() },
        ] {
            let watched = run(scenario(kind, 3), options);
            assert_eq!(fingerprint(&watched), fingerprint(&plain), "{kind}, {options:?}");
            assert_eq!(format!("{:?}", watched.flows), format!("{:?}", plain.flows), "{kind}");
            let nodes = format!("{:?}", watched.nodes);
            assert_eq!(nodes, format!("{:?}", plain.nodes), "{kind}, {options:?}");
        }
    }
}

#[test]
fn a_pause_for_nothing_changes_nothing() {
    // The order of the flows' random numbers must not depend on the medium's.
    let with = |bit_error_rate: f64| {
        let mut setup = scenario(KINDS[0], 1);
        let Channel::Radio(radio) = &mut setup.medium.channel else { panic!("no radio") };
        radio.bit_error_rate = bit_error_rate;
        fingerprint(&run(setup, Options::default()))
    };
    assert_eq!(with(0.0), with(0.0));
    assert_ne!(with(0.0), with(1e-4));
}

fn record(kind: &str, node: NodeId) -> String {
    let options = Options { record: Some(node), ..Options::default() };
    run(scenario(kind, 1), options).recording.expect("a recording was asked for")
}

#[test]
fn every_node_answers_the_same_when_its_recording_is_run_again() {
    for kind in KINDS {
        for node in [0, 2, 4, 8].map(NodeId) {
            let recording = record(kind, node);
            let lines = recording.lines().count();
            let again = replay(recording.as_bytes(), &mut build(&scenario(kind, 1), node));
            assert_eq!(again.expect("the same answers"), lines, "{kind}, {node}");
            assert!(lines > 100, "{kind}, {node}: {lines}");
        }
    }
}

#[test]
fn without_asking_there_is_no_recording() {
    assert!(run(scenario(KINDS[0], 1), Options::default()).recording.is_none());
}

#[test]
fn a_recording_that_is_cut_off_is_an_error() {
    let recording = record(KINDS[2], NodeId(2));
    let ends: Vec<usize> = recording.match_indices('\n').map(|(at, _)| at).collect();
    for line in [1, 10, ends.len() / 2, ends.len() - 1] {
        let (begin, end) = (ends[line - 1] + 1, ends[line]);
        for cut in [begin + 1, usize::midpoint(begin, end), end - 1] {
            let part = &recording[..cut];
            let again = replay(part.as_bytes(), &mut build(&scenario(KINDS[2], 1), NodeId(2)));
            let Err(ReplayError::Line { number, .. }) = again else {
                panic!("cut within line {}: {again:?}", line + 1)
            };
            assert_eq!(number, line + 1);
        }
    }
}

/// Change one line at a time; the replay must notice, at that line or where it matters.
#[test]
fn a_recording_with_a_changed_line_is_an_error() {
    let recording = record(KINDS[2], NodeId(2));
    let lines: Vec<&str> = recording.lines().collect();
    let answers: Vec<usize> = (0..lines.len())
        .filter(|at| lines[*at].starts_with("{\"output\"") || lines[*at].contains("\"request\":{"))
        .filter(|at| lines[*at].contains("\"number\":"))
        .collect();
    assert!(answers.len() > 100);
    for number in answers.iter().step_by(answers.len() / 60) {
        let mut changed = lines.clone();
        let other = lines[*number].replacen("\"number\":", "\"number\":1", 1);
        assert_ne!(other, lines[*number]);
        changed[*number] = &other;
        let text = changed.join("\n");
        let again = replay(text.as_bytes(), &mut build(&scenario(KINDS[2], 1), NodeId(2)));
        let Err(ReplayError::Differs { number: found, .. }) = again else {
            panic!("line {}: {again:?}", number + 1)
        };
        assert_eq!(found, number + 1);
    }
}

#[test]
fn a_recording_with_a_missing_answer_is_an_error() {
    let recording = record(KINDS[2], NodeId(2));
    let lines: Vec<&str> = recording.lines().collect();
    let outputs: Vec<usize> =
        (0..lines.len()).filter(|at| lines[*at].starts_with("{\"output\"")).collect();
    for number in outputs.iter().step_by(outputs.len() / 60) {
        let mut changed = lines.clone();
        changed.remove(*number);
        let text = changed.join("\n");
        let again = replay(text.as_bytes(), &mut build(&scenario(KINDS[2], 1), NodeId(2)));
        assert!(again.is_err(), "line {} is missing, and nobody noticed", number + 1);
    }
}

#[test]
fn another_seed_is_noticed() {
    let recording = record(KINDS[2], NodeId(2));
    let again = replay(recording.as_bytes(), &mut build(&scenario(KINDS[2], 2), NodeId(2)));
    assert!(matches!(again, Err(ReplayError::Differs { .. })), "{again:?}");
}
