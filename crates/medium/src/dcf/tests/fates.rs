//! What is said of frames: which has destroyed which, and when it is said.

use multihop_core::{Decoded, Duration, Fate, LossCause, NodeId, Reception};

use crate::dcf::{Arrival, BROADCAST, Fates, FrameKind};
use crate::tests::air::{Air, STRONG, at, frame};

/// A data frame of 512 bytes of payload, in us.
const DATA: u64 = 4720;

/// A station that somebody watches.
fn listener(keys: &str) -> Air {
    let mut air = Air::alone(keys, 1);
    air.fates = Some(Fates::new(2, 0, true));
    air
}

/// The next frame, data of `power`, begins to arrive at `us`.
fn arrive(air: &mut Air, us: u64, power: f64, spoiled: Option<LossCause>) {
    let frame = frame(FrameKind::UnacknowledgedData, 1, BROADCAST, Duration::ZERO);
    air.arrive(&Arrival {
        to: NodeId(0),
        frame: &frame,
        power,
        start: at(us),
        spoiled,
        closing: false,
    });
}

/// What is said at `us`.
fn told(air: &mut Air, us: u64) -> Vec<Reception> {
    air.run(at(us));
    let mut told = Vec::new();
    let fates = air.fates.as_mut().expect("somebody watches");
    fates.hand_over(air.now, |known| told.extend_from_slice(known));
    told
}

/// The fates that are known after all.
fn fates(air: &mut Air) -> Vec<(Fate, Option<u32>)> {
    told(air, 1_000_000).into_iter().map(|found| (found.fate, found.by)).collect()
}

const DECODED: (Fate, Option<u32>) = (Fate::Decoded(Decoded::Addressed), None);

const fn lost(cause: LossCause, by: u32) -> (Fate, Option<u32>) {
    (Fate::Lost(cause), Some(by))
}

#[test]
fn two_frames_destroy_each_other() {
    let mut air = listener("");
    arrive(&mut air, 1000, STRONG, None);
    arrive(&mut air, 3000, STRONG, None);
    // The radio is locked on to frame 1, which ends last: the third meets that one.
    arrive(&mut air, 7000, STRONG, None);
    let collided = |by| lost(LossCause::Collision, by);
    assert_eq!(fates(&mut air), [collided(1), collided(0), collided(1)]);
}

#[test]
fn what_is_too_weak_to_be_decoded_destroys_too_and_a_much_stronger_frame_survives() {
    let mut air = listener("");
    arrive(&mut air, 1000, STRONG, None);
    arrive(&mut air, 2000, STRONG / 2.0, Some(LossCause::TooWeak));
    arrive(&mut air, 100_000, STRONG, None);
    arrive(&mut air, 101_000, STRONG / 100.0, None);
    let expected = [
        lost(LossCause::Collision, 1),
        (Fate::Sensed, None),
        DECODED,
        lost(LossCause::CaptureLost, 2),
    ];
    assert_eq!(fates(&mut air), expected);
    air.fates = Some(Fates::new(2, 0, false));
    arrive(&mut air, 2_000_000, STRONG, None);
    arrive(&mut air, 2_001_000, STRONG / 2.0, Some(LossCause::TooWeak));
    // Nobody asks what becomes of the second, and still it is the culprit.
    assert_eq!(told(&mut air, 3_000_000).len(), 1);
}

#[test]
fn a_newcomer_that_takes_over_is_the_one_that_is_received_instead() {
    let mut air = listener("[radio]\nreception = \"message-in-message\"\n");
    arrive(&mut air, 1000, STRONG / 100.0, None);
    arrive(&mut air, 2000, STRONG, None);
    assert_eq!(fates(&mut air), [lost(LossCause::CaptureLost, 1), DECODED]);
}

#[test]
fn what_a_radio_loses_because_it_sends_itself_has_no_other() {
    let mut air = listener("");
    arrive(&mut air, 1000, STRONG, None);
    arrive(&mut air, 20_000, STRONG, Some(LossCause::Transmitting));
    assert_eq!(fates(&mut air), [DECODED, (Fate::Lost(LossCause::Transmitting), None)]);
}

#[test]
fn nothing_is_said_before_the_end_and_nothing_twice() {
    let mut air = listener("");
    arrive(&mut air, 1000, STRONG, None);
    arrive(&mut air, 3000, STRONG, Some(LossCause::TooWeak));
    assert_eq!(told(&mut air, 1000 + DATA - 1), []);
    let [first] = told(&mut air, 1000 + DATA)[..] else { panic!("one frame has ended") };
    assert_eq!((first.frame, first.node, first.end), (0, NodeId(0), at(1000 + DATA)));
    // What destroyed it came 2 ms after it.
    assert_eq!(first.certain, at(3000));
    let [second] = told(&mut air, 1_000_000)[..] else { panic!("the other has ended") };
    assert_eq!((second.frame, second.end), (1, at(3000 + DATA)));
    assert_eq!(told(&mut air, 2_000_000), []);
}

#[test]
fn of_what_a_restart_cuts_off_nothing_is_said() {
    let mut air = listener("");
    arrive(&mut air, 1000, STRONG, None);
    arrive(&mut air, 10_000, STRONG, None);
    let fates = air.fates.as_mut().expect("somebody watches");
    fates.on_restart(at(12_000), NodeId(1));
    arrive(&mut air, 20_000, STRONG, None);
    let fates = air.fates.as_mut().expect("somebody watches");
    fates.on_restart(at(22_000), NodeId(0));
    let known: Vec<u32> = told(&mut air, 1_000_000).iter().map(|found| found.frame).collect();
    assert_eq!(known, [0]);
}
