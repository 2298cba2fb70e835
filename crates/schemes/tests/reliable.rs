//! Ends that repeat what is lost, without a rate: data opens the connection.

mod pipe;

use std::cell::RefCell;
use std::rc::Rc;

use multihop_core::{Duration, End, EventKind, Time, Value};
use multihop_schemes::cxcc;
use multihop_schemes::parts::reliable::RELIABLE;
use multihop_schemes::parts::reliable::{Header, Kind};
use pipe::{Fate, Pipe};

const DELAY: Duration = Duration::from_millis(50);

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

/// What the sender says: its kind, and whether it opens a connection.
type Said = Rc<RefCell<Vec<(Kind, bool)>>>;

/// A path for so many messages, and what goes over it.
fn pipe(messages: u32) -> (Pipe, Said) {
    let mut pipe = Pipe::new(&cxcc::SCHEME, &[(RELIABLE.name, Value::Switch(true))], DELAY);
    pipe.messages = messages;
    let said = Said::default();
    let log = Rc::clone(&said);
    pipe.data_path = Box::new(move |_, packet| {
        let (header, _) = Header::of(packet).expect("it is the sender's");
        log.borrow_mut().push((header.kind, header.opens()));
        Fate::Arrives
    });
    (pipe, said)
}

#[test]
fn a_few_packets_need_no_round_trip() {
    let (mut pipe, said) = pipe(3);
    pipe.run(at(60));
    assert_eq!(pipe.delivered, [0, 1, 2]);
    assert_eq!(said.take(), [(Kind::Data, true), (Kind::Data, false), (Kind::Data, false)]);
    // Nothing comes back until the interval ends.
    pipe.run(at(4_000));
    assert_eq!((pipe.acks_sent, pipe.sender.backlog()), (0, 3));
    pipe.run(at(20_000));
    assert_eq!((pipe.acks_sent, pipe.sender.backlog()), (1, 0));
    assert!(said.borrow().is_empty(), "nothing is said again");
}

#[test]
fn an_opening_that_is_lost_is_repeated_with_what_followed_it() {
    for (lost, overs) in [(vec![0], 1), (vec![0, 1, 2], 0)] {
        let (mut pipe, _) = pipe(3);
        let gone = lost.clone();
        pipe.data_path =
            Box::new(move |n, _| if gone.contains(&n) { Fate::IsLost } else { Fate::Arrives });
        pipe.run(at(20_000));
        assert_eq!(pipe.delivered, [0, 1, 2], "{lost:?}");
        // What arrives without a connection is refused, and the sender begins anew.
        assert_eq!(pipe.count(EventKind::StartOver), overs, "{lost:?}");
        assert_eq!(pipe.sender.backlog(), 0, "{lost:?}");
    }
}

#[test]
fn what_follows_an_opening_that_meets_an_earlier_connection_is_sent_again() {
    let (mut pipe, _) = pipe(3);
    pipe.run(at(1_000));
    pipe.restart(End::Source);
    pipe.messages = 6;
    pipe.run(at(20_000));
    assert_eq!(pipe.delivered, [0, 1, 2, 3, 4, 5]);
    assert_eq!(pipe.sender.backlog(), 0);
}
