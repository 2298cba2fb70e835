//! What a MAC can do, and what a scheme needs of it.

use core::fmt;

/// Something that not every MAC can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Capability {
    /// Send to one neighbour. A MAC without it only has broadcasts.
    Unicast,
    /// Tell whether that neighbour has got the frame.
    LinkAcknowledgment,
    /// Send one frame to two neighbours, which acknowledge it one after the other, tell which of them has,
    /// and let a node [decline](crate::Cx::decline) the acknowledgment of what it cannot use.
    TwoReceivers,
    /// Give a frame back that has not been on the air. A MAC that never lets a frame wait can, too.
    Withdrawal,
    /// Hand up what is addressed to others.
    Overhearing,
    /// Tell how the radio spends its time ([`crate::AirTime`]).
    AirTime,
    /// Let a frame wait for slots of its own ahead of those that are drawn ([`crate::ContentionClass::first`]).
    FirstSlot,
    /// Give all nodes one list to read and write ([`crate::CommonList`]): only a simulator has it.
    CommonList,
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Capability::Unicast => "frames for one neighbour",
            Capability::LinkAcknowledgment => "link acknowledgments",
            Capability::TwoReceivers => "frames for two neighbours at once",
            Capability::Withdrawal => "frames that can be withdrawn",
            Capability::Overhearing => "overhearing",
            Capability::AirTime => "the radio's air time",
            Capability::FirstSlot => "frames that contend from a later slot on",
            Capability::CommonList => "a list that all nodes share",
        })
    }
}
