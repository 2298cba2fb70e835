//! Figure 1, as its text describes it.

use super::*;

#[test]
fn loss_discovery_has_the_four_exits_of_the_paper() {
    let exits: Vec<(Trigger, State)> = TRANSITIONS
        .iter()
        .filter(|arrow| arrow.from == State::LossDiscovery)
        .map(|arrow| (arrow.on, arrow.to))
        .collect();
    let paper = [
        (Trigger::EnoughInserted, State::TimeoutWait),
        (Trigger::ThirdDuplicate, State::FastRecovery),
        (Trigger::NewAcknowledgment, State::WindowControl),
        (Trigger::RetransmissionTimer, State::RetransmissionTimeout),
    ];
    assert_eq!(exits, paper);
}

#[test]
fn no_two_arrows_leave_a_state_for_the_same_reason() {
    for (index, one) in TRANSITIONS.iter().enumerate() {
        for other in &TRANSITIONS[index + 1..] {
            assert!((one.from, one.on) != (other.from, other.on), "{one:?}, {other:?}");
        }
        assert_eq!(one.from.after(one.on), Some(one.to));
    }
}

#[test]
fn every_state_can_be_reached_and_left_by_a_timeout_or_an_acknowledgment() {
    for state in State::ALL {
        assert!(TRANSITIONS.iter().any(|arrow| arrow.to == state), "{state:?}");
        let ends = |arrow: &&Transition| {
            arrow.from == state
                && matches!(arrow.to, State::WindowControl | State::RetransmissionTimeout)
        };
        assert!(TRANSITIONS.iter().any(|arrow| ends(&arrow)), "{state:?}");
    }
    for trigger in Trigger::ALL {
        assert!(TRANSITIONS.iter().any(|arrow| arrow.on == trigger), "{trigger:?}");
    }
}
