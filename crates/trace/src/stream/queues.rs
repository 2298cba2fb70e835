//! How many packets every node holds.

use multihop_core::{NodeId, Tag, Time};

use super::tables::{Queue, nanos};

/// What a node holds of a flow.
struct FlowQueue {
    flow: u32,
    length: i32,
    /// How many were written down.
    written: i32,
    /// Whether that has changed now.
    changes: bool,
}

/// How many packets of which flow are where.
#[derive(Default)]
pub(super) struct Lengths {
    /// By node; by flow, in ascending order.
    of: Vec<Vec<FlowQueue>>,
    /// How many each node holds of all flows.
    totals: Vec<i32>,
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
        let (at, flow) = (node.index(), tag.source);
        if at >= self.of.len() {
            self.of.resize_with(at + 1, Vec::new);
            self.totals.resize(at + 1, 0);
        }
        let held = held(&mut self.of[at], flow);
        let before = held.length;
        held.length = (before + change).max(0);
        self.totals[at] += held.length - before;
        if !std::mem::replace(&mut held.changes, true) {
            self.changed.push((node.0, flow));
        }
    }

    /// The rows of the moment that is over, if `at` is later. A packet that comes and goes in one moment
    /// makes none.
    #[inline]
    pub fn settle(&mut self, at: Time, write: impl FnMut(Queue)) {
        if at > self.now {
            let before = std::mem::replace(&mut self.now, at);
            if !self.changed.is_empty() {
                self.write_changes(before, write);
            }
        }
    }

    #[inline(never)]
    fn write_changes(&mut self, at: Time, mut write: impl FnMut(Queue)) {
        let time_ns = nanos(at);
        for (node, flow) in self.changed.drain(..) {
            let held = held(&mut self.of[node as usize], flow);
            held.changes = false;
            if held.length != held.written {
                held.written = held.length;
                let (node, flow) = (node.cast_signed(), flow.cast_signed());
                write(Queue { time_ns, node, flow, length: held.length });
            }
        }
    }

    /// How many packets `node` holds, of all flows.
    pub fn at(&self, node: u32) -> i32 {
        self.totals.get(node as usize).copied().unwrap_or(0)
    }
}

/// What a node holds of `flow`.
fn held(of: &mut Vec<FlowQueue>, flow: u32) -> &mut FlowQueue {
    let at = of.binary_search_by_key(&flow, |held| held.flow).unwrap_or_else(|at| {
        of.insert(at, FlowQueue { flow, length: 0, written: 0, changes: false });
        at
    });
    &mut of[at]
}

#[cfg(test)]
mod tests;
