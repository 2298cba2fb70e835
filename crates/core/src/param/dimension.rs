//! What quantities are measured in.

/// What a [`Measure`](super::Measure) is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// A power in W.
    Power,
    /// A frequency in Hz.
    Frequency,
    /// A level, as a difference in dB.
    Level,
    /// A signal in dBm.
    Signal,
    /// A speed in m/s.
    Speed,
}

impl Dimension {
    /// The unit of its values.
    pub const fn unit(self) -> &'static str {
        match self {
            Dimension::Power => "W",
            Dimension::Frequency => "Hz",
            Dimension::Level => "dB",
            Dimension::Signal => "dBm",
            Dimension::Speed => "m/s",
        }
    }

    /// What it is, in words.
    pub const fn noun(self) -> &'static str {
        match self {
            Dimension::Power => "a power",
            Dimension::Frequency => "a frequency",
            Dimension::Level => "a level",
            Dimension::Signal => "a signal",
            Dimension::Speed => "a speed",
        }
    }
}
