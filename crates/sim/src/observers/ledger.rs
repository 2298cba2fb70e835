//! Which packets are inside which node, for nodes that restart.

use std::collections::BTreeMap;

use multihop_core::{NodeId, Tag, Time};
use multihop_trace::{Observation, Observer};

/// How many copies of which packets every node has.
#[derive(Debug, Default)]
pub struct Ledger {
    /// By node, source, and number within the source.
    copies: BTreeMap<(NodeId, u32, u32), u32>,
}

impl Ledger {
    fn add(&mut self, node: NodeId, tag: Tag) {
        if tag.is_data() {
            *self.copies.entry((node, tag.source, tag.number)).or_default() += 1;
        }
    }

    fn remove(&mut self, node: NodeId, tag: Tag) {
        let key = (node, tag.source, tag.number);
        if let Some(count) = self.copies.get_mut(&key) {
            *count -= 1;
            if *count == 0 {
                self.copies.remove(&key);
            }
        }
    }

    /// Every copy that `node` has.
    pub fn inside(&self, node: NodeId) -> Vec<Tag> {
        let all = self.copies.range((node, 0, 0)..=(node, u32::MAX, u32::MAX));
        all.flat_map(|(&(_, source, number), &count)| {
            (0..count).map(move |_| Tag { source, number })
        })
        .collect()
    }
}

impl Observer for Ledger {
    fn observe(&mut self, _at: Time, what: &Observation) {
        match *what {
            Observation::Offer { node, message, .. } => self.add(node, message.tag),
            Observation::Acceptance { node, tag } => self.add(node, tag),
            Observation::Release { node, tag } => self.remove(node, tag),
            Observation::Delivery { node, packet } | Observation::Drop { node, packet, .. } => {
                self.remove(node, packet.tag);
            }
            _ => {}
        }
    }
}
