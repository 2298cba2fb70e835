//! Frames that are sealed, opened, changed, repeated and made up.

use multihop_core::{Duration, Rate};

use super::*;

const A: NodeId = NodeId(1);
const B: NodeId = NodeId(2);
const C: NodeId = NodeId(3);

fn seal(key: u8, me: NodeId, life: u32) -> Seal {
    Seal::new(&NetworkKey([key; 32]), me, life, [me.0 as u8, life as u8, 7, 7])
}

fn from(sender: NodeId, heard: Heard, frame: &[u8]) -> Reception {
    Reception {
        from: sender,
        heard,
        rate: Rate(1_000_000),
        signal: None,
        air_time: Duration::ZERO,
        marked: false,
        frame: frame.to_vec(),
    }
}

fn opened(seal: &mut Seal, reception: &Reception) -> Result<Vec<u8>, Refused> {
    seal.open(reception).map(|reception| reception.frame)
}

#[test]
fn all_with_the_key_can_read_and_nobody_else() {
    let mut a = seal(9, A, 1);
    let frame = a.close(Receiver::Node(B), b"a packet");
    assert_eq!(frame.len(), 8 + OVERHEAD);
    assert!(!frame.windows(6).any(|part| part == b"packet"));
    let (for_b, for_others) = (from(A, Heard::ForMe, &frame), from(A, Heard::Overheard, &frame));
    assert_eq!(opened(&mut seal(9, B, 1), &for_b), Ok(b"a packet".to_vec()));
    assert_eq!(opened(&mut seal(9, C, 1), &for_others), Ok(b"a packet".to_vec()));
    assert_eq!(opened(&mut seal(8, B, 1), &for_b), Err(Refused::NotAuthentic));
    let everyone = a.close(Receiver::Broadcast, b"a question");
    let heard = from(A, Heard::Broadcast, &everyone);
    assert_eq!(opened(&mut seal(9, C, 1), &heard), Ok(b"a question".to_vec()));
}

#[test]
fn a_frame_that_is_changed_turned_or_of_another_sender_is_not_authentic() {
    let frame = seal(9, A, 1).close(Receiver::Node(B), b"a packet");
    let mut b = seal(9, B, 1);
    for bit in 0..frame.len() * 8 {
        let mut changed = frame.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let refused = opened(&mut b, &from(A, Heard::ForMe, &changed));
        assert_eq!(refused, Err(Refused::NotAuthentic), "bit {bit}");
    }
    for len in 0..frame.len() {
        assert!(opened(&mut b, &from(A, Heard::ForMe, &frame[..len])).is_err(), "{len}");
    }
    assert!(opened(&mut b, &from(C, Heard::ForMe, &frame)).is_err(), "C has not sent it");
    assert!(opened(&mut seal(9, C, 1), &from(A, Heard::ForMe, &frame)).is_err(), "it is for B");
    assert!(
        opened(&mut b, &from(A, Heard::ForMe, &frame)).is_ok(),
        "what was refused left nothing"
    );
}

#[test]
fn a_frame_is_opened_once_whatever_the_order() {
    let (mut a, mut b) = (seal(9, A, 1), seal(9, B, 1));
    let frames: Vec<_> = (0..200u8).map(|number| a.close(Receiver::Node(B), &[number])).collect();
    let mut open = |at: usize| opened(&mut b, &from(A, Heard::ForMe, &frames[at]));
    for at in [0, 5, 3, 4, 66, 60] {
        assert_eq!(open(at), Ok(vec![at as u8]));
        assert_eq!(open(at), Err(Refused::Replayed));
    }
    assert_eq!(open(2), Err(Refused::Replayed), "too old to know");
    assert_eq!(open(199), Ok(vec![199]));
    assert_eq!(open(136), Ok(vec![136]), "63 behind");
    assert_eq!(open(135), Err(Refused::Replayed), "64 behind");
}

#[test]
fn another_life_goes_on_and_frames_of_the_one_before_are_old() {
    let mut b = seal(9, B, 1);
    let (mut first, mut second) = (seal(9, A, 1), seal(9, A, 2));
    let old = first.close(Receiver::Node(B), b"old");
    let kept = first.close(Receiver::Node(B), b"kept");
    assert!(opened(&mut b, &from(A, Heard::ForMe, &old)).is_ok());
    let new = second.close(Receiver::Node(B), b"new");
    assert_eq!(opened(&mut b, &from(A, Heard::ForMe, &new)), Ok(b"new".to_vec()));
    assert_eq!(opened(&mut b, &from(A, Heard::ForMe, &kept)), Err(Refused::Replayed));
}

#[test]
fn a_million_frames_that_are_made_up_leave_nothing_behind() {
    let mut b = seal(9, B, 1);
    let mut state = 1u64;
    let mut noise = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut frame = vec![0; 100];
    // in tests without optimisation fewer
    let count = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };
    for _ in 0..count {
        frame.truncate(noise() as usize % 100);
        frame.resize(noise() as usize % 100, noise() as u8);
        let sender = NodeId(noise() as u32 & 0x00FF_FFFF);
        assert!(opened(&mut b, &from(sender, Heard::ForMe, &frame)).is_err());
    }
    assert!(b.windows.is_empty());
}

#[test]
fn what_is_remembered_is_old_and_what_comes_later_is_not() {
    let mut a = seal(9, A, 3);
    let frames: Vec<_> = (0..3).map(|_| a.close(Receiver::Broadcast, b"x")).collect();
    let [first, second, third] = [0, 1, 2].map(|at| from(A, Heard::Broadcast, &frames[at]));
    let mut before = seal(9, B, 1);
    for heard in [&first, &second] {
        assert!(opened(&mut before, heard).is_ok());
    }
    assert!(before.take_new_life() && !before.take_new_life());
    let mut after = seal(9, B, 2);
    for (sender, counter) in before.heard() {
        after.remember(sender, counter);
    }
    assert_eq!(opened(&mut after, &first), Err(Refused::Replayed));
    assert_eq!(opened(&mut after, &second), Err(Refused::Replayed));
    assert!(opened(&mut after, &third).is_ok());
    assert!(!after.take_new_life(), "it is the life that is known");
}

#[test]
fn a_life_that_is_spent_is_followed_by_another() {
    let mut a = seal(9, A, 1);
    a.counter += u64::from(u32::MAX) - 1;
    let last = a.close(Receiver::Broadcast, b"x");
    assert!(a.is_spent());
    a.renew(2, [0; 4]);
    assert!(!a.is_spent());
    let next = a.close(Receiver::Broadcast, b"y");
    let counters =
        [&last, &next].map(|frame| u64::from_be_bytes(frame[..8].try_into().expect("8")));
    assert_eq!(counters, [u64::from(u32::MAX) | 1 << 32, 2 << 32 | 1]);
    let mut b = seal(9, B, 1);
    assert!(opened(&mut b, &from(A, Heard::Broadcast, &last)).is_ok());
    assert!(opened(&mut b, &from(A, Heard::Broadcast, &next)).is_ok());
}

#[test]
#[should_panic(expected = "another life's")]
fn a_spent_life_seals_nothing() {
    let mut a = seal(9, A, 1);
    a.counter += u64::from(u32::MAX);
    a.close(Receiver::Broadcast, b"x");
}

#[test]
fn a_fingerprint_is_the_keys() {
    assert_eq!(seal(9, A, 1).fingerprint(), seal(9, B, 7).fingerprint());
    assert_ne!(seal(9, A, 1).fingerprint(), seal(8, A, 1).fingerprint());
}

/// First all nodes open frames of the new key, then one after the other seals with it, then nobody opens those of the old one.
#[test]
fn a_network_changes_its_key_while_it_runs() {
    let (old, new) = (NetworkKey([8; 32]), NetworkKey([9; 32]));
    let (mut before, mut after) = (Seal::new(&old, A, 1, [0; 4]), Seal::new(&new, B, 2, [0; 4]));
    before.set_keys(&old, Some(&new));
    after.set_keys(&new, Some(&old));
    let of_old = before.close(Receiver::Broadcast, b"old");
    let of_new = after.close(Receiver::Broadcast, b"new");
    let heard = from(A, Heard::Broadcast, &of_old);
    assert_eq!(opened(&mut after, &heard), Ok(b"old".to_vec()));
    assert_eq!(opened(&mut after, &heard), Err(Refused::Replayed));
    assert_eq!(opened(&mut before, &from(B, Heard::Broadcast, &of_new)), Ok(b"new".to_vec()));
    assert_eq!(opened(&mut seal(9, C, 1), &heard), Err(Refused::NotAuthentic), "it is over");
    assert!(after.knows(before.fingerprint()) && before.knows(after.fingerprint()));
    assert!(!seal(9, C, 1).knows(before.fingerprint()));
    assert_eq!((before.of_other(), after.of_other()), (1, 1));
    // no restart is needed: counters and what was heard go on
    before.set_keys(&new, Some(&old));
    let later = from(A, Heard::Broadcast, &before.close(Receiver::Broadcast, b"later"));
    assert_eq!(opened(&mut after, &later), Ok(b"later".to_vec()));
    assert_eq!(after.of_other(), 1, "it is of the new one");
    after.set_keys(&new, None);
    assert_eq!(opened(&mut after, &heard), Err(Refused::Replayed));
    let mut expelled = Seal::new(&old, C, 1, [0; 4]);
    let late = from(C, Heard::Broadcast, &expelled.close(Receiver::Broadcast, b"me?"));
    assert_eq!(opened(&mut after, &late), Err(Refused::NotAuthentic));
    assert_eq!(opened(&mut expelled, &later), Err(Refused::NotAuthentic));
}
