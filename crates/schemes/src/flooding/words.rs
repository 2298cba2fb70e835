//! What flooding says beside the common words.

use multihop_core::Word;

/// A node has not passed a packet on, or has given up its copy before it was sent.
pub static SUPPRESSED: Word = Word {
    name: "suppressed",
    about: "a node kept silent about a packet that others pass on: the draw said so, or it has heard enough copies",
};
