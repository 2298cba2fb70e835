//! Reading and writing fixed fields, big end first.

/// Why a message or a frame could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// It ends too early.
    Truncated,
    /// It is longer than what it says.
    TooLong,
    /// A field has a value that means nothing.
    Field(&'static str),
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Malformed::Truncated => f.write_str("it ends too early"),
            Malformed::TooLong => f.write_str("there is more than it says"),
            Malformed::Field(name) => write!(f, "its {name} means nothing"),
        }
    }
}

impl std::error::Error for Malformed {}

/// What has not been read yet.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (field, rest) = self.0.split_first_chunk().ok_or(Malformed::Truncated)?;
        self.0 = rest;
        Ok(*field)
    }

    /// The next byte.
    ///
    /// # Errors
    /// If there is none, as for the others.
    pub fn u8(&mut self) -> Result<u8, Malformed> {
        self.take().map(u8::from_be_bytes)
    }

    /// The next 16 bits.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn u16(&mut self) -> Result<u16, Malformed> {
        self.take().map(u16::from_be_bytes)
    }

    /// The next 32 bits.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn u32(&mut self) -> Result<u32, Malformed> {
        self.take().map(u32::from_be_bytes)
    }

    /// The next 64 bits.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn u64(&mut self) -> Result<u64, Malformed> {
        self.take().map(u64::from_be_bytes)
    }

    /// All that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }

    /// Nothing is left.
    ///
    /// # Errors
    /// If something is.
    pub fn end(&self) -> Result<(), Malformed> {
        if self.0.is_empty() { Ok(()) } else { Err(Malformed::TooLong) }
    }
}
