//! The ways that packets take.

use std::collections::BTreeMap;

use multihop_core::{FrameClass, NodeId, Protocol, Transmission};

/// The next hops over which nodes send: what they do, whatever their tables say.
#[derive(Default)]
pub(super) struct NextHops {
    /// By node and address of the destination.
    next: BTreeMap<(NodeId, NodeId), NodeId>,
    /// Every node's last: where to, and over whom.
    last: Vec<Option<(NodeId, NodeId)>>,
}

impl NextHops {
    /// A node sends `frame`. Returns for which address and over whom, if it is another way than before.
    pub fn on_frame(&mut self, frame: &Transmission) -> Option<(NodeId, NodeId)> {
        let data = matches!(frame.class, FrameClass::Data | FrameClass::TransportAcknowledgment);
        let (packet, next) = frame.packet.filter(|_| data).zip(frame.to)?;
        if packet.protocol() != Protocol::Scheme {
            return None;
        }
        let destination = packet.flow.destination;
        let at = frame.from.index();
        if at >= self.last.len() {
            self.last.resize(at + 1, None);
        }
        if self.last[at].replace((destination, next)) == Some((destination, next)) {
            return None;
        }
        let before = self.next.insert((frame.from, destination), next);
        (before != Some(next)).then_some((destination, next))
    }

    /// `node` takes its link to `next` for broken. Returns the addresses to which it has sent over it.
    pub fn on_broken(&mut self, node: NodeId, next: NodeId) -> Vec<NodeId> {
        let all = self.next.range((node, NodeId(0))..=(node, NodeId(u32::MAX)));
        let lost: Vec<NodeId> = all
            .filter(|(_, over)| **over == next)
            .map(|((_, destination), _)| *destination)
            .collect();
        if let Some(last) = self.last.get_mut(node.index()) {
            *last = None;
        }
        for destination in &lost {
            self.next.remove(&(node, *destination));
        }
        lost
    }
}

#[cfg(test)]
mod tests;
