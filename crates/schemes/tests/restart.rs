//! The ends of a connection restart, and its numbers wrap around.

mod pipe;

use std::cell::RefCell;
use std::rc::Rc;

use multihop_core::{Duration, End, EventKind, Numbering, Packet, Scheme, Time, Value};
use multihop_schemes::SCHEMES;
use multihop_schemes::parts::reliable::RELIABLE;
use multihop_testkit::keeps;
use pipe::{Fate, Pipe, params};

const DELAY: Duration = Duration::from_millis(1);

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

type Given = Vec<(&'static str, Value)>;

/// The schemes whose ends repeat what is lost, and the parameters with which they do; not HxH, whose ends go by what
/// its hop protocol has heard.
fn schemes() -> impl Iterator<Item = (&'static Scheme, Given)> {
    let known = SCHEMES.iter().filter(|scheme| scheme.name != "hxh").map(|scheme| {
        let optional = scheme.params.iter().any(|param| param.name == RELIABLE.name);
        let given = optional.then_some((RELIABLE.name, Value::Switch(true)));
        (*scheme, given.into_iter().collect())
    });
    known.filter(|(scheme, given): &(_, Given)| keeps(scheme, &params(scheme, given)))
}

fn counts_up(numbers: &[u32]) -> bool {
    numbers.windows(2).all(|pair| pair[1] == pair[0] + 1)
}

#[test]
fn a_source_that_restarts_begins_anew() {
    assert!(schemes().count() > 10, "which repeat what is lost is asked of them");
    for (scheme, given) in schemes() {
        let mut pipe = Pipe::new(scheme, &given, DELAY);
        pipe.run(at(500));
        let before = pipe.delivered.len();
        let first = pipe.handed_over;
        assert!(before > 100 && first as usize > before, "{}: {before}", scheme.name);
        pipe.restart(End::Source);
        pipe.run(at(1_000));
        // What was under way when it restarted still counts for its old life.
        let after = pipe.delivered.iter().position(|number| *number == first);
        let after = after.unwrap_or_else(|| panic!("{}: nothing is delivered", scheme.name));
        assert!(counts_up(&pipe.delivered[..after]), "{}", scheme.name);
        assert!(counts_up(&pipe.delivered[after..]), "{}", scheme.name);
        assert!(pipe.delivered.len() > after + 100, "{}", scheme.name);
    }
}

#[test]
fn a_destination_that_restarts_gets_all_that_is_not_acknowledged() {
    for (scheme, given) in schemes() {
        // A packet is missing, so that others wait behind it when the restart comes.
        let mut pipe = Pipe::new(scheme, &given, DELAY);
        pipe.data_path = Box::new(|n, _| if n == 150 { Fate::IsLost } else { Fate::Arrives });
        pipe.run(Time::ZERO);
        while pipe.data_sent < 154 {
            assert!(pipe.step(at(5_000)), "{}", scheme.name);
        }
        let before = pipe.delivered.len();
        pipe.restart(End::Destination);
        pipe.run(pipe.now + Duration::from_millis(8_000));
        let (old, new) = pipe.delivered.split_at(before);
        assert!(counts_up(old) && counts_up(new), "{}", scheme.name);
        assert!(new.len() > 100, "{}: {} packets", scheme.name, new.len());
        assert!(new[0] <= old.last().map_or(0, |last| last + 1), "{}: a gap", scheme.name);
        let overs = pipe.count(EventKind::StartOver);
        assert!(overs <= 1, "{}: {overs}", scheme.name);
    }
}

/// Whatever an earlier life has said may come again at any time.
#[test]
fn old_duplicates_do_not_end_a_connection() {
    for (scheme, given) in schemes() {
        let mut pipe = Pipe::new(scheme, &given, DELAY);
        let log: Rc<RefCell<Vec<(End, Packet)>>> = Rc::default();
        let (data, acks) = (Rc::clone(&log), Rc::clone(&log));
        pipe.data_path = Box::new(move |_, packet| {
            data.borrow_mut().push((End::Destination, packet.clone()));
            Fate::Arrives
        });
        pipe.ack_path = Box::new(move |_, packet| {
            acks.borrow_mut().push((End::Source, packet.clone()));
            Fate::Arrives
        });
        pipe.run(at(200));
        let old = log.take();
        pipe.restart(End::Source);
        pipe.run(at(400));
        let (first, before) = (pipe.delivered.len(), pipe.handed_over);
        for (to, packet) in old {
            pipe.made += usize::from(packet.tag.is_data());
            pipe.hand(to, packet);
        }
        pipe.run(at(800));
        let new = &pipe.delivered[first - 1..];
        assert!(counts_up(new), "{}: {:?}", scheme.name, &new[..new.len().min(20)]);
        let more = pipe.handed_over - before;
        assert!(more > 50, "{}: {more}", scheme.name);
        assert_eq!(pipe.count(EventKind::StartOver), 0, "{}", scheme.name);
    }
}

/// The life whose numbers begin closest below the end of the circle.
#[test]
#[ignore = "long"]
fn numbers_wrap_around() {
    let left = |life: u16| u32::MAX - Numbering::of_life(life).write(0).0;
    let life = (0..=u16::MAX).min_by_key(|life| left(*life)).expect("there are lives");
    // One of each kind: a go-back, a scoreboard, a ring of times, and rates.
    let kinds = ["newreno", "sack", "vegas", "atp"];
    for (scheme, _) in schemes().filter(|(scheme, _)| kinds.contains(&scheme.name)) {
        let many = Value::Count(1_000);
        let limits = ["window_limit", "initial_threshold", "initial_window"];
        let given = limits.map(|name| (name, many.clone()));
        let known = |(name, _): &&(&str, Value)| scheme.params.iter().any(|it| it.name == *name);
        let given: Vec<_> = given.iter().filter(known).cloned().collect();
        let mut pipe = Pipe::new(scheme, &given, DELAY);
        pipe.lives[0] = life;
        // Some are lost, so that gaps are filled on both sides of the end.
        let near = left(life) as usize;
        pipe.data_path =
            Box::new(
                move |n, _| {
                    if n + 100 > near && n % 97 == 0 { Fate::IsLost } else { Fate::Arrives }
                },
            );
        pipe.run(Time::ZERO);
        while pipe.delivered.len() < near + 3_000 {
            assert!(pipe.step(at(3_600_000)), "{}: {}", scheme.name, pipe.delivered.len());
        }
        assert!(counts_up(&pipe.delivered), "{}", scheme.name);
    }
}
