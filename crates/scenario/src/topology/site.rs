//! What a topology is made of.

use multihop_core::{Key, Time, Values};
use multihop_routing::RoutingProtocol;
use multihop_setup::Stock;

use super::Topology;
use crate::form::Scenario;
use crate::mobility::Movements;

/// What a topology may know: the scenario around it, and the values of its parameters.
pub(crate) struct Site<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) topology: &'static Topology,
    pub(crate) values: Values,
    pub(crate) routing: &'static RoutingProtocol,
    /// Nodes are neighbours up to here, in m.
    pub(crate) range: f64,
    /// The end of the run.
    pub(crate) end: Time,
    /// What the kind of traffic lets every node send.
    pub(crate) stock: &'a [Stock],
    /// What the movement file says, if there is one.
    pub(crate) movements: Option<&'a Movements>,
}

impl Site<'_> {
    /// Whether there are flows beside those of the topology.
    pub(super) fn has_other_flows(&self) -> bool {
        !self.scenario.flow.is_empty() || !self.stock.is_empty()
    }

    /// The value of a parameter.
    pub(super) fn get<K: Key>(&self, key: K) -> K::Value {
        self.values.get(key)
    }

    /// The value of a parameter that may be missing.
    pub(super) fn given<K: Key>(&self, key: K) -> Option<K::Value> {
        self.values.given(key)
    }
}
