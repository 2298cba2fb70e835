//! Who gets a place in a table that has a bound.
//!
//! What flows of others fill is bounded. A table that refuses whatever comes when it is full can be closed to everybody
//! by one node with many short flows. So every table of flows asks [`room`]:
//!
//! - An entry that owes nothing makes room: all of its flow is delivered here, and it waits for nothing. The source with
//!   the most entries gives one, the one that was used longest ago.
//! - A source that has as many entries as any other gives one of its own.
//! - Entries that owe something stay. A source may have three times as many of them as are left for everybody
//!   (a dynamic threshold: Choudhury, Hahne: Dynamic queue length thresholds for shared-memory packet switches,
//!   IEEE/ACM Transactions on Networking 6(2), 1998), so that one source fills three quarters at most.

use crate::{NodeId, Time};

/// How many entries that owe something a source may have for each that is left.
const SHARE: usize = 3;

/// What an entry of a table says for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// On whose account it is.
    pub source: NodeId,
    /// When it was used last.
    pub used: Time,
    /// Whether something of it has to be delivered, or is waited for.
    pub owes: bool,
}

/// Whether a table takes another entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// It does.
    Free,
    /// It does in place of the entry with this number.
    InPlaceOf(usize),
    /// It does not.
    Refused,
}

/// Whether a table of `len` entries, of which there may be `bound`, takes another one on the account of `source`.
/// `claims` are those of its entries; nobody looks at them while a quarter of the table is free.
pub fn room(
    bound: usize,
    len: usize,
    source: NodeId,
    claims: impl Iterator<Item = Claim> + Clone,
) -> Room {
    if len < bound / (SHARE + 1) * SHARE {
        return Room::Free;
    }
    let (mut owing, mut own) = (0, 0);
    for claim in claims.clone().filter(|claim| claim.owes) {
        owing += 1;
        own += usize::from(claim.source == source);
    }
    if own >= SHARE * bound.saturating_sub(owing) {
        return Room::Refused;
    }
    if len < bound {
        return Room::Free;
    }
    gives_way(source, claims).map_or(Room::Refused, Room::InPlaceOf)
}

/// The entry that makes room for one of `source`.
fn gives_way(source: NodeId, claims: impl Iterator<Item = Claim> + Clone) -> Option<usize> {
    let mut sources: Vec<NodeId> = claims.clone().map(|claim| claim.source).collect();
    sources.sort_unstable();
    let count = |of: NodeId| {
        let first = sources.partition_point(|other| *other < of);
        sources[first..].partition_point(|other| *other == of)
    };
    let own = count(source);
    let may_go =
        |claim: &Claim| !claim.owes && (claim.source == source || count(claim.source) > own);
    let candidates = claims.enumerate().filter(|(_, claim)| may_go(claim));
    let first = |(_, claim): &(usize, Claim)| (core::cmp::Reverse(count(claim.source)), claim.used);
    candidates.min_by_key(first).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(source: u32, used: u64, owes: bool) -> Claim {
        Claim { source: NodeId(source), used: Time::from_nanos(used), owes }
    }

    fn asked(bound: usize, source: u32, claims: &[Claim]) -> Room {
        room(bound, claims.len(), NodeId(source), claims.iter().copied())
    }

    #[test]
    fn there_is_room_for_anybody_until_three_quarters_are_taken() {
        let claims: Vec<Claim> = (0..11).map(|at| claim(1, at, true)).collect();
        assert_eq!(asked(16, 1, &claims), Room::Free);
    }

    #[test]
    fn the_oldest_of_the_source_with_the_most_entries_makes_room_if_it_owes_nothing() {
        let mut claims = vec![claim(1, 0, false); 2];
        claims.extend((0..6).map(|at| claim(2, 10 - at, false)));
        assert_eq!(asked(8, 3, &claims), Room::InPlaceOf(7));
        claims[7].owes = true;
        assert_eq!(asked(8, 3, &claims), Room::InPlaceOf(6));
        assert_eq!(asked(8, 2, &claims), Room::InPlaceOf(6), "it gives one of its own");
        assert_eq!(asked(8, 1, &claims), Room::InPlaceOf(6));
    }

    #[test]
    fn nobody_pays_for_a_source_that_has_more() {
        let mut claims = vec![claim(1, 0, false); 2];
        claims.extend([claim(2, 0, true); 4]);
        assert_eq!(asked(6, 2, &claims), Room::Refused);
        assert_eq!(asked(6, 3, &claims), Room::InPlaceOf(0));
    }

    #[test]
    fn a_source_fills_three_quarters_with_what_owes_something_and_the_next_has_room() {
        let mut claims = Vec::new();
        while asked(1_024, 1, &claims) == Room::Free {
            claims.push(claim(1, 0, true));
        }
        assert_eq!(claims.len(), 768);
        for source in 2..6 {
            let before = claims.len();
            while asked(1_024, source, &claims) == Room::Free {
                claims.push(claim(source, 0, true));
            }
            assert!(claims.len() > before, "source {source} has room");
        }
        assert_eq!(asked(1_024, 1, &claims), Room::Refused);
    }
}
