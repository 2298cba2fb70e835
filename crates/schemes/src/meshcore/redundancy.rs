//! A relay that others have made needless is given up: pull requests 1745 and 3019.
//!
//! What is left out of 3019: a longer wait where the first copy was strong, and a threshold for strong copies that
//! follows from the neighbours' signals.

use multihop_core::{Cx, Rx};

use super::header::Header;
use super::hop::{MeshCore, TakenBack};

impl MeshCore {
    fn most_copies(&self, cx: &Cx) -> Option<u32> {
        self.settings.redundancy.threshold(|| self.neighbours.fresh(cx.now))
    }

    /// A copy of a flood was heard: the relay that waits here may be needless now.
    pub(super) fn overhear(&mut self, cx: &mut Cx, rx: &Rx, header: &Header) {
        let Some(most) = self.most_copies(cx) else { return };
        let name = header.name(rx.packet.flow.source);
        let weight = self.settings.redundancy.weight(self.snr(rx));
        if self.overheard.hear(name, weight) >= most {
            self.take_back(cx, name, TakenBack::Needless);
        }
    }

    /// Whether enough copies of this flood were heard before it was looked at.
    pub(super) fn is_needless(&self, cx: &Cx, name: u64) -> bool {
        self.most_copies(cx).is_some_and(|most| self.overheard.weight(name) >= most)
    }
}
