//! What headers look like, for programs that show captured frames.

use crate::NextHeader;

/// The layout of a header, or of a message that follows the headers. Big-endian.
#[derive(Clone, Copy, Debug)]
pub struct HeaderFormat {
    /// Its number.
    pub kind: NextHeader,
    /// The value of the first byte that tells messages with one number apart.
    pub message: Option<u8>,
    /// Its name in filters: letters, digits and underscores.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Its fields in their order, without the prefix that all headers have. They fill whole bytes.
    pub fields: &'static [Field],
    /// What may stand behind them; empty if nothing.
    pub rest: &'static str,
}

/// A field of a header.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name in filters; empty if it says nothing.
    pub name: &'static str,
    /// Its length in bits, at most 32.
    pub bits: u8,
    /// What it holds.
    pub holds: Holds,
    /// What it means.
    pub about: &'static str,
}

/// What a field holds.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    /// A number.
    Number,
    /// A number that may be below zero.
    Signed,
    /// The address of a node.
    Address,
    /// One of these.
    Word(&'static [(u32, &'static str)]),
    /// Nothing: zeros.
    Zero,
}

impl Field {
    /// A number of so many bits.
    pub const fn number(name: &'static str, bits: u8, about: &'static str) -> Self {
        Field { name, bits, holds: Holds::Number, about }
    }

    /// A number of 32 bits that may be below zero.
    pub const fn signed(name: &'static str, about: &'static str) -> Self {
        Field { name, bits: 32, holds: Holds::Signed, about }
    }

    /// The address of a node.
    pub const fn address(name: &'static str, about: &'static str) -> Self {
        Field { name, bits: 32, holds: Holds::Address, about }
    }

    /// One of these words.
    pub const fn word(
        name: &'static str,
        bits: u8,
        words: &'static [(u32, &'static str)],
        about: &'static str,
    ) -> Self {
        Field { name, bits, holds: Holds::Word(words), about }
    }

    /// Zeros.
    pub const fn zero(bits: u8) -> Self {
        Field { name: "", bits, holds: Holds::Zero, about: "" }
    }
}
