//! The buffer occupancy estimator: what the successor still has.

use std::collections::VecDeque;

use multihop_core::FlowId;

/// A packet, as it is recognised.
pub(super) type Name = (FlowId, u16);

/// The packets that a successor has got from here, the newest last.
#[derive(Debug, Default)]
pub(super) struct Sent(VecDeque<Name>);

impl Sent {
    /// The successor has got another one; at most `most` are remembered.
    pub(super) fn add(&mut self, name: Name, most: usize) {
        if self.0.len() >= most {
            self.0.pop_front();
        }
        self.0.push_back(name);
    }

    /// The successor forwards this one: how many it has got since. `None` if it is not from here.
    pub(super) fn behind(&self, name: Name) -> Option<usize> {
        self.0.iter().rev().position(|sent| *sent == name)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
