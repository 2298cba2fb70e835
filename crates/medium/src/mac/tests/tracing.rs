//! Which frame is said to have destroyed which.

use multihop_core::{Duration, LossCause, Time};

use crate::mac::{Action, Arrival, BROADCAST, FrameKind, NO_FRAME};
use crate::tests::air::{Air, STRONG, at, frame, micros};

/// A data frame of 512 bytes of payload, in us.
const DATA: u64 = 4720;

/// A station that tells of every frame that it hears.
fn listener(keys: &str) -> Air {
    let mut air = Air::alone(keys, 1);
    air.stations[0].set_tracing(true);
    air
}

/// Data of `power` from node `number`, the frame of that number, begins to arrive at `us`.
fn arrive(air: &mut Air, number: u32, us: u64, power: f64, spoiled: Option<LossCause>) {
    let frame = frame(FrameKind::UnacknowledgedData, number, BROADCAST, Duration::ZERO);
    air.run(at(us));
    let arrival = Arrival { frame: &frame, power, start: at(us), spoiled };
    air.call(0, |station, ports| {
        let _ = station.on_watched_arrival(number, &arrival, ports);
    });
}

/// What became of a frame.
#[derive(Debug, PartialEq)]
enum Fate {
    Decoded(u32),
    /// Its number, when it ended, why, and by which other.
    Lost(u32, Time, LossCause, u32),
}
use Fate::{Decoded, Lost};

fn fates(air: &mut Air) -> Vec<Fate> {
    air.run(at(1_000_000));
    let told = air.log.iter().filter_map(|entry| match entry.action {
        Action::Heard(_, number) => Some(Decoded(number)),
        Action::Lost { number, end, cause, by, .. } => Some(Lost(number, end, cause, by)),
        _ => None,
    });
    told.collect()
}

fn lost(number: u32, start: u64, cause: LossCause, by: u32) -> Fate {
    Lost(number, at(start) + micros(DATA), cause, by)
}

#[test]
fn two_frames_destroy_each_other() {
    let mut air = listener("");
    arrive(&mut air, 7, 1000, STRONG, None);
    arrive(&mut air, 9, 3000, STRONG, None);
    // The radio is locked on to frame 9, which ends last: the third meets that one.
    arrive(&mut air, 8, 7000, STRONG, None);
    let collided = |number, start, by| lost(number, start, LossCause::Collision, by);
    assert_eq!(fates(&mut air), [collided(7, 1000, 9), collided(9, 3000, 7), collided(8, 7000, 9)]);
}

#[test]
fn what_is_too_weak_to_be_decoded_destroys_too_and_a_much_stronger_frame_survives() {
    let mut air = listener("");
    arrive(&mut air, 5, 1000, STRONG, None);
    arrive(&mut air, 6, 2000, STRONG / 2.0, Some(LossCause::TooWeak));
    arrive(&mut air, 3, 100_000, STRONG, None);
    arrive(&mut air, 4, 101_000, STRONG / 100.0, None);
    assert_eq!(
        fates(&mut air),
        [
            lost(6, 2000, LossCause::TooWeak, NO_FRAME),
            lost(5, 1000, LossCause::Collision, 6),
            lost(4, 101_000, LossCause::CaptureLost, 3),
            Decoded(3),
        ]
    );
}

#[test]
fn a_newcomer_that_takes_over_is_the_one_that_is_received_instead() {
    let mut air = listener("[radio]\nreception = \"message-in-message\"\n");
    arrive(&mut air, 1, 1000, STRONG / 100.0, None);
    arrive(&mut air, 2, 2000, STRONG, None);
    assert_eq!(fates(&mut air), [lost(1, 1000, LossCause::CaptureLost, 2), Decoded(2)]);
}

#[test]
fn what_a_radio_loses_because_it_sends_itself_has_no_other() {
    let mut air = listener("");
    arrive(&mut air, 1, 1000, STRONG, None);
    arrive(&mut air, 2, 20_000, STRONG, Some(LossCause::Transmitting));
    assert_eq!(fates(&mut air), [Decoded(1), lost(2, 20_000, LossCause::Transmitting, NO_FRAME)]);
}
