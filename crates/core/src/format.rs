//! What headers look like, said once: [`header!`](crate::header) makes the struct, its parser, what it writes, and the
//! layout for programs that show captured frames.

use core::fmt::Write;

use crate::{NextHeader, NodeId, WireError, address};

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
    /// Reads a body and writes it again; nothing if it is refused. What it has written reads and writes the same.
    pub rewrite: fn(&[u8]) -> Option<Vec<u8>>,
}

/// So many bits a row of a picture has.
const ROW: usize = 32;

impl HeaderFormat {
    /// The length of its fields in bits.
    pub fn bits(&self) -> usize {
        self.fields.iter().map(|field| usize::from(field.bits)).sum()
    }

    /// Its picture, as RFCs have it: 32 bits a row, without the two bytes that all headers begin with.
    ///
    /// # Panics
    /// Never: a string takes all that is written.
    pub fn picture(&self) -> String {
        let mut all: Vec<(String, usize)> = Vec::new();
        let mut at = 0;
        for field in self.fields {
            let (name, mut left) =
                (if field.name.is_empty() { "0" } else { field.name }, usize::from(field.bits));
            while left > 0 {
                let here = left.min(ROW - at % ROW);
                all.push((name.to_owned(), here));
                (at, left) = (at + here, left - here);
            }
        }
        let (mut picture, mut at) = (String::from(RULER), 0);
        let line = |bits: usize| format!("+{}\n", "-+".repeat(bits));
        picture.push_str(&line(at.max(ROW.min(self.bits()))));
        let mut row = String::new();
        for (name, bits) in all {
            let room = 2 * bits - 1;
            let name: String = name.chars().take(room).collect();
            write!(row, "|{name:^room$}").expect("a string takes all that is written");
            at += bits;
            if at % ROW == 0 || at == self.bits() {
                let width = if at % ROW == 0 { ROW } else { at % ROW };
                picture += &(row.clone() + "|\n" + &line(width));
                row.clear();
            }
        }
        if !self.rest.is_empty() {
            picture += &["| ", self.rest, " ...\n"].concat();
        }
        picture
    }
}

/// What stands above a picture: the numbers of bits.
const RULER: &str = " 0                   1                   2                   3\n \
                     0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1\n";

/// What a field of a header can hold.
pub trait FieldValue: Sized {
    /// How it is shown.
    const HOLDS: Holds;

    /// Read what [`FieldValue::bits`] writes; `name` is the field's.
    ///
    /// # Errors
    /// If the format does not know it.
    fn read(name: &'static str, bits: u32) -> Result<Self, WireError>;

    /// Its bits. What is too large for its field is written as the largest number there.
    fn bits(self) -> u32;
}

macro_rules! number_fields {
    ($($number:ty),+) => {$(
        impl FieldValue for $number {
            const HOLDS: Holds = Holds::Number;

            #[inline]
            fn read(name: &'static str, bits: u32) -> Result<Self, WireError> {
                <$number>::try_from(bits).map_err(|_| WireError::Field { name, value: bits })
            }

            #[inline]
            fn bits(self) -> u32 {
                self.into()
            }
        }
    )+};
}

number_fields!(u8, u16, u32);

impl FieldValue for bool {
    const HOLDS: Holds = Holds::Number;

    #[inline]
    fn read(name: &'static str, bits: u32) -> Result<Self, WireError> {
        if bits > 1 { Err(WireError::Field { name, value: bits }) } else { Ok(bits == 1) }
    }

    #[inline]
    fn bits(self) -> u32 {
        self.into()
    }
}

impl FieldValue for i32 {
    const HOLDS: Holds = Holds::Signed;

    #[inline]
    fn read(_name: &'static str, bits: u32) -> Result<Self, WireError> {
        Ok(bits.cast_signed())
    }

    #[inline]
    fn bits(self) -> u32 {
        self.cast_unsigned()
    }
}

impl FieldValue for NodeId {
    const HOLDS: Holds = Holds::Address;

    #[inline]
    fn read(_name: &'static str, bits: u32) -> Result<Self, WireError> {
        address::parse(bits.to_be_bytes())
    }

    #[inline]
    fn bits(self) -> u32 {
        u32::from_be_bytes(address::emit(self))
    }
}

/// The bits from `at` on, `bits` of them, at most 32.
#[inline]
pub const fn get_bits(bytes: &[u8], at: usize, bits: usize) -> u32 {
    let (mut value, mut byte, last) = (0u64, at / 8, (at + bits - 1) / 8);
    while byte <= last {
        value = value << 8 | bytes[byte] as u64;
        byte += 1;
    }
    (value >> (7 - (at + bits - 1) % 8) & ((1 << bits) - 1)) as u32
}

/// Put `value`, or what fits if it is larger, into `bits` bits from `at` on, which are zero.
#[inline]
pub const fn put_bits(bytes: &mut [u8], at: usize, bits: usize, value: u32) {
    let most = (1u64 << bits) - 1;
    let value = if value as u64 > most { most } else { value as u64 };
    let (mut value, first, mut byte) =
        (value << (7 - (at + bits - 1) % 8), at / 8, (at + bits - 1) / 8);
    loop {
        bytes[byte] |= value as u8;
        value >>= 8;
        if byte == first {
            return;
        }
        byte -= 1;
    }
}

/// What a body has before its rest.
///
/// # Errors
/// If it is cut off.
pub fn split<const N: usize>(body: &[u8]) -> Result<(&[u8; N], &[u8]), WireError> {
    body.split_first_chunk().ok_or(WireError::Truncated { need: N, have: body.len() })
}

/// The words of a field: an enum, each variant with its number and its name.
#[macro_export]
macro_rules! header_words {
    (
        $(#[$attribute:meta])*
        $seen:vis enum $name:ident { $($(#[$about:meta])* $variant:ident = $number:literal $word:literal,)+ }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        $seen enum $name { $($(#[$about])* $variant = $number,)+ }

        impl $crate::FieldValue for $name {
            const HOLDS: $crate::Holds = $crate::Holds::Word(&[$(($number, $word)),+]);

            #[inline]
            fn read(name: &'static str, bits: u32) -> Result<Self, $crate::WireError> {
                match bits {
                    $($number => Ok($name::$variant),)+
                    value => Err($crate::WireError::Field { name, value }),
                }
            }

            #[inline]
            fn bits(self) -> u32 {
                self as u32
            }
        }
    };
}

/// A header, declared once: a struct of its fields, which it reads and writes, and its layout.
///
/// A field has its name in filters, its length in bits, and its meaning. `zero` bits are refused if they are not zero;
/// `ignored` ones are written as zero and not looked at. All of them fill whole bytes, big-endian.
///
/// ```
/// use multihop_core::{NextHeader, header};
///
/// header! {
///     /// What a frame of this example says.
///     #[derive(Debug, PartialEq)]
///     pub struct Example, LAYOUT = "example" "An example", NextHeader::hop(22), None => {
///         left: u8 = "left" 7 "packets that follow",
///         wave: bool = "wave" 1 "it goes in a wave",
///         zero 8,
///         number: u32 = "number" 32 "which packet it is",
///     }
/// }
///
/// let said = Example { left: 3, wave: true, number: 9 };
/// assert_eq!(said.emit(), [7, 0, 0, 0, 0, 9]);
/// assert_eq!(Example::parse(&said.emit()), Ok(said));
/// assert!(Example::parse(&[7, 1, 0, 0, 0, 9]).is_err(), "a reserved byte");
/// ```
#[macro_export]
macro_rules! header {
    (
        $(#[$attribute:meta])*
        $seen:vis struct $name:ident, $layout:ident = $short:literal $title:literal, $kind:expr, $message:expr
        $(, rest $rest:literal)? $(, by $rewrite:expr)? => { $($fields:tt)+ }
    ) => {
        $crate::header! { @struct [$(#[$attribute])* $seen struct $name] [] $($fields)+ }

        #[allow(dead_code, reason = "some headers are read, and some written, as parts of others")]
        impl $name {
            /// The length of its fields in bytes.
            $seen const LEN: usize = {
                let mut bits = 0;
                $crate::header! { @bits bits $($fields)+ }
                assert!(bits % 8 == 0, "the fields fill whole bytes");
                bits / 8
            };

            /// Its bytes.
            #[inline]
            $seen fn emit(&self) -> [u8; Self::LEN] {
                let mut bytes = [0; Self::LEN];
                let mut at = 0;
                $crate::header! { @emit self bytes at $($fields)+ }
                debug_assert_eq!(at, 8 * Self::LEN);
                bytes
            }

            #[inline]
            fn read(bytes: &[u8; Self::LEN]) -> Result<Self, $crate::WireError> {
                let mut at = 0;
                $crate::header! { @read bytes at [$name] [] $($fields)+ }
            }

            /// Read what it writes.
            ///
            /// # Errors
            /// If the body has another length, or holds what the format does not know.
            #[inline]
            $seen fn parse(body: &[u8]) -> Result<Self, $crate::WireError> {
                Self::read($crate::fields(body)?)
            }

            /// Read it from the beginning of a body, of which the rest is returned.
            ///
            /// # Errors
            /// If the body is cut off, or holds what the format does not know.
            #[inline]
            $seen fn split(body: &[u8]) -> Result<(Self, &[u8]), $crate::WireError> {
                let (bytes, rest) = $crate::format::split(body)?;
                Ok((Self::read(bytes)?, rest))
            }

            fn rewrite(body: &[u8]) -> Option<Vec<u8>> {
                Self::parse(body).ok().map(|header| header.emit().to_vec())
            }
        }

        #[doc = concat!("The layout of ", $title, ".")]
        pub static $layout: $crate::HeaderFormat = $crate::HeaderFormat {
            kind: $kind,
            message: $message,
            name: $short,
            title: $title,
            fields: $crate::header! { @layout [] $($fields)+ },
            rest: { let rest = ""; $(let _ = rest; let rest = $rest;)? rest },
            rewrite: { let by: fn(&[u8]) -> Option<Vec<u8>> = $name::rewrite; $(let _ = by; let by: fn(&[u8]) -> Option<Vec<u8>> = $rewrite;)? by },
        };
    };

    (@struct [$($head:tt)+] [$($done:tt)*]) => {
        $($head)+ { $($done)* }
    };
    (@struct $head:tt $done:tt zero $bits:literal, $($more:tt)*) => {
        $crate::header! { @struct $head $done $($more)* }
    };
    (@struct $head:tt $done:tt ignored $bits:literal, $($more:tt)*) => {
        $crate::header! { @struct $head $done $($more)* }
    };
    (@struct $head:tt [$($done:tt)*]
        $field:ident: $type:ty = $name:literal $bits:literal $about:literal, $($more:tt)*) => {
        $crate::header! { @struct $head [$($done)* #[doc = $about] pub $field: $type,] $($more)* }
    };

    (@bits $sum:ident) => {};
    (@bits $sum:ident zero $bits:literal, $($more:tt)*) => {
        $sum += $bits;
        $crate::header! { @bits $sum $($more)* }
    };
    (@bits $sum:ident ignored $bits:literal, $($more:tt)*) => {
        $sum += $bits;
        $crate::header! { @bits $sum $($more)* }
    };
    (@bits $sum:ident
        $field:ident: $type:ty = $name:literal $bits:literal $about:literal, $($more:tt)*) => {
        $sum += $bits;
        $crate::header! { @bits $sum $($more)* }
    };

    (@emit $self:ident $bytes:ident $at:ident) => {};
    (@emit $self:ident $bytes:ident $at:ident zero $bits:literal, $($more:tt)*) => {
        $at += $bits;
        $crate::header! { @emit $self $bytes $at $($more)* }
    };
    (@emit $self:ident $bytes:ident $at:ident ignored $bits:literal, $($more:tt)*) => {
        $at += $bits;
        $crate::header! { @emit $self $bytes $at $($more)* }
    };
    (@emit $self:ident $bytes:ident $at:ident
        $field:ident: $type:ty = $name:literal $bits:literal $about:literal, $($more:tt)*) => {
        $crate::format::put_bits(&mut $bytes, $at, $bits, $crate::FieldValue::bits($self.$field));
        $at += $bits;
        $crate::header! { @emit $self $bytes $at $($more)* }
    };

    (@read $bytes:ident $at:ident [$made:ident] [$($done:ident)*]) => {{
        debug_assert_eq!($at, 8 * $bytes.len());
        Ok($made { $($done),* })
    }};
    (@read $bytes:ident $at:ident $made:tt $done:tt zero $bits:literal, $($more:tt)*) => {{
        let value = $crate::format::get_bits($bytes, $at, $bits);
        if value != 0 {
            return Err($crate::WireError::Field { name: "reserved", value });
        }
        $at += $bits;
        $crate::header! { @read $bytes $at $made $done $($more)* }
    }};
    (@read $bytes:ident $at:ident $made:tt $done:tt ignored $bits:literal, $($more:tt)*) => {{
        $at += $bits;
        $crate::header! { @read $bytes $at $made $done $($more)* }
    }};
    (@read $bytes:ident $at:ident $made:tt [$($done:ident)*]
        $field:ident: $type:ty = $name:literal $bits:literal $about:literal, $($more:tt)*) => {{
        let $field: $type = $crate::FieldValue::read($name, $crate::format::get_bits($bytes, $at, $bits))?;
        $at += $bits;
        $crate::header! { @read $bytes $at $made [$($done)* $field] $($more)* }
    }};

    (@layout [$($done:tt)*]) => { &[$($done)*] };
    (@layout [$($done:tt)*] zero $bits:literal, $($more:tt)*) => {
        $crate::header! { @layout [$($done)* $crate::Field::zero($bits),] $($more)* }
    };
    (@layout [$($done:tt)*] ignored $bits:literal, $($more:tt)*) => {
        $crate::header! { @layout [$($done)* $crate::Field::zero($bits),] $($more)* }
    };
    (@layout [$($done:tt)*]
        $field:ident: $type:ty = $name:literal $bits:literal $about:literal, $($more:tt)*) => {
        $crate::header! {
            @layout
            [$($done)* $crate::Field {
                name: $name,
                bits: $bits,
                holds: <$type as $crate::FieldValue>::HOLDS,
                about: $about,
            },]
            $($more)*
        }
    };
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
    /// Zeros.
    pub const fn zero(bits: u8) -> Self {
        Field { name: "", bits, holds: Holds::Zero, about: "" }
    }
}

#[cfg(test)]
mod tests;
