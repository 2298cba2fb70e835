//! What Meshtastic says beside the common words.

use multihop_core::Word;

/// A node has given up its relay of a packet that another node has relayed.
pub static SUPPRESSED: Word = Word {
    name: "relay_cancelled",
    about: "a node gave up its relay of a packet, because it heard another copy of it, or an acknowledgment",
};

/// A node has not sent an announcement or a report, because the channel was busy.
pub static SKIPPED: Word = Word {
    name: "channel_busy",
    about: "a node did not send an announcement or a report, because the channel or its duty cycle was used too much",
};

/// A node has sent as long as it may.
pub static DUTY_CYCLE: Word =
    Word { name: "duty_cycle_spent", about: "a node had sent as long as its duty cycle allows" };

/// A node has learned by which neighbour it reaches another node.
pub static NEXT_HOP: Word = Word {
    name: "next_hop_learned",
    about: "a node has learned by which neighbour a direct message reaches another node",
};
