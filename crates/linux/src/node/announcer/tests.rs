//! Who is told what, and when.

use super::*;

fn subnet(text: &str) -> Subnet {
    text.parse().expect("it is one")
}

fn others(count: u32) -> impl Iterator<Item = NodeId> {
    (1..=count).map(NodeId)
}

/// All that is told up to `until`, and when.
fn told(announcer: &mut Announcer, until: Time) -> Vec<(Time, NodeId, Announcement)> {
    let mut all = Vec::new();
    while announcer.deadline() <= until {
        let now = announcer.deadline();
        all.extend(announcer.poll(now).map(|(node, said)| (now, node, said)));
    }
    all
}

fn at(seconds: f64) -> Time {
    Time::ZERO + Duration::from_seconds(seconds)
}

#[test]
fn a_change_is_told_to_all_soon_and_seldom_later() {
    let mut announcer = Announcer::new(others(3), 2);
    assert_eq!(announcer.deadline(), Time::NEVER, "there is nothing to tell");
    announcer.announce(Time::ZERO, &[subnet("192.168.7.0/24")]);
    assert_eq!(announcer.deadline(), Time::NEVER, "the machine does not reach it");
    announcer.set_reached(Time::ZERO, |_| true);
    let first = told(&mut announcer, at(1.5));
    let nodes: Vec<_> = first.iter().map(|(_, node, _)| node.0).collect();
    assert_eq!(nodes, [2, 3, 1]);
    let (when, _, said) = &first[0];
    assert_eq!((*when, said.number, said.lifetime), (at(1.0), (2 << 16) + 1, 105));
    assert_eq!(said.networks, [subnet("192.168.7.0/24")].into());
    let later = told(&mut announcer, at(600.0));
    let rounds: Vec<f64> =
        later.iter().filter(|(_, node, _)| node.0 == 2).map(|(when, ..)| when.seconds()).collect();
    assert!(rounds[0] < 3.0 && (18..=24).contains(&rounds.len()), "{rounds:?}");
    let last = rounds.windows(2).last().expect("there are some");
    assert!((30.0..31.0).contains(&(last[1] - last[0])), "{rounds:?}");
}

#[test]
fn what_is_no_more_reached_is_withdrawn_and_then_nothing_is_said() {
    let mut announcer = Announcer::new(others(2), 0);
    announcer.announce(Time::ZERO, &[subnet("0.0.0.0/0"), subnet("192.168.7.0/24")]);
    announcer.set_reached(Time::ZERO, |_| true);
    let before = told(&mut announcer, at(100.0)).len();
    assert!(before > 6);
    announcer.set_reached(at(100.0), |network| network != subnet("0.0.0.0/0"));
    let said = told(&mut announcer, at(103.0));
    assert!(said.iter().all(|(.., said)| said.networks == [subnet("192.168.7.0/24")].into()));
    assert!(said.iter().all(|(when, ..)| *when >= at(100.0)) && said.len() >= 2, "{said:?}");
    announcer.set_reached(at(103.0), |_| false);
    let said = told(&mut announcer, at(10_000.0));
    assert!(said.iter().all(|(.., said)| said.networks.is_empty()));
    assert_eq!(said.len(), 2 * FAREWELLS as usize);
    assert_eq!(announcer.deadline(), Time::NEVER);
    announcer.restart(at(10_001.0));
    assert_eq!(announcer.deadline(), Time::NEVER, "there is still nothing");
}

/// A machine whose uplink comes and goes tells all others of it, and no faster than the gap allows.
#[test]
fn an_uplink_that_flaps_fills_no_air() {
    let mut announcer = Announcer::new(others(20), 0);
    announcer.announce(Time::ZERO, &[subnet("0.0.0.0/0")]);
    let mut said = Vec::new();
    for second in 0..60 {
        announcer.set_reached(at(f64::from(second)), |_| second % 2 == 0);
        said.extend(told(&mut announcer, at(f64::from(second) + 0.999)));
    }
    assert!(said.len() <= 60 * 5, "{}", said.len());
    let nodes: std::collections::BTreeSet<_> = said.iter().map(|(_, node, _)| *node).collect();
    assert_eq!(nodes.len(), 20);
}

#[test]
fn in_a_large_network_rounds_are_longer_and_announcements_hold_as_long() {
    let mut announcer = Announcer::new(others(200), 0);
    announcer.announce(Time::ZERO, &[subnet("0.0.0.0/0")]);
    announcer.set_reached(Time::ZERO, |_| true);
    let said = told(&mut announcer, at(1_000.0));
    let to_one = said.iter().filter(|(_, node, _)| node.0 == 7).collect::<Vec<_>>();
    let pauses = to_one.windows(2).map(|pair| pair[1].0.since(pair[0].0).seconds());
    let longest = pauses.fold(0.0, f64::max);
    let (.., last) = said.last().expect("there are some");
    assert!(f64::from(last.lifetime) > 2.0 * longest, "{longest}");
    assert!(said.len() as f64 <= 1_000.0 / GAP.seconds() / 2.0 + 200.0, "{}", said.len());
}
