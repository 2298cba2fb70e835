//! Applications that hand over what they have as soon as their transport wants it.

use multihop_core::{FlowId, Message};

use crate::message;

/// An application with messages left to send.
struct Source {
    flow: FlowId,
    written: u32,
    count: u32,
}

/// All applications, in the order in which they came.
#[derive(Default)]
pub(crate) struct Sources(Vec<Source>);

impl Sources {
    /// `count` more messages for `flow`.
    pub(crate) fn offer(&mut self, flow: FlowId, count: u32) {
        match self.0.iter_mut().find(|source| source.flow == flow) {
            Some(source) => source.count += count,
            None => self.0.push(Source { flow, written: 0, count }),
        }
    }

    /// The flows of node `at` that have messages left.
    pub(crate) fn waiting_at(&self, at: usize) -> Vec<FlowId> {
        let here =
            |source: &&Source| source.flow.source.index() == at && source.written < source.count;
        self.0.iter().filter(here).map(|source| source.flow).collect()
    }

    /// The next message of `flow`.
    pub(crate) fn next(&mut self, flow: FlowId) -> Option<Message> {
        let at = self.0.iter().position(|source| source.flow == flow)?;
        let source = &mut self.0[at];
        let number = source.written;
        source.written += u32::from(number < source.count);
        (number < source.count).then(|| message(at as u32, number))
    }

    /// How many messages no node has yet.
    pub(crate) fn left(&self) -> usize {
        self.0.iter().map(|source| (source.count - source.written) as usize).sum()
    }
}
