//! Nodes that hear rosters, strangers that say anything, and keys that change.

use proptest::prelude::*;

use multihop_core::Rng;

use crate::roster::{Draft, Signatory};

use super::*;

const GRACE_S: u16 = 60;
const SECOND: Duration = Duration::from_millis(1_000);
const ME: u32 = 5;

fn at(seconds: u64) -> Time {
    Time::ZERO + SECOND * seconds
}

fn identity(node: u32) -> Identity {
    let mut secret = [2; 32];
    secret[..4].copy_from_slice(&node.to_be_bytes());
    Identity::new(&secret)
}

fn node(number: u32) -> Membership {
    let authority = Signatory::new(&[1; 32]).authority();
    Membership::new(NodeId(number), identity(number), authority, 1)
}

/// The roster of that number, of these members; its key has that number, too.
fn roster(number: u32, nodes: impl IntoIterator<Item = u32>) -> Vec<Vec<u8>> {
    let members: Vec<_> =
        nodes.into_iter().map(|node| (NodeId(node), identity(node).public())).collect();
    let key = NetworkKey([number as u8; 32]);
    let edition = Edition { number, draw: 9 };
    let draft = Draft { edition, grace_s: GRACE_S, key: &key, members: &members };
    draft.sign(&Signatory::new(&[1; 32])).expect("they have public keys")
}

fn frame(part: &[u8]) -> Vec<u8> {
    Clear::Part(Part::parse(part).expect("it is one")).emit()
}

fn summary(number: u32, held: u128) -> Vec<u8> {
    Clear::Summary(Summary { edition: Edition { number, draw: 9 }, held }).emit()
}

/// The numbers of the keys: of the one that seals, and of the others.
fn keys(node: &Membership) -> Option<(u8, Vec<u8>)> {
    let (key, others) = node.keys()?;
    Some((key.0[0], others.iter().map(|key| key.0[0]).collect()))
}

fn hear(node: &mut Membership, now: Time, parts: &[Vec<u8>]) {
    for part in parts {
        assert_eq!(node.on_frame(now, &frame(part)), Ok(true));
    }
}

#[test]
fn the_newest_roster_counts_and_an_older_one_is_never_taken() {
    let mut me = node(ME);
    assert_eq!((keys(&me), me.has_key()), (None, false));
    assert!(me.lacks().is_some_and(|why| why.contains("multihop-node spread")));
    let [first, second, third] = [1, 2, 3].map(|number| roster(number, [ME, 6]));
    hear(&mut me, at(0), &second);
    assert_eq!((keys(&me), me.lacks()), (Some((2, vec![])), None), "the first key seals at once");
    assert_eq!(me.take_news(), [true, true]);
    assert_eq!(me.on_frame(at(1), &frame(&first[0])), Err(Refused::Old));
    assert_eq!(me.on_frame(at(1), &frame(&second[0])), Ok(false), "it is known");
    hear(&mut me, at(2), &third);
    assert_eq!(me.on_frame(at(3), &frame(&second[0])), Err(Refused::Old));
    assert_eq!(me.known().edition.number, 3);
    // two rosters with one number, by mistake: all nodes agree on which of them counts
    let twin = |draw| {
        let members = [(NodeId(ME), identity(ME).public())];
        let edition = Edition { number: 3, draw };
        let draft = Draft { edition, grace_s: 0, key: &NetworkKey([9; 32]), members: &members };
        draft.sign(&Signatory::new(&[1; 32])).expect("it has a public key")
    };
    assert_eq!(me.on_frame(at(4), &frame(&twin(8)[0])), Err(Refused::Old));
    assert_eq!(me.on_frame(at(4), &frame(&twin(10)[0])), Ok(true));
}

#[test]
fn what_the_authority_has_not_signed_changes_nothing() {
    let mut me = node(ME);
    hear(&mut me, at(0), &roster(2, [ME]));
    me.take_news();
    let mut newer = roster(3, [ME]).remove(0);
    newer[40] ^= 1;
    assert_eq!(me.on_frame(at(1), &frame(&newer)), Err(Refused::NotSigned));
    let mut known = roster(2, [ME]).remove(0);
    known[40] ^= 1;
    assert_eq!(me.on_frame(at(1), &frame(&known)), Err(Refused::NotSigned));
    assert_eq!(me.bring(at(1), &newer), Err(Refused::NotSigned), "the operator, too");
    assert_eq!(me.bring(at(1), b"no part"), Err(Refused::Malformed));
    assert_eq!(me.on_frame(at(1), &[0xFF; 40]), Err(Refused::Malformed));
    assert_eq!((keys(&me), me.take_news()), (Some((2, vec![])), [false; 2]));
}

/// So a stranger can delay a roster, as by noise, and cannot make a node do nothing else.
#[test]
fn ten_signatures_are_checked_in_a_second_and_nothing_is_kept_of_strangers() {
    let mut me = node(ME);
    let mut forged = roster(3, [ME]).remove(0);
    let mut checked = 0;
    for number in 0..100_000u32 {
        let now = Time::ZERO + Duration::from_nanos(u64::from(number) * 1_000_000);
        forged[0..4].copy_from_slice(&(number + 10).to_be_bytes());
        match me.on_frame(now, &frame(&forged)) {
            Err(Refused::NotSigned) => checked += 1,
            other => assert_eq!(other, Err(Refused::Unchecked)),
        }
    }
    assert!((1_000..=1_040).contains(&checked), "{checked} in 100 s");
    assert_eq!((me.known().parts().len(), me.keys.len()), (0, 0));
    // who brings it by hand need not wait
    assert_eq!(me.bring(at(100), &roster(3, [ME])[0]), Ok(true));
}

#[test]
fn the_new_key_opens_at_once_seals_after_the_grace_and_ends_the_old_after_twice_the_grace() {
    let mut me = node(ME);
    hear(&mut me, at(0), &roster(1, 0..10));
    let second = roster(2, 0..10);
    hear(&mut me, at(100), &second[..1]);
    assert_eq!(keys(&me), Some((1, vec![2])), "its own part is enough to open");
    me.on_opened(at(101), 0);
    me.on_time(at(1_000));
    assert_eq!(keys(&me), Some((1, vec![2])), "but its neighbour may not have its own part yet");
    hear(&mut me, at(1_000), &second[1..]);
    assert_eq!(me.deadline(), at(1_060));
    me.on_time(at(1_059));
    assert_eq!(keys(&me), Some((1, vec![2])));
    me.on_time(at(1_060));
    assert_eq!(keys(&me), Some((2, vec![1])));
    assert_eq!(me.deadline(), at(1_120));
    me.on_time(at(1_120));
    assert_eq!((keys(&me), me.deadline()), (Some((2, vec![])), Time::NEVER));
}

#[test]
fn a_node_that_comes_back_seals_with_the_new_key_once_it_is_heard_and_the_old_one_is_not() {
    let mut me = node(ME);
    hear(&mut me, at(0), &roster(1, [ME]));
    me.on_opened(at(50), 0);
    // long after that, others have changed
    hear(&mut me, at(1_000), &roster(2, [ME]));
    me.on_time(at(1_001));
    assert_eq!(keys(&me), Some((1, vec![2])), "nobody is heard");
    me.on_opened(at(1_002), 1);
    assert_eq!(keys(&me), Some((2, vec![1])));
    // where the old key is still in use, the new one waits
    let mut me = node(ME);
    hear(&mut me, at(0), &roster(1, [ME]));
    hear(&mut me, at(1_000), &roster(2, [ME]));
    me.on_opened(at(1_001), 0);
    me.on_opened(at(1_002), 1);
    assert_eq!(keys(&me), Some((1, vec![2])));
    assert_eq!(me.deadline(), at(1_060), "when the grace is over");
}

#[test]
fn a_node_that_is_no_member_any_more_has_no_key_after_twice_the_grace() {
    let mut me = node(ME);
    hear(&mut me, at(0), &roster(1, [ME, 6]));
    hear(&mut me, at(100), &roster(2, [6]));
    assert_eq!((me.known().place, keys(&me)), (Place::Absent, Some((1, vec![]))));
    me.take_news();
    me.on_time(at(220));
    assert_eq!((keys(&me), me.take_news()), (None, [true, false]));
    assert_eq!(me.lacks(), Some("roster 2 has no entry for this node".to_owned()));
    // and it may come again
    hear(&mut me, at(300), &roster(3, [ME, 6]));
    assert_eq!(keys(&me), Some((3, vec![])));
    // an entry for another identity is none
    let authority = Signatory::new(&[1; 32]).authority();
    let mut other = Membership::new(NodeId(ME), identity(9), authority, 1);
    hear(&mut other, at(0), &roster(1, [ME]));
    assert!(other.lacks().is_some_and(|why| why.contains("roster 1 has another identity")));
}

#[test]
fn changes_that_follow_each_other_leave_three_keys_at_most() {
    let mut me = node(ME);
    for number in 1..=4u32 {
        hear(&mut me, at(u64::from(number)), &roster(number, [ME]));
    }
    assert_eq!(keys(&me), Some((2, vec![3, 4])), "the first would be the fourth key");
    me.on_opened(at(5), 0);
    me.on_opened(at(6), 2);
    assert_eq!([0, 2].map(|key| me.keys[key].opened), [Some(at(5)), Some(at(6))]);
    me.on_time(at(63));
    assert_eq!(keys(&me), Some((3, vec![2, 4])));
    me.on_time(at(64));
    assert_eq!(keys(&me), Some((4, vec![2, 3])));
    me.on_opened(at(65), 1);
    assert_eq!(me.keys[0].opened, Some(at(65)));
    me.on_opened(at(66), 0);
    assert_eq!(me.keys[2].opened, Some(at(66)));
    me.on_time(at(124));
    assert_eq!(keys(&me), Some((4, vec![])));
}

/// What a node says up to `until`, each frame on the air for `air`, while `strangers` speak whenever it could have heard them.
fn said(
    me: &mut Membership,
    [from, until]: [Time; 2],
    air: Duration,
    mut strangers: impl FnMut(&mut Membership, Time),
) -> Vec<(Time, Vec<u8>)> {
    let (mut now, mut said) = (from, Vec::new());
    while now < until {
        strangers(me, now);
        if let Some(frame) = me.poll(now) {
            said.push((now, frame));
            now += air;
            me.on_sent(now, air);
        }
        now += Duration::from_millis(10);
    }
    said
}

#[test]
fn nodes_that_agree_say_so_in_less_than_one_frame_in_a_hundred_seconds() {
    let mut me = node(ME);
    hear(&mut me, at(0), &roster(1, 0..30));
    let day = [at(1_000), at(87_400)];
    let air = Duration::from_millis(5);
    let said = said(&mut me, day, air, |me, now| {
        if now.nanos().is_multiple_of(30_000_000_000) {
            assert_eq!(me.on_frame(now, &summary(1, 0xF)), Ok(false));
        }
    });
    assert!((600..=700).contains(&said.len()), "{} in a day", said.len());
}

#[test]
fn strangers_that_ask_all_the_time_get_a_hundredth_of_the_air() {
    for air_ms in [1, 5, 200] {
        let mut me = node(ME);
        hear(&mut me, at(0), &roster(2, 0..100));
        let air = Duration::from_millis(air_ms);
        let frames = said(&mut me, [at(0), at(1_000)], air, |me, now| {
            let other = [summary(1, 0), summary(3, 1), summary(2, 0)];
            for frame in other {
                assert_eq!(me.on_frame(now, &frame), Ok(false));
            }
        });
        let share = frames.len() as f64 * air.seconds() / 1_000.0;
        assert!(share <= 0.011, "{share} with frames of {air_ms} ms");
        assert!(frames.len() > 40, "{}", frames.len());
        // parts and summaries have their turns, and so has every part
        let parts = frames.iter().filter(|(_, frame)| frame.len() > 100).count();
        assert!((frames.len() / 3..=frames.len() - 5).contains(&parts), "{parts}");
        let distinct: std::collections::BTreeSet<_> =
            frames.iter().filter(|(_, frame)| frame.len() > 100).map(|(_, frame)| frame).collect();
        assert_eq!(distinct.len(), 13.min(parts));
    }
}

#[test]
fn a_part_that_another_has_sent_is_not_sent_again_unless_that_was_a_forgery() {
    let parts = roster(2, 0..16);
    for forged in [false, true] {
        let mut me = node(ME);
        hear(&mut me, at(0), &parts);
        let mut heard = parts[1].clone();
        heard[100] ^= u8::from(forged);
        assert_eq!(me.on_frame(at(1), &summary(2, 0b01)), Ok(false), "somebody lacks the second");
        let refused = if forged { Err(Refused::NotSigned) } else { Ok(false) };
        assert_eq!(me.on_frame(at(1), &frame(&heard)), refused);
        let air = Duration::from_millis(1);
        let said = said(&mut me, [at(1), at(20)], air, |_, _| {});
        let sent = said.iter().any(|(_, said)| said == &frame(&parts[1]));
        assert_eq!(sent, forged);
        if !forged {
            again(&mut me, &parts[1]);
        }
    }
}

/// A stranger that whispers the genuine part, so that only its sender hears it, delays it once.
fn again(me: &mut Membership, part: &[u8]) {
    assert_eq!(me.on_frame(at(30), &summary(2, 0b01)), Ok(false), "somebody lacks it still");
    let said = said(me, [at(30), at(50)], Duration::from_millis(1), |me, now| {
        assert_eq!(me.on_frame(now, &frame(part)), Ok(false));
    });
    assert!(said.iter().any(|(_, said)| said == &frame(part)));
}

/// A chain of nodes, in which every frame is lost at random, and which hear what neighbours seal.
struct Chain {
    nodes: Vec<Membership>,
    noise: Rng,
    loss: f64,
    busy: Vec<Time>,
    now: Time,
}

impl Chain {
    const AIR: Duration = Duration::from_millis(3);

    fn new(count: u32, loss: f64, seed: u64) -> Self {
        let authority = Signatory::new(&[1; 32]).authority();
        let node =
            |number| Membership::new(NodeId(number), identity(number), authority.clone(), seed);
        Chain {
            nodes: (0..count).map(node).collect(),
            noise: Rng::stream(seed, NodeId(0), Purpose::Other),
            loss,
            busy: vec![Time::ZERO; count as usize],
            now: Time::ZERO,
        }
    }

    fn neighbours(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let count = self.nodes.len();
        [at.wrapping_sub(1), at + 1].into_iter().filter(move |other| *other < count)
    }

    /// A hundredth of a second: who wants to say something does, and every second all send sealed frames.
    fn tick(&mut self) {
        let now = self.now;
        for at in 0..self.nodes.len() {
            self.nodes[at].on_time(now);
            if self.busy[at] > now {
                continue;
            }
            if let Some(frame) = self.nodes[at].poll(now) {
                self.busy[at] = now + Self::AIR;
                self.nodes[at].on_sent(now + Self::AIR, Self::AIR);
                for other in self.neighbours(at) {
                    if !self.noise.chance(self.loss) {
                        // beyond the checks, or older: it comes again
                        let _ = self.nodes[other].on_frame(now, &frame);
                    }
                }
            }
        }
        if now.nanos().is_multiple_of(SECOND.nanos()) {
            for at in 0..self.nodes.len() {
                for other in self.neighbours(at) {
                    self.exchange(at, other);
                }
            }
        }
        self.now += Duration::from_millis(10);
    }

    /// The place among the keys of `to` of the one with which `from` seals.
    fn opens(&self, from: usize, to: usize) -> Option<usize> {
        let (key, _) = self.nodes[from].keys()?;
        let (first, others) = self.nodes[to].keys()?;
        std::iter::once(first).chain(others).position(|other| other.0 == key.0)
    }

    fn exchange(&mut self, from: usize, to: usize) {
        if let Some(place) = self.opens(from, to) {
            self.nodes[to].on_opened(self.now, place);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// The rule for the moment of change: in a chain of many hops, in which up to four of ten frames are lost, every node opens
    /// what its neighbours seal, all the time; and in the end nobody opens the old key.
    #[test]
    fn a_new_roster_leaves_no_member_out_over_many_hops(
        seed in any::<u64>(), hops in 2u32..9, loss in 0.0..0.4f64, begins in any::<prop::sample::Index>(),
    ) {
        let mut chain = Chain::new(hops + 1, loss, seed);
        for number in 0..=hops as usize {
            for part in roster(1, 0..20) {
                chain.nodes[number].bring(Time::ZERO, &part).expect("it is signed");
            }
        }
        let begins = begins.index(hops as usize + 1);
        // node 10 is expelled, which none of the chain is
        let second = roster(2, (0..20).filter(|node| *node != 10));
        let mut changed = Vec::new();
        while chain.now < at(600) {
            if chain.now == at(10) {
                for part in &second {
                    chain.nodes[begins].bring(at(10), part).expect("it is signed");
                }
            }
            chain.tick();
            for from in 0..chain.nodes.len() {
                for to in chain.neighbours(from) {
                    prop_assert!(chain.opens(from, to).is_some(), "{from} to {to} at {}", chain.now.seconds());
                }
            }
            let now: Vec<_> = chain.nodes.iter().filter_map(keys).map(|(key, _)| key).collect();
            if changed.last() != Some(&now) {
                changed.push(now);
            }
        }
        prop_assert!(chain.nodes.iter().all(|node| keys(node) == Some((2, vec![]))));
    }
}

/// A node that was off while the key changed gets the roster from its neighbour, and is heard again within seconds.
#[test]
fn a_node_that_was_off_catches_up() {
    let mut chain = Chain::new(3, 0.2, 1);
    for node in 0..3 {
        for part in roster(1, 0..20) {
            chain.nodes[node].bring(Time::ZERO, &part).expect("it is signed");
        }
    }
    let off = std::mem::replace(&mut chain.nodes[2], node(2));
    let count = chain.nodes.len();
    chain.nodes.truncate(2);
    for part in roster(2, 0..20) {
        chain.nodes[0].bring(Time::ZERO, &part).expect("it is signed");
    }
    while chain.now < at(1_000) {
        chain.tick();
    }
    assert!(chain.nodes.iter().all(|node| keys(node) == Some((2, vec![]))));
    chain.nodes.push(off);
    assert_eq!(chain.nodes.len(), count);
    chain.nodes[2].on_radio(chain.now);
    while chain.nodes[2].known().since.is_none_or(|_| chain.nodes[2].known().edition.number < 2) {
        chain.tick();
        assert!(chain.now < at(1_030), "it gets the roster");
    }
    while keys(&chain.nodes[2]).is_some_and(|(key, _)| key < 2) {
        chain.tick();
        assert!(chain.now < at(1_035), "it is heard");
    }
    assert!(chain.opens(2, 1).is_some());
}

/// Without the grace, a neighbour that has no part yet is out for a while: the test above would see that.
#[test]
fn a_key_that_seals_at_once_leaves_neighbours_out() {
    let mut chain = Chain::new(3, 0.0, 1);
    for node in 0..3 {
        chain.nodes[node].bring(Time::ZERO, &roster(1, [0, 1, 2])[0]).expect("it is signed");
    }
    let members: Vec<_> = (0..3).map(|node| (NodeId(node), identity(node).public())).collect();
    let edition = Edition { number: 2, draw: 9 };
    let key = NetworkKey([2; 32]);
    let draft = Draft { edition, grace_s: 0, key: &key, members: &members };
    let urgent = draft.sign(&Signatory::new(&[1; 32])).expect("they have public keys");
    chain.nodes[0].bring(Time::ZERO, &urgent[0]).expect("it is signed");
    assert_eq!((keys(&chain.nodes[0]), chain.opens(0, 1)), (Some((2, vec![])), None));
    while chain.opens(0, 1).is_none() || chain.opens(1, 2).is_none() {
        chain.tick();
        assert!(chain.now < at(30), "they follow at once");
    }
}

/// How long a roster of three parts takes over a hop, in seconds: half of all times, nine tenths, and all.
fn over_a_hop(loss: f64, count: u64) -> [f64; 3] {
    let parts = roster(1, 0..20);
    let mut times: Vec<f64> = (0..count)
        .map(|seed| {
            let mut chain = Chain::new(2, loss, seed);
            while chain.now < at(100) {
                chain.tick();
            }
            for part in &parts {
                chain.nodes[0].bring(chain.now, part).expect("it is signed");
            }
            while chain.nodes[1].known().since.is_none() {
                chain.tick();
            }
            chain.now.since(at(100)).seconds()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    [count / 2, count * 9 / 10, count - 1].map(|at| times[at as usize])
}

/// The grace is longer than a roster takes over a hop, also where many frames are lost.
#[test]
fn a_roster_takes_seconds_over_a_hop() {
    for (loss, bounds) in
        [(0.0, [3.0, 4.0, 5.0]), (0.3, [6.0, 12.0, 40.0]), (0.5, [15.0, 30.0, 60.0])]
    {
        let times = over_a_hop(loss, 200);
        println!("{loss} of all frames lost: {times:?} s");
        assert!(times.iter().zip(bounds).all(|(time, bound)| *time < bound), "{loss}: {times:?}");
    }
}
