//! Who hears whom whatever the distance.

use multihop_core::NodeId;

/// Signals that a scenario lists, instead of those that follow from distances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Links {
    /// In ascending order of who transmits, then of who hears it; none twice.
    pub listed: Vec<Link>,
    /// What holds of the others.
    pub others: Unlisted,
}

/// What holds of pairs of nodes that are not listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unlisted {
    /// They hear each other as far as the propagation lets them.
    #[default]
    Propagation,
    /// They do not hear each other.
    Silent,
}

/// How one node hears another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Who transmits.
    pub from: NodeId,
    /// Who hears it.
    pub to: NodeId,
    /// Mean power in W.
    pub power: f64,
    /// Share of its frames that are decoded if nothing disturbs them; `None` if the power decides.
    pub delivery: Option<f64>,
    /// Standard deviation in dB of the power of its frames, if not that of the propagation.
    pub deviation: Option<f64>,
    /// Whether routing takes the two for neighbours.
    pub neighbours: bool,
}

impl Links {
    /// Whether distances decide everything.
    pub const fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// How `from` is heard, in ascending order of who hears it.
    pub fn of(&self, from: NodeId) -> &[Link] {
        let begin = self.listed.partition_point(|link| link.from < from);
        let rest = &self.listed[begin..];
        &rest[..rest.partition_point(|link| link.from == from)]
    }

    /// How `to` hears `from`, if that is listed.
    pub fn find(&self, from: NodeId, to: NodeId) -> Option<&Link> {
        let key = |link: &Link| (link.from, link.to);
        let at = self.listed.binary_search_by_key(&(from, to), key).ok()?;
        self.listed.get(at)
    }

    /// Whether the distance between the two says nothing.
    pub fn govern(&self, from: NodeId, to: NodeId) -> bool {
        self.others == Unlisted::Silent || self.find(from, to).is_some()
    }

    /// Whether routing takes the two for neighbours; `None` if their distance decides.
    pub fn join(&self, a: NodeId, b: NodeId) -> Option<bool> {
        let listed = self.find(a, b).or_else(|| self.find(b, a));
        let silent = (self.others == Unlisted::Silent).then_some(false);
        listed.map(|link| link.neighbours).or(silent)
    }

    /// Whether some link has a delivery ratio.
    pub fn any_delivery(&self) -> bool {
        self.listed.iter().any(|link| link.delivery.is_some())
    }

    /// Whether the power of frames varies on some link as it does not elsewhere.
    pub fn any_deviation(&self) -> bool {
        self.listed.iter().any(|link| link.deviation.is_some())
    }
}
