//! What of a radio may differ from node to node, and how one node hears another.

use multihop_core::NodeId;

use crate::{Links, Node, Radio};

/// So many different radios may be in one network: there is a table of what each is to each other one.
pub const MOST_FITTINGS: usize = 64;

/// The relative rounding of powers at a range.
const ROUNDING: f64 = 1e-9;

/// What of a radio may differ from node to node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitting {
    /// Transmission power in W.
    pub transmit_power: f64,
    /// How many times more the antenna sends and receives in the plane than one that has no direction.
    pub antenna_gain: f64,
    /// Height of the antenna above ground in m.
    pub antenna_height: f64,
    /// Power in W from which the node senses frames.
    pub sense_threshold: f64,
}

impl Radio {
    /// What nodes have that say nothing of their own.
    pub const fn fitting(&self) -> Fitting {
        let Radio { transmit_power, antenna_height, sense_threshold, .. } = *self;
        Fitting { transmit_power, antenna_gain: 1.0, antenna_height, sense_threshold }
    }

    /// The radio of a node that has this fitting.
    #[must_use]
    pub fn fitted(&self, own: &Fitting) -> Radio {
        self.between(own, own)
    }

    /// A radio whose signals, by the propagation, are those from a node of one fitting at a node of another: all
    /// models are linear in power, and ask for the product of the two heights alone.
    fn between(&self, from: &Fitting, to: &Fitting) -> Radio {
        let height = if from.antenna_height.to_bits() == to.antenna_height.to_bits() {
            from.antenna_height
        } else {
            libm::sqrt(from.antenna_height * to.antenna_height)
        };
        Radio {
            propagation: self.propagation.clone(),
            transmit_power: from.transmit_power * from.antenna_gain * to.antenna_gain,
            antenna_height: height,
            sense_threshold: to.sense_threshold,
            links: Links::default(),
            ..*self
        }
    }
}

/// The radios of all nodes, and what each is to each other one.
#[derive(Clone, Debug)]
pub struct Radios {
    /// Which of the fittings every node has; nothing if all have that of [radio].
    of: Vec<u8>,
    fittings: usize,
    /// From each fitting to each, where they are not all that of [radio].
    pairs: Vec<Radio>,
    /// The power at the range up to which nodes are neighbours.
    neighbour_power: f64,
}

impl Radios {
    /// The radios of `nodes`, of which those that say nothing have that of `radio`; `None` if there are more than
    /// [`MOST_FITTINGS`] different ones.
    pub fn new(radio: &Radio, nodes: &[Node]) -> Option<Self> {
        let neighbour_power =
            radio.propagation.mean_power(radio, radio.neighbour_range) * (1.0 - ROUNDING);
        let mut this = Radios { of: Vec::new(), fittings: 0, pairs: Vec::new(), neighbour_power };
        if nodes.iter().all(|node| node.own.fitting.is_none_or(|own| own == radio.fitting())) {
            return Some(this);
        }
        let mut known: Vec<Fitting> = Vec::new();
        for node in nodes {
            let own = node.own.fitting.unwrap_or_else(|| radio.fitting());
            let at = known.iter().position(|one| *one == own).unwrap_or_else(|| {
                known.push(own);
                known.len() - 1
            });
            if at >= MOST_FITTINGS {
                return None;
            }
            this.of.push(at as u8);
        }
        this.fittings = known.len();
        let to_each = |from| known.iter().map(move |to| radio.between(from, to));
        this.pairs = known.iter().flat_map(to_each).collect();
        Some(this)
    }

    /// Whether all have the radio of `[radio]`.
    pub const fn are_alike(&self) -> bool {
        self.of.is_empty()
    }

    /// The radio that decides how `to` hears `from`, where they are not alike.
    ///
    /// # Panics
    /// If they are alike, or if there is no such node.
    pub fn between(&self, from: NodeId, to: NodeId) -> &Radio {
        let [from, to] = [from, to].map(|node| usize::from(self.of[node.index()]));
        &self.pairs[from * self.fittings + to]
    }

    /// Power in W from which `node` senses frames; `None` if all are alike.
    pub fn sense_threshold(&self, node: NodeId) -> Option<f64> {
        let of = self.of.get(node.index())?;
        Some(self.pairs[usize::from(*of)].sense_threshold)
    }

    /// What any of them is to any other, where they are not alike.
    pub fn pairs(&self) -> &[Radio] {
        &self.pairs
    }

    /// Whether, by its mean power, `to` decodes what `from` transmits, `distance` m away, where they are not alike.
    ///
    /// # Panics
    /// As [`Radios::between`].
    pub fn decodes(&self, from: NodeId, to: NodeId, distance: f64) -> bool {
        let radio = self.between(from, to);
        radio.propagation.mean_power(radio, distance) >= self.neighbour_power
    }

    /// Whether routing takes two nodes for neighbours that are `distance` m apart, where they are not alike: each
    /// decodes the other.
    ///
    /// # Panics
    /// As [`Radios::between`].
    pub fn join(&self, a: NodeId, b: NodeId, distance: f64) -> bool {
        self.decodes(a, b, distance) && self.decodes(b, a, distance)
    }

    /// How far, in m, anybody is decoded by anybody, where they are not alike; infinite if that has no end.
    pub fn reach(&self) -> f64 {
        let is_within = |distance| {
            let mut pairs = self.pairs.iter();
            pairs.any(|radio| radio.propagation.mean_power(radio, distance) >= self.neighbour_power)
        };
        let (mut within, mut beyond) = (0.0, 1.0);
        while beyond < f64::INFINITY && is_within(beyond) {
            (within, beyond) = (beyond, beyond * 2.0);
        }
        for _ in 0..f64::MANTISSA_DIGITS {
            let middle = f64::midpoint(within, beyond);
            if is_within(middle) { within = middle } else { beyond = middle }
        }
        beyond * (1.0 + ROUNDING)
    }
}
