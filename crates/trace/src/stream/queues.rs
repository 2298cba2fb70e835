//! How many packets every node holds.

use std::collections::BTreeMap;

use multihop_core::{NodeId, Tag, Time};

use super::tables::{Queue, nanos};

/// How many packets of which flow are where.
#[derive(Default)]
pub(super) struct Lengths {
    /// By node and flow: how many, and how many were written down.
    of: BTreeMap<(u32, u32), (i32, i32)>,
    /// Of which nodes and flows that has changed now.
    changed: Vec<(u32, u32)>,
    now: Time,
}

impl Lengths {
    /// `node` holds `change` more packets of the source of `tag`, if they have data.
    pub fn change(&mut self, node: NodeId, tag: Tag, change: i32) {
        if !tag.is_data() {
            return;
        }
        let place = (node.0, tag.source);
        let (length, _) = self.of.entry(place).or_default();
        *length = (*length + change).max(0);
        if !self.changed.contains(&place) {
            self.changed.push(place);
        }
    }

    /// The rows of the moment that is over, if `at` is later. A packet that comes and goes in one moment
    /// makes none.
    pub fn settle(&mut self, at: Time, mut write: impl FnMut(Queue)) {
        if at <= self.now {
            return;
        }
        let time_ns = nanos(self.now);
        self.now = at;
        for place in self.changed.drain(..) {
            let Some((length, written)) = self.of.get_mut(&place) else { continue };
            if length != written {
                *written = *length;
                let ((node, flow), length) = (place, *length);
                write(Queue {
                    time_ns,
                    node: node.cast_signed(),
                    flow: flow.cast_signed(),
                    length,
                });
            }
        }
    }

    /// How many packets `node` holds, of all flows.
    pub fn at(&self, node: u32) -> i32 {
        self.of.range((node, 0)..=(node, u32::MAX)).map(|(_, (length, _))| length).sum()
    }
}
