//! What stations tell their host.

use multihop_core::{Reception, Rx, Tag, TxDone, Word};

/// What has happened and was not reported yet.
pub enum Event {
    /// It is certain what becomes of a frame at a node.
    Received(Reception),
    /// The node hears this.
    Hears(Rx),
    /// A frame has ended.
    Done(TxDone),
    /// The MAC takes a copy of this packet ...
    Keeps(Tag),
    /// ... and drops it, for this cause.
    Drops(TxDone, &'static Word),
}
