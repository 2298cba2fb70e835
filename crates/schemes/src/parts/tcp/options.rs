//! RFC 9293, 3.2: options, with which the halves of a congestion control talk beside the fields of the
//! header.
//!
//! ```text
//! +-------+-------+
//! | kind  | length|  one byte, four bits each, and so many bytes behind it
//! +-------+-------+
//! ```
//!
//! Shorter than RFC 9293's, so that three blocks fit into a header of 20 bytes. A byte of zero ends the
//! list, and zeros follow. Who does not know a kind walks over it.

use multihop_core::WireError;

/// Most bytes of all options of one segment.
pub const MOST: usize = 53;

/// Most bytes that one option has behind its first.
pub const LONGEST: usize = 15;

/// What an option says.
pub trait HeaderOption: Sized {
    /// Its kind, from 1 to 15; no two that meet in one connection have the same.
    const KIND: u8;

    /// Write it down. Returns how many bytes of `body` it takes.
    fn emit(&self, body: &mut [u8; LONGEST]) -> usize;

    /// Read what [`HeaderOption::emit`] writes, and nothing else.
    fn parse(body: &[u8]) -> Option<Self>;
}

/// The options of one segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    bytes: [u8; MOST],
    len: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { bytes: [0; MOST], len: 0 }
    }
}

impl Options {
    /// Their bytes.
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Say this, too.
    ///
    /// # Panics
    /// If there is no room for it: what the halves of a variant write is known when it is written.
    pub fn put<O: HeaderOption>(&mut self, option: &O) {
        let mut body = [0; LONGEST];
        let len = option.emit(&mut body);
        self.bytes[self.len] = O::KIND << 4 | len as u8;
        self.bytes[self.len + 1..][..len].copy_from_slice(&body[..len]);
        self.len += 1 + len;
    }

    /// What the other end says of this, if it can be read.
    pub fn get<O: HeaderOption>(&self) -> Option<O> {
        let (_, body) = entries(self.as_slice()).find(|(kind, _)| *kind == O::KIND)?;
        O::parse(body)
    }

    /// Read the options at the start of `bytes`, and zeros behind them.
    ///
    /// # Errors
    /// If one is cut off or of no kind, or there are more than a segment can have.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, WireError> {
        if bytes.len() > MOST {
            return Err(WireError::Field { name: "options", value: bytes.len() as u32 });
        }
        let len = entries(bytes).map(|(_, body)| 1 + body.len()).sum();
        let (used, rest) = bytes.split_at(len);
        if let Some(byte) = rest.iter().find(|byte| **byte != 0) {
            return Err(WireError::Field { name: "option", value: u32::from(*byte) });
        }
        let mut options = Options { len, ..Options::default() };
        options.bytes[..len].copy_from_slice(used);
        Ok(options)
    }
}

/// The kinds and bodies of the options, up to the first that is none.
fn entries(mut bytes: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    core::iter::from_fn(move || {
        let (first, behind) = bytes.split_first()?;
        let (body, rest) = behind.split_at_checked(usize::from(first & 0xF))?;
        bytes = rest;
        (*first >> 4 > 0).then_some((first >> 4, body))
    })
}
