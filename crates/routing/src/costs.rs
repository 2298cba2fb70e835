//! Paths that cost least, where links cost differently.

use multihop_core::{Duration, FlowId, NodeId};

use crate::Neighbours;

/// What the cheapest path from each node to `destination` costs, over links of which the costs have the least sum; `None`
/// without a path. A link without a cost is none.
pub(crate) fn costs_to(
    neighbours: &Neighbours,
    destination: NodeId,
    cost: impl Fn(NodeId, NodeId) -> Option<Duration>,
) -> Vec<Option<Duration>> {
    let mut left: Vec<NodeId> = (0..neighbours.len() as u32).map(NodeId).collect();
    let mut to_end: Vec<Option<Duration>> = vec![None; neighbours.len()];
    to_end[destination.index()] = Some(Duration::ZERO);
    // Links between neighbours go both ways: those into a node are those out of it.
    loop {
        let nearest = (0..left.len()).filter(|at| to_end[left[*at].index()].is_some());
        let Some(at) = nearest.min_by_key(|at| (to_end[left[*at].index()], left[*at])) else {
            return to_end;
        };
        let node = left.swap_remove(at);
        for from in &neighbours[node.index()] {
            let Some(link) = cost(*from, node) else { continue };
            let beyond = to_end[node.index()].unwrap_or_default();
            let known = &mut to_end[from.index()];
            if known.is_none_or(|known| link + beyond < known) {
                *known = Some(link + beyond);
            }
        }
    }
}

/// The neighbour of `at` over which the path costs least, of which the rest costs what `to_end` says; of several the one
/// with the lowest number.
pub(crate) fn cheapest_next(
    neighbours: &Neighbours,
    at: NodeId,
    to_end: &[Option<Duration>],
    cost: impl Fn(NodeId, NodeId) -> Option<Duration>,
) -> Option<NodeId> {
    let through = |next: &NodeId| Some(cost(at, *next)? + to_end[next.index()]?);
    let costs = neighbours[at.index()].iter().filter_map(|next| Some((through(next)?, *next)));
    Some(costs.min()?.1)
}

/// The nodes on the path of `flow` over links of which the costs have the least sum, both ends included; `None` without a
/// path. Of paths that cost the same, the one over the lower numbers at each node. A link without a cost is none.
pub fn cheapest_path(
    neighbours: &Neighbours,
    flow: FlowId,
    cost: impl Fn(NodeId, NodeId) -> Option<Duration>,
) -> Option<Vec<NodeId>> {
    let to_end = costs_to(neighbours, flow.destination, &cost);
    let mut path = vec![flow.source];
    let mut at = flow.source;
    while at != flow.destination {
        at = cheapest_next(neighbours, at, &to_end, &cost)?;
        path.push(at);
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of four, in which every second node is a neighbour, too.
    fn ladder() -> Neighbours {
        [&[1, 2][..], &[0, 2, 3], &[0, 1, 3], &[1, 2]]
            .map(|to: &[u32]| to.iter().copied().map(NodeId).collect())
            .to_vec()
    }

    fn path(cost: impl Fn(u32, u32) -> Option<u64>) -> Option<Vec<u32>> {
        let flow = FlowId::between(NodeId(0), NodeId(3));
        let cost = |from: NodeId, to: NodeId| cost(from.0, to.0).map(Duration::from_micros);
        let path = cheapest_path(&ladder(), flow, cost)?;
        Some(path.into_iter().map(|node| node.0).collect())
    }

    #[test]
    fn short_links_are_taken_where_long_ones_cost_more() {
        assert_eq!(path(|from, to| Some(u64::from(from.abs_diff(to)))), Some(vec![0, 1, 2, 3]));
        assert_eq!(path(|_, _| Some(1)), Some(vec![0, 1, 3]), "of equal ones the lower numbers");
        assert_eq!(
            path(|from, to| Some(if from.abs_diff(to) == 2 { 5 } else { 3 })),
            Some(vec![0, 1, 3])
        );
        assert_eq!(path(|from, to| (from.max(to) < 3).then_some(1)), None, "nothing leads there");
    }
}
