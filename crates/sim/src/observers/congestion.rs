//! Congestion potential (LECN 3.1): "the number of neighboring nodes (including itself) that
//! want to access the shared wireless medium for packet transmission".

use multihop_core::{Duration, NodeId, Time};
use multihop_trace::{Column, Costly, Observation, Observer, Table};

use crate::table::{floats, integers};

/// The congestion potential of every node, over time.
#[derive(Clone, Debug)]
pub struct CongestionPotential {
    /// For every node, those that sense it, itself included.
    around: Vec<Vec<NodeId>>,
    /// Which nodes have a packet in their MAC.
    contending: Vec<bool>,
    levels: Vec<Level>,
    /// How many nodes are at each level.
    nodes_at: Vec<usize>,
    maximum: Level,
}

/// A congestion potential, and for how long it has had which value.
#[derive(Clone, Debug, Default)]
struct Level {
    value: usize,
    since: Time,
    /// How long it has been 0, 1, ...
    times: Vec<Duration>,
}

impl Level {
    fn set(&mut self, value: usize, now: Time) {
        self.account(now);
        self.value = value;
    }

    fn account(&mut self, now: Time) {
        if self.times.len() <= self.value {
            self.times.resize(self.value + 1, Duration::ZERO);
        }
        self.times[self.value] += now.since(self.since);
        self.since = now;
    }
}

impl Observer for CongestionPotential {
    fn wants(&self, costly: Costly) -> bool {
        costly == Costly::Sensing
    }

    fn observe(&mut self, at: Time, what: &Observation) {
        match *what {
            Observation::Sensing(around) => self.on_move(around, at),
            Observation::ServiceStart { node, .. } => self.enter(node, at),
            Observation::ServiceEnd { node, .. } => self.leave(node, at),
            Observation::MeasuringBegins(_) => self.restart(at),
            _ => {}
        }
    }
}

impl CongestionPotential {
    /// Nobody contends yet, and nobody senses anybody.
    pub fn new(nodes: usize) -> Self {
        CongestionPotential {
            around: vec![Vec::new(); nodes],
            contending: vec![false; nodes],
            levels: vec![Level::default(); nodes],
            nodes_at: vec![nodes],
            maximum: Level::default(),
        }
    }

    /// Who senses whom has changed: `around` names for every node those that sense it.
    fn on_move(&mut self, around: &[Vec<NodeId>], now: Time) {
        let contending: Vec<NodeId> = (0..self.contending.len())
            .filter(|node| self.contending[*node])
            .map(|node| NodeId(node as u32))
            .collect();
        for node in &contending {
            self.leave(*node, now);
        }
        self.around.clone_from_slice(around);
        for (node, near) in self.around.iter_mut().enumerate() {
            near.push(NodeId(node as u32));
        }
        for node in contending {
            self.enter(node, now);
        }
    }

    /// A packet has come to the MAC of `node`.
    fn enter(&mut self, node: NodeId, now: Time) {
        if !std::mem::replace(&mut self.contending[node.index()], true) {
            self.change(node, now, |level| level + 1);
        }
    }

    /// The MAC of `node` has finished with its packet.
    fn leave(&mut self, node: NodeId, now: Time) {
        if std::mem::replace(&mut self.contending[node.index()], false) {
            self.change(node, now, |level| level - 1);
        }
    }

    fn change(&mut self, node: NodeId, now: Time, to: impl Fn(usize) -> usize) {
        for near in &self.around[node.index()] {
            let level = &mut self.levels[near.index()];
            let value = to(level.value);
            if self.nodes_at.len() <= value {
                self.nodes_at.resize(value + 1, 0);
            }
            self.nodes_at[level.value] -= 1;
            self.nodes_at[value] += 1;
            level.set(value, now);
        }
        let maximum = self.nodes_at.iter().rposition(|nodes| *nodes > 0).unwrap_or(0);
        if maximum != self.maximum.value {
            self.maximum.set(maximum, now);
        }
    }

    /// Measuring begins now.
    fn restart(&mut self, now: Time) {
        for level in self.levels.iter_mut().chain([&mut self.maximum]) {
            level.times.clear();
            level.since = now;
        }
    }

    /// Whose potential changes with that of `node`, and what it is.
    pub fn near(&self, node: NodeId) -> impl Iterator<Item = (NodeId, usize)> {
        self.around[node.index()].iter().map(|near| (*near, self.levels[near.index()].value))
    }

    /// For how long every node (`Some`) and the largest of all nodes (`None`) has had which
    /// potential, up to `now`.
    fn times(&mut self, now: Time) -> Vec<(Option<usize>, usize, Duration)> {
        let nodes = self.levels.iter_mut().enumerate().map(|(node, level)| (Some(node), level));
        let all = nodes.chain([(None, &mut self.maximum)]);
        all.flat_map(|(node, level)| {
            level.account(now);
            level.times.iter().enumerate().map(move |(value, time)| (node, value, *time))
        })
        .collect()
    }

    /// For how long the congestion potential of every node had which value, up to `now`; node -1
    /// is the largest of all nodes.
    pub fn table(&mut self, now: Time) -> Table {
        let rows = self.times(now);
        let number = |node: usize| i64::try_from(node).expect("few enough nodes to simulate");
        let nodes = rows.iter().map(|(node, ..)| node.map_or(-1, number)).collect();
        vec![
            ("node", Column::Integer(nodes)),
            ("congestion_potential", integers(&rows, |(_, value, _)| *value as u64)),
            ("time_s", floats(&rows, |(.., time)| time.seconds())),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    /// A chain of five nodes that sense their two next neighbours, as in LECN figure 1.
    fn chain() -> CongestionPotential {
        let near = |node: i64| {
            (node - 2..=node + 2)
                .filter(|other| *other != node && (0..5).contains(other))
                .map(|other| NodeId(other as u32))
                .collect()
        };
        let mut potential = CongestionPotential::new(5);
        potential.on_move(&(0..5).map(near).collect::<Vec<_>>(), Time::ZERO);
        potential
    }

    #[test]
    fn a_node_raises_the_potential_of_those_that_sense_it() {
        let mut potential = chain();
        potential.enter(NodeId(3), at(1));
        let near: Vec<_> = potential.near(NodeId(0)).map(|(node, value)| (node.0, value)).collect();
        assert_eq!(near, [(1, 1), (2, 1), (0, 0)]);
        potential.enter(NodeId(1), at(3));
        potential.leave(NodeId(3), at(4));
        let maximum: Vec<_> = potential
            .times(at(10))
            .into_iter()
            .filter(|(node, ..)| node.is_none())
            .map(|(_, value, time)| (value, time.nanos() / 1_000_000))
            .collect();
        assert_eq!(maximum, [(0, 1), (1, 8), (2, 1)]);
    }

    #[test]
    fn a_second_packet_of_the_same_node_does_not_count() {
        let mut potential = chain();
        potential.enter(NodeId(3), at(1));
        potential.enter(NodeId(3), at(2));
        potential.leave(NodeId(3), at(3));
        assert!(potential.near(NodeId(3)).all(|(_, value)| value == 0));
    }

    #[test]
    fn times_begin_anew_when_measuring_begins() {
        let mut potential = chain();
        potential.enter(NodeId(0), at(1));
        potential.restart(at(5));
        let sum: u64 = potential
            .times(at(9))
            .iter()
            .filter(|(node, ..)| *node == Some(0))
            .map(|(_, _, time)| time.nanos() / 1_000_000)
            .sum();
        assert_eq!(sum, 4);
    }
}
