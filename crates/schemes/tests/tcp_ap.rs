//! TCP-AP: its pace on the way, and the readings of its authors' code. What it estimates is tested
//! beside the code.

mod pipe;

use std::cell::RefCell;
use std::rc::Rc;

use multihop_core::{Duration, EventKind, Time, Value};
use multihop_schemes::find;
use multihop_schemes::parts::tcp::header::{Header, Kind};
use multihop_schemes::parts::tcp::options::{HeaderOption, LONGEST, Options};
use multihop_schemes::parts::tcp::timestamp::SentAt;
use multihop_schemes::tcp::ap::echo::Echo;
use pipe::{Fate, Pipe};

type Sent = Rc<RefCell<Vec<(u64, u32)>>>;

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

/// A route of so many hops with this delay each way, and the segments (time in ms, number) that went.
fn route(hops: u8, delay: u64, given: &[(&str, Value)], lost: &'static [usize]) -> (Pipe, Sent) {
    let scheme = find("tcp-ap").expect("a TCP");
    let mut pipe = Pipe::new(scheme, given, Duration::from_millis(delay));
    let sent = Sent::default();
    let log = Rc::clone(&sent);
    pipe.data_path = Box::new(move |n, packet| {
        packet.ttl -= hops - 1;
        let header = Header::of(packet).expect("a segment");
        let SentAt(micros) = header.options.get().expect("its time");
        if header.kind == Kind::Data {
            log.borrow_mut().push((u64::from(micros) / 1_000, header.sequence));
        }
        if lost.contains(&n) { Fate::IsLost } else { Fate::Arrives }
    });
    (pipe, sent)
}

#[test]
fn segments_are_as_far_apart_as_four_hops_take() {
    // 50 ms each way over ten hops, of which 4.448 ms are air time of 1112 B, and 0.448 of 112 B.
    let (mut pipe, sent) = route(10, 50, &[], &[]);
    pipe.run(at(20_000));
    let times: Vec<u64> = sent.take().iter().map(|(time, _)| *time).collect();
    let gaps: Vec<u64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let late = &gaps[gaps.len() / 2..];
    assert!(late.iter().all(|gap| (27..=29).contains(gap)), "28 ms: {late:?}");
    assert!(gaps[1..].iter().all(|gap| *gap >= 20), "no bursts: {gaps:?}");
}

#[test]
fn the_window_limits_as_well() {
    let (mut pipe, _) = route(10, 500, &[("window_limit", Value::Number(3.0))], &[]);
    pipe.run(at(30_000));
    let delivered = pipe.delivered.len();
    assert!((80..=90).contains(&delivered), "three per round trip of 1 s: {delivered}");
}

#[test]
fn a_packet_is_no_longer_for_what_the_halves_say() {
    let (mut pipe, _) = route(3, 50, &[], &[]);
    pipe.ack_path = Box::new(|_, packet| {
        assert_eq!(packet.headers.len(), 20);
        let echo: Option<Echo> = Header::of(packet).expect("a segment").options.get();
        assert_eq!(echo.expect("an echo").hops, 3);
        Fate::Arrives
    });
    pipe.run(at(2_000));
    assert_eq!((pipe.sender.header_len(), pipe.sink.header_len()), (20, 20));
}

/// With a window of six and a pace for more, no segment waits for its turn when the eleventh is found
/// lost: the authors' code then stops its timer.
#[test]
fn the_timer_fault_of_the_authors_code_is_silence_until_the_timeout() {
    let window = ("window_limit", Value::Number(6.0));
    let silence = |given: &[(&str, Value)]| {
        let (mut pipe, sent) = route(40, 500, given, &[30]);
        pipe.run(at(30_000));
        assert!(pipe.delivered.len() > 50, "it goes on: {}", pipe.delivered.len());
        let lost = sent.take().into_iter().skip_while(|(_, number)| *number < 30);
        let times: Vec<u64> = lost.map(|(time, _)| time).collect();
        let longest = times.windows(2).map(|pair| pair[1] - pair[0]).max();
        (longest.expect("more are sent"), pipe.count(EventKind::RetransmissionTimeout))
    };
    let (calm, timeouts) = silence(std::slice::from_ref(&window));
    assert!(timeouts == 0, "{calm} ms, {timeouts} timeouts");
    // What was lost is repeated and acknowledged, so that nothing is on its way when the timer runs out.
    let (silent, timeouts) = silence(&[window, ("timer_fault", Value::Switch(true))]);
    assert!(
        silent > calm + 200 && timeouts == 0,
        "{silent} ms against {calm}, {timeouts} timeouts"
    );
}

#[test]
fn the_timeout_doubles_or_not() {
    let timeouts = |backoff| {
        let (mut pipe, _) = route(10, 50, &[("rto_backoff", Value::Switch(backoff))], &[]);
        pipe.run(at(2_000));
        pipe.data_path = Box::new(|_, _| Fate::IsLost);
        pipe.run(at(32_000));
        pipe.count(EventKind::RetransmissionTimeout)
    };
    let (doubled, constant) = (timeouts(true), timeouts(false));
    assert!(doubled < 10, "{doubled}");
    assert!(constant > 60, "{constant}");
}

fn body<O: HeaderOption>(option: &O) -> Vec<u8> {
    let mut bytes = [0; LONGEST];
    let len = option.emit(&mut bytes);
    bytes[..len].to_vec()
}

#[test]
fn options_are_read_as_they_are_written_and_not_otherwise() {
    let (sent, echo) = (SentAt(0xFFFF_0001), Echo { sent: SentAt(7), hops: 9 });
    assert_eq!(SentAt::parse(&body(&sent)), Some(sent));
    assert_eq!(Echo::parse(&body(&echo)), Some(echo));
    assert_eq!((SentAt::parse(&[1, 2, 3]), Echo::parse(&[1, 2, 3, 4])), (None, None));
    assert_eq!(Echo::parse(&[0, 0, 0, 7, 0]), None, "there is at least one hop");
    let mut options = Options::default();
    options.put(&sent);
    assert_eq!((options.get::<SentAt>(), options.get::<Echo>()), (Some(sent), None));
}

#[test]
fn times_wrap_around() {
    assert_eq!(SentAt(u32::MAX).until(SentAt(4)), 5);
    assert_eq!(SentAt(4).until(SentAt(u32::MAX)), -5);
    let now = Time::ZERO + Duration::from_micros(u64::from(u32::MAX) + 3);
    assert_eq!(SentAt(u32::MAX).age(now), Duration::from_micros(3));
    assert_eq!(SentAt(100).age(now), Duration::ZERO, "a time to come");
}
