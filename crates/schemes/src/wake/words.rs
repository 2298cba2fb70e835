//! What only WAKE says.

use multihop_core::Word;

/// Coding: two packets leave in one frame.
pub static CODED: Word = Word {
    name: "coded",
    about: "the packet shares a frame with another one, for another neighbour",
};

/// Coding: such a frame is of no use.
pub static UNDECODABLE: Word = Word {
    name: "undecodable",
    about: "a frame with two packets was for this node, which lacks what it takes to read its own",
};
