//! What Meshtasticator does with copies otherwise (`lib/node.py` of a304b7d, `transmit`, `receive` and `generate_message`).
//!
//! - All its nodes share one list of packets. A node has an entry there from when a packet waits at it until it drops the
//!   packet; the entry of a packet that was sent stays. Whoever hears a further copy of a packet marks its own entry as
//!   acknowledged. A source repeats no text of which any node has marked its entry: `common_list`, an oracle.
//! - A packet of which a node has heard too many copies waits its turn and its slots as if it were sent, and is dropped
//!   then. Its slots pass in the MAC if that has `withdraw_at_once = false`.
//! - A node without an entry queues every further copy that may be relayed, so that it waits, and is dropped.

use multihop_core::{Cx, EventKind, FrameId, Rx};

use super::header::{Header, Name};
use super::history::{Again, Entry};
use super::hop::{Below, Meshtastic, TakenBack};
use super::pending::Pending;

/// So many copies a node may have heard of what it sends.
const MOST_COPIES: u32 = 1;

/// The same at a router or a repeater.
const MOST_COPIES_AT_ROUTER: u32 = 2;

impl Meshtastic {
    /// A further copy of a packet was heard. A packet that waits goes with the signal of the last copy.
    pub(super) fn count_copy(&mut self, cx: &mut Cx, rx: &Rx, (header, again): (&Header, Again)) {
        let source = rx.packet.flow.source;
        let name = (source, header.id);
        if source != cx.me {
            match self.history.acknowledge(name) {
                Entry::Missing => {
                    self.relay(cx, rx, header);
                }
                Entry::Open => self.tell_common(|list| list.mark(name)),
                Entry::Acknowledged => {}
            }
        }
        let snr = self.snr(rx);
        let router = self.settings.role.goes_first();
        let most = if router { MOST_COPIES_AT_ROUTER } else { MOST_COPIES };
        if let Some(turn) = self.waiting(name) {
            turn.snr = turn.snr.map(|_| snr);
            turn.is_spent |= again.copies > most;
        }
        self.take_back_spent(cx);
    }

    /// The frame that the MAC has is not to be sent any more: it comes back when the MAC lets it.
    pub(super) fn take_back_spent(&mut self, cx: &mut Cx) {
        if let Some(below) = self.below.as_mut().filter(|below| is_spent(below)) {
            below.taken_back = Some(TakenBack::Cancelled);
            cx.withdraw(FrameId::ONLY);
        }
    }

    /// Whether the MAC has a frame that was spent when it got it, and was not told so: it has a frame only after the call
    /// in which it gets it.
    pub(super) fn has_spent_below(&self) -> bool {
        self.below.as_ref().is_some_and(is_spent)
    }

    /// A packet was dropped that waited.
    pub(super) fn forget_entry(&mut self, name: Name) {
        if self.settings.rules.is_simulator() && self.history.remove_entry(name) {
            self.tell_common(|list| list.unmark(name));
        }
    }

    /// Whether the list says that a packet of this node need not be repeated; then it is not.
    pub(super) fn is_acknowledged_by_list(&self, cx: &mut Cx, pending: &Pending) -> bool {
        let (name, packet) = (pending.turn.name, &pending.packet);
        let marked = self.common.as_ref().is_some_and(|list| list.is_marked(name));
        if marked {
            self.tell_common(|list| list.close(name));
            cx.trace(EventKind::ImplicitAcknowledgment, packet.flow, name.1, packet.tag);
            cx.release(packet);
        }
        marked
    }

    /// Says this of the list, if there is one.
    pub(super) fn tell_common(&self, say: impl FnOnce(&multihop_core::CommonList)) {
        if let Some(list) = &self.common {
            say(list);
        }
    }
}

fn is_spent(below: &Below) -> bool {
    below.turn.is_spent && below.taken_back.is_none()
}
