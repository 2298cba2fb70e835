//! Two ends, and a network between them that does what it likes.

use std::collections::{BTreeMap, VecDeque};

use super::super::segment::WINDOW;
use super::*;

const SIZE: usize = 50;

/// Pseudo-random numbers, the same in every run.
struct Noise(u64);

impl Noise {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// An end, what its application sends, and what it has got.
struct End {
    stream: Stream,
    sends: VecDeque<u8>,
    got: Vec<u8>,
    /// In each round it takes so many bytes at most.
    reads: usize,
    sent: u32,
}

impl End {
    fn new(stream: Stream, sends: usize) -> Self {
        let sends = (0..sends).map(|at| (at * at % 251) as u8).collect();
        End { stream, sends, got: Vec::new(), reads: usize::MAX, sent: 0 }
    }

    fn run(&mut self, now: Time) {
        while self.stream.has_room() && !self.sends.is_empty() {
            let part: Vec<u8> = self.sends.drain(..SIZE.min(self.sends.len())).collect();
            self.stream.write(&part);
        }
        if self.sends.is_empty() && self.stream.state() == State::Open {
            self.stream.end();
        }
        let mut reads = self.reads;
        while let Some(part) = self.stream.ready()
            && reads > 0
        {
            let taken = part.len().min(reads);
            self.got.extend(&part[..taken]);
            self.stream.take(now, taken);
            reads -= taken;
        }
    }
}

/// A network between two ends.
struct Net {
    noise: Noise,
    now: Time,
    /// Of a hundred packets, so many are lost, and so many come twice.
    lost: u64,
    twice: u64,
    /// How long packets take, and up to how many milliseconds more.
    delay: Duration,
    spread: u64,
    wires: BTreeMap<(Time, u64), (usize, Segment)>,
    count: u64,
}

impl Net {
    fn new(seed: u64, lost: u64, twice: u64, spread: u64) -> Self {
        let (delay, wires) = (Duration::from_millis(20), BTreeMap::new());
        Net { noise: Noise(seed), now: Time::ZERO, lost, twice, delay, spread, wires, count: 0 }
    }

    fn send(&mut self, to: usize, segment: &Segment) {
        let copies = u64::from(self.noise.below(100) >= self.lost);
        let more = u64::from(self.noise.below(100) < self.twice);
        for _ in 0..copies + more {
            let delay = self.delay + Duration::from_millis(self.noise.below(self.spread + 1));
            self.count += 1;
            self.wires.insert((self.now + delay, self.count), (to, segment.clone()));
        }
    }

    /// Let them live until `done`, or for so many seconds.
    fn run(&mut self, ends: &mut [End; 2], seconds: u64, done: impl Fn(&[End; 2]) -> bool) {
        let until = self.now + Duration::from_millis(1_000 * seconds);
        while self.now < until && !done(ends) {
            for (number, end) in ends.iter_mut().enumerate() {
                end.run(self.now);
                while let Some(segment) = end.stream.poll(self.now) {
                    assert_eq!(Segment::parse(&segment.emit()).as_ref(), Ok(&segment));
                    end.sent += 1;
                    self.send(1 - number, &segment);
                }
                let Stream { outgoing, incoming, .. } = &end.stream;
                assert!(outgoing.len() <= WINDOW as usize + 1, "with its end");
                let (ready, early) = incoming.held();
                assert!(ready.max(early) <= WINDOW as usize);
            }
            let next = ends.iter().map(|end| end.stream.deadline()).min();
            let wire = self.wires.keys().next().map_or(Time::NEVER, |(at, _)| *at);
            let step = self.now + Duration::from_millis(5);
            self.now = wire.min(next.unwrap_or(Time::NEVER)).clamp(self.now, step.max(self.now));
            while let Some(entry) =
                self.wires.first_entry().filter(|entry| entry.key().0 <= self.now)
            {
                let (to, segment) = entry.remove();
                ends[to].stream.on_segment(self.now, &segment);
            }
            if wire > self.now {
                self.now = step.min(wire).max(self.now + Duration::from_millis(1));
            }
        }
    }
}

fn pair(sends: [usize; 2]) -> [End; 2] {
    let mut here = Stream::open(7, 8000, Time::ZERO);
    let open = here.poll(Time::ZERO).expect("it begins");
    assert_eq!((open.kind, open.number, open.port), (Kind::Open, 0, 8000));
    let there = Stream::accept(&open, Time::ZERO);
    [End::new(here, sends[0]), End::new(there, sends[1])]
}

fn are_done(ends: &[End; 2]) -> bool {
    ends.iter().all(|end| end.stream.state() == State::Done)
}

fn all_of(sends: usize) -> Vec<u8> {
    End::new(Stream::new(0, Time::ZERO), sends).sends.into()
}

#[test]
fn every_byte_arrives_once_and_in_order_whatever_the_network_does() {
    for (seed, lost, twice, spread) in
        [(1, 0, 0, 0), (2, 10, 0, 0), (3, 0, 20, 100), (4, 20, 10, 200), (5, 30, 0, 0)]
    {
        let sends = [20_000, 3_000];
        let mut ends = pair(sends);
        Net::new(seed, lost, twice, spread).run(&mut ends, 3_600, are_done);
        assert!(are_done(&ends), "seed {seed}: {:?}", ends.map(|end| end.got.len()));
        assert_eq!(ends[1].got, all_of(sends[0]), "seed {seed}");
        assert_eq!(ends[0].got, all_of(sends[1]), "seed {seed}");
    }
}

#[test]
fn numbers_go_on_around_their_circle() {
    let begin = |stream: &mut Stream| {
        stream.outgoing.begin_at((1 << 32) - 100);
        stream.incoming.begin_at((1 << 32) - 100);
    };
    let mut here = Stream::open(7, 8000, Time::ZERO);
    begin(&mut here);
    let open = here.poll(Time::ZERO).expect("it begins");
    let mut there = Stream::new(open.stream, Time::ZERO);
    begin(&mut there);
    there.on_segment(Time::ZERO, &open);
    let mut ends = [End::new(here, 20_000), End::new(there, 10_000)];
    Net::new(4, 20, 10, 200).run(&mut ends, 3_600, are_done);
    assert_eq!(ends[1].got, all_of(20_000));
    assert_eq!(ends[0].got, all_of(10_000));
}

#[test]
fn where_nothing_is_lost_nothing_is_repeated_and_eight_segments_have_one_answer() {
    let mut ends = pair([64_000, 0]);
    Net::new(1, 0, 0, 0).run(&mut ends, 100, are_done);
    let segments = 64_000 / SIZE as u32;
    assert_eq!(ends[0].sent, segments + 2, "with its end, and an answer to the other's");
    assert!(ends[1].sent < segments / 8 + 10, "{}", ends[1].sent);
}

#[test]
fn an_application_that_does_not_read_holds_the_other_up_and_nothing_is_lost() {
    let mut ends = pair([20_000, 0]);
    ends[1].reads = 0;
    let mut net = Net::new(1, 5, 0, 0);
    net.run(&mut ends, 1_000, |_| false);
    let (waits, before) = (ends[1].stream.incoming.held().0, ends[0].sent);
    assert_eq!(waits, WINDOW as usize);
    net.run(&mut ends, 1_000, |_| false);
    assert!(ends[0].sent - before < 30, "it asks more and more seldom");
    assert_eq!(ends[0].stream.state(), State::Open);
    ends[1].reads = 70;
    net.run(&mut ends, 1_000, are_done);
    assert_eq!(ends[1].got, all_of(20_000));
}

#[test]
fn a_reset_reaches_the_other_side_through_loss_and_is_answered_when_it_is_gone() {
    let mut ends = pair([1_000_000, 0]);
    let mut net = Net::new(9, 30, 0, 0);
    net.run(&mut ends, 5, |_| false);
    ends[1].stream.reset(net.now);
    net.run(&mut ends, 10, |ends| ends[0].stream.state() != State::Open);
    assert_eq!(ends[0].stream.state(), State::Lost);
    let mut alone = pair([0, 0]).into_iter().next().expect("there are two").stream;
    alone.reset(Time::ZERO);
    let mut now = Time::ZERO;
    while !alone.is_over(now) {
        assert_eq!(alone.poll(now).map(|segment| segment.kind), Some(Kind::Reset));
        now = alone.deadline();
    }
}

#[test]
fn who_hears_nothing_for_long_gives_up() {
    let mut ends = pair([1_000, 0]);
    let mut net = Net::new(1, 0, 0, 0);
    net.run(&mut ends, 1, |_| false);
    ends[0].stream = Stream::open(8, 80, net.now);
    net.lost = 100;
    net.run(&mut ends, 50, |_| false);
    assert_eq!(ends[0].stream.state(), State::Open);
    net.run(&mut ends, 80, |_| false);
    assert_eq!(ends[0].stream.state(), State::Broken, "it was never opened");
}

#[test]
fn a_stream_that_is_idle_lives_as_long_as_both_ends_do() {
    let mut streams = pair([0, 0]).map(|end| end.stream);
    let mut hear = |seconds: std::ops::Range<u64>, silent: bool| {
        let mut said = 0;
        for now in seconds.map(|second| Time::ZERO + Duration::from_millis(1_000 * second)) {
            for number in [0, 1, 0, 1] {
                while let Some(segment) = streams[number].poll(now) {
                    said += 1;
                    if !silent {
                        streams[1 - number].on_segment(now, &segment);
                    }
                }
            }
        }
        (said, streams.each_ref().map(|stream| stream.state))
    };
    let (said, states) = hear(0..7_300, false);
    assert_eq!(states, [State::Open; 2]);
    assert!((12..60).contains(&said), "it asks every ten minutes: {said}");
    assert_eq!(hear(7_300..8_500, true).1, [State::Broken; 2]);
}

#[test]
fn a_path_that_becomes_slow_is_not_taken_for_one_that_loses() {
    let mut ends = pair([60_000, 0]);
    let mut net = Net::new(1, 0, 0, 0);
    net.run(&mut ends, 1, |ends| ends[1].got.len() > 10_000);
    // longer than the timeout that was fine until now, and longer than the first one
    net.delay = Duration::from_millis(5_000);
    net.run(&mut ends, 1_000, are_done);
    assert_eq!(ends[1].got, all_of(60_000));
    let repeated = ends[0].sent - 60_000 / SIZE as u32 - 2;
    assert!(repeated < 10, "{repeated} were sent again");
}
