use super::*;

const NOW: Time = Time::ZERO;

fn path(nodes: &[u32]) -> Path {
    Path::of(nodes.iter().copied().map(NodeId)).expect("few")
}

fn cache() -> Cache {
    Cache::new(2, 2, None)
}

fn find(cache: &mut Cache, to: u32) -> Option<Vec<u32>> {
    let found = cache.find(NodeId(to), NOW)?;
    Some(found.iter().map(|node| node.0).collect())
}

#[test]
fn the_shortest_path_is_found_and_of_equals_the_primary() {
    let mut cache = cache();
    cache.add(path(&[0, 1, 2, 3]), NOW);
    cache.notice(path(&[0, 4, 5, 3]), NOW);
    assert_eq!(find(&mut cache, 3), Some(vec![0, 1, 2, 3]));
    cache.notice(path(&[0, 6, 3, 7]), NOW);
    assert_eq!(find(&mut cache, 3), Some(vec![0, 6, 3]), "a part of a path is one, too");
    assert_eq!(find(&mut cache, 9), None);
}

#[test]
fn what_is_used_moves_to_the_primary_part() {
    let mut cache = cache();
    cache.notice(path(&[0, 6, 3, 7]), NOW);
    assert_eq!(cache.take(NodeId(3), NOW), Some(path(&[0, 6, 3])));
    assert_eq!((cache.primary.len(), cache.secondary.len()), (1, 0));
    assert_eq!(find(&mut cache, 7), Some(vec![0, 6, 3, 7]), "whole");
}

#[test]
fn a_path_that_begins_as_another_extends_it() {
    let mut cache = cache();
    cache.add(path(&[0, 1, 2]), NOW);
    cache.add(path(&[0, 1, 2, 3, 4]), NOW);
    cache.add(path(&[0, 1, 2, 3]), NOW);
    assert_eq!((cache.len(), find(&mut cache, 4)), (1, Some(vec![0, 1, 2, 3, 4])));
}

#[test]
fn when_it_is_full_the_oldest_give_way_in_turn() {
    let mut cache = cache();
    (1..=5).for_each(|node| cache.add(path(&[0, node]), NOW));
    let known: Vec<u32> = (1..=5).filter(|node| find(&mut cache, *node).is_some()).collect();
    assert_eq!(known, [4, 5]);
}

#[test]
fn behind_a_broken_link_nothing_is_known() {
    let mut cache = cache();
    cache.add(path(&[0, 1, 2, 3]), NOW);
    cache.notice(path(&[0, 2, 1, 3]), NOW);
    cache.cut(NodeId(2), NodeId(1));
    assert_eq!(find(&mut cache, 3), Some(vec![0, 1, 2, 3]), "the other direction");
    cache.cut(NodeId(1), NodeId(2));
    assert_eq!((find(&mut cache, 1), find(&mut cache, 3)), (Some(vec![0, 1]), None));
    cache.cut(NodeId(0), NodeId(1));
    cache.cut(NodeId(0), NodeId(2));
    assert_eq!(cache.len(), 0);
    cache.add(path(&[0, 5]), NOW);
    assert_eq!(cache.primary.slots.len(), 1, "an empty place is taken first");
}

#[test]
fn paths_expire_if_nobody_uses_them() {
    let timeout = Duration::from_millis(1_000);
    let at = |ms: u64| Time::from_nanos(ms * 1_000_000);
    let mut cache = Cache::new(2, 2, Some(timeout));
    cache.add(path(&[0, 1]), at(0));
    cache.notice(path(&[0, 2]), at(0));
    assert!(cache.take(NodeId(1), at(900)).is_some());
    assert!(cache.find(NodeId(2), at(1_001)).is_none());
    assert!(cache.find(NodeId(1), at(1_800)).is_some(), "it was used");
    assert!(cache.find(NodeId(1), at(2_000)).is_none());
}
