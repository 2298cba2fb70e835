//! What sources send: by themselves, or when transports want data.

use multihop_core::{Medium, Message, NodeId};
use multihop_node::{Input, Wish};
use multihop_trace::Observation;

use super::Engine;

impl<M: Medium + ?Sized> Engine<'_, M> {
    /// The source in place `at` of `node` sends by itself, or starts.
    pub(super) fn on_source_due(&mut self, node: NodeId, at: usize) {
        let index = self.sources_at[node.index()].index(at);
        while self.sources[index].next <= self.now {
            self.inputs += 1;
            match self.sources[index].on_time() {
                Some(message) => self.send(node, index, message),
                None => self.sources_at[node.index()].may_be_wanted(index),
            }
        }
        self.sources_at[node.index()].reschedule(at, self.sources[index].next);
    }

    /// While the transports of the bulk sources at `node` want data, they get some. Those that
    /// wanted none are not asked before they were called.
    pub(super) fn feed(&mut self, node: NodeId) {
        self.find_wanted(node);
        let mut from = 0;
        while let Some(at) = self.sources_at[node.index()].take_wanted(from) {
            let index = self.sources_at[node.index()].index(at);
            let wish = self.satisfy(node, index);
            self.find_wanted(node);
            if wish == Wish::Room {
                self.sources_at[node.index()].may_be_wanted(index);
            }
            from = at + 1;
        }
    }

    /// The bulk sources whose transports were called may be wanted.
    fn find_wanted(&mut self, node: NodeId) {
        while let Some(flow) = self.nodes[node.index()].poll_called() {
            if let Some(index) = self.source_of(node, flow)
                && self.sources[index].is_bulk()
            {
                self.sources_at[node.index()].may_be_wanted(index);
            }
        }
    }

    /// While the transport of bulk source number `index` wants data, it gets some. What it wants
    /// in the end, if the source can give it.
    fn satisfy(&mut self, node: NodeId, index: usize) -> Wish {
        loop {
            let wish = self.nodes[node.index()].wish(self.sources[index].flow);
            if wish != Wish::Message {
                return wish;
            }
            let Some(message) = self.sources[index].on_wanted(self.now) else {
                return Wish::Nothing;
            };
            self.send(node, index, message);
        }
    }

    /// Source number `index`, at `node`, sends a message.
    fn send(&mut self, node: NodeId, index: usize, message: Message) {
        let flow = self.sources[index].flow;
        self.observers.tell(self.now, Observation::Offer { node, flow, message: &message });
        self.handle(node, Input::Message { flow, message });
    }
}
