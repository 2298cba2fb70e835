//! A run in steps is the same run.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use multihop_core::Time;
use multihop_setup::Setup;
use multihop_trace::{Costly, InMemory, Observation, Observer, Stream};

use crate::tests::{fingerprint, never, run, seconds, setup};
use crate::{Options, Run, Simulation, Tables};

/// It moves, restarts a node, and has a warm-up: all that stands between two events.
fn eventful() -> Setup {
    setup(
        "warmup = \"1 s\"\nduration = \"3 s\"\n\
         [topology]\nkind = \"bidirectional-chain\"\nhops = 4\n\
         [routing]\nkind = \"aodv\"\n[[restart]]\nnode = \"n2\"\nat = \"2 s\"\n\
         [scheme]\nname = \"cxcc\"\n[traffic]\nload = \"60 kbit/s\"\nstart = \"0.1 s\"\n",
    )
}

fn begun() -> Run<'static> {
    Simulation::new(eventful(), Options::default()).into_run()
}

fn outcome(tables: &Tables) -> String {
    format!("{:?} {:?} {:?} {:?}", tables.runs, tables.flows, tables.nodes, tables.series)
}

#[test]
fn steps_of_any_length_make_the_same_run() {
    let whole = outcome(&run(eventful(), Options::default()));
    for events in [1, 7, 1000, u64::MAX] {
        let mut run = begun();
        while !run.advance(events).is_over() {}
        assert_eq!(outcome(&run.finish()), whole, "{events} events a step");
    }
    for step in [0.01, 0.5, 1.0, 2.0, 100.0] {
        let (mut run, mut until) = (begun(), 0.0);
        while !run.progress().is_over() {
            until += step;
            run.advance_until(seconds(until));
        }
        assert_eq!(outcome(&run.finish()), whole, "{step} s a step");
    }
}

#[test]
fn single_events_before_a_time_make_the_same_run() {
    let whole = outcome(&run(eventful(), Options::default()));
    let (mut run, mut events) = (begun(), 0);
    for until in [0.5, 2.5, 2.5, 9.0].map(seconds) {
        while run.advance_once(until) {
            events += 1;
            assert!(run.progress().now < until);
        }
        assert_eq!(run.progress().events, events);
    }
    assert!(run.progress().is_over());
    assert_eq!(outcome(&run.finish()), whole);
}

#[test]
fn a_run_goes_as_far_as_it_is_told_and_no_further() {
    let mut run = begun();
    assert_eq!(run.progress().events, 0);
    assert_eq!(run.advance(10).events, 10);
    let there = run.advance_until(seconds(2.5));
    assert_eq!((there.now, there.end, there.is_over()), (seconds(2.5), seconds(4.0), false));
    let back = run.advance_until(seconds(1.0));
    assert_eq!(back, there, "time never goes back");
    assert!(run.advance_until(Time::NEVER).is_over());
    assert_eq!(run.progress().now, seconds(4.0));
    assert_eq!(run.advance(10), run.progress(), "nothing is left");
}

#[test]
fn a_run_that_is_finished_early_goes_to_its_end() {
    let mut run = begun();
    run.advance(500);
    let tables = run.finish();
    assert_eq!(
        fingerprint(&tables),
        fingerprint(&crate::tests::run(eventful(), Options::default()))
    );
}

/// When it was told of what has become of frames.
#[derive(Default)]
struct Told(Vec<Time>);

impl Observer for Told {
    fn wants(&self, costly: Costly) -> bool {
        costly == Costly::Receptions
    }

    fn observe(&mut self, at: Time, what: &Observation) {
        if matches!(what, Observation::Receptions(_)) {
            self.0.push(at);
        }
    }
}

#[test]
fn what_a_cancelled_run_has_done_is_told() {
    let told = Rc::new(RefCell::new(Told::default()));
    let simulation = Simulation::new(eventful(), Options::default()).watched_by(Rc::clone(&told));
    let mut run = simulation.into_run();
    run.advance_until(seconds(1.5));
    let before = told.borrow().0.len();
    run.cancel();
    let after = told.borrow();
    assert!(after.0.len() >= before && after.0.last().is_some_and(|at| *at <= seconds(1.5)));
    assert_eq!(Rc::strong_count(&told), 1, "the run is gone");
}

fn trace(setup: &Setup, most: usize) -> Stream<InMemory> {
    crate::stream(setup, InMemory::new(BTreeMap::new(), most), 64)
}

/// A whole run and its trace, which may have so many bytes.
fn traced(most: usize) -> (InMemory, Tables) {
    let setup = eventful();
    let mut stream = trace(&setup, most);
    let simulation = Simulation::new(setup, Options::default()).watched_by(&mut stream);
    let tables = simulation.run(&never()).expect("nobody interrupts the run");
    (stream.finish(), tables)
}

#[test]
fn a_trace_in_steps_is_the_same_and_can_be_taken_early() {
    let (mut whole, _) = traced(usize::MAX);
    let setup = eventful();
    let stream = Rc::new(RefCell::new(trace(&setup, usize::MAX)));
    let simulation = Simulation::new(setup, Options::default()).watched_by(Rc::clone(&stream));
    let mut run = simulation.into_run();
    run.advance_until(seconds(3.0));
    let early = stream.borrow_mut().sink().take("frames").expect("a batch is full");
    assert!(early.len() > 1000);
    drop(run.finish());
    let stream = Rc::into_inner(stream).expect("the run is gone").into_inner();
    let mut stepped = stream.finish();
    assert_eq!(stepped.rows(), whole.rows());
    for name in ["receptions", "queues", "positions", "series", "events"] {
        assert_eq!(stepped.take(name), whole.take(name), "{name}");
    }
    let late = stepped.take("frames").expect("there are frames");
    assert!(late.len() < whole.take("frames").expect("there are frames").len());
    assert_eq!(stepped.take("no such table"), None);
}

#[test]
fn a_trace_that_is_too_long_is_cut_and_results_stay() {
    let (whole, tables) = traced(usize::MAX);
    assert!(!whole.is_cut());
    let (mut cut, same) = traced(1000);
    assert!(cut.is_cut());
    assert_eq!(outcome(&same), outcome(&tables));
    let rows = cut.rows();
    assert!(rows.values().sum::<u64>() < whole.rows().values().sum());
    for part in rows.into_keys().filter_map(|name| cut.take(name)) {
        assert!(part.starts_with(b"PAR1") && part.ends_with(b"PAR1"));
    }
}
